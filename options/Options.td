//===- Options.td - The options of all programs --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place where an option is declared. From here come the parsers, their
// help and errors, shell completion, manual pages, the tables of
// docs/reference.md, the members of FoldOptions and their names in the C ABI,
// and the arguments of Python (tools/options/make_options.py). The same word
// means the same in every program: llvm-tblgen refuses a second option of one
// name. OptionClasses.td explains the fields.
//
//===----------------------------------------------------------------------===//
include "OptionClasses.td"

def files : OptionGroup<"files">, HelpText<"Input and output">;
def inputs : OptionGroup<"inputs">, HelpText<"Inputs of the model">;
def changes : OptionGroup<"changes">, HelpText<"What is done">;
def limits : OptionGroup<"limits">, HelpText<"Limits">;
def earlier : OptionGroup<"earlier">, HelpText<"Results of earlier runs">;
def printing : OptionGroup<"printing">, HelpText<"What is printed">;
def running : OptionGroup<"running">, HelpText<"Running">;
def compiling : OptionGroup<"compiling">, HelpText<"Compilation">;
def common : OptionGroup<"common">, HelpText<"Options of all programs">;

class OfAll : In<[OnnxFold, OnnxRun, FoldRun, OnnxToDml, DmlToOnnx],
                 [fold, cut, diff, compare, stats, reduce, report, check_rules]>;
let Group = common in {
defm help : OptionalValue<"help", "SUBJECT",
    "the options that are often used; of a SUBJECT: all, the name of an option or a subcommand, or a group of options">,
    OfAll, Flags<[Common]>,
    Brief<"SUBJECT: all, the name of an option, or">,
    Row<["`--help`, `-h` | print the options that are often used, and exit",
         "`--help=SUBJECT` | print what there is about it, and exit: `all`, an option (`--help=cache`), a subcommand (`--help=diff`), or a group of options (`--help=limits`)"]>;
def help_short : Flag<["-"], "h">, OfAll, Alias<help>;
def version : Flag<["--", "-"], "version">, OfAll,
    HelpText<"print the version">, Flags<[Common]>,
    Row<["`--version` | print the version, and exit"]>;
}

let Group = files in {
defm output : ShortValue<"o", "FILE",
    "output file, or - for standard output (default: model.folded.onnx beside the input; reduce: model.reduced.onnx, and no standard output)">,
    In<[OnnxFold, OnnxRun, OnnxToDml, DmlToOnnx], [fold, cut, reduce, check_rules]>,
    TextIn<[ProgramText<OnnxRun, "FILE", "where --emit writes (default: standard output)">,
      ProgramText<OnnxToDml, "FILE", "the script (default: model.dml beside the input; - is standard output); its weights are written to model.weights/">,
      ProgramText<DmlToOnnx, "FILE", "the model (default: script.onnx beside the input; - is standard output)">]>,
    Flags<[Common, OneModel]>,
    Brief<"the output (default: model.folded.onnx beside model)">,
    Row<[
    "`-o FILE` | output; an existing file is replaced; `-` is standard output | input without a final `.onnx`, then `.folded.onnx`; standard output if the input is `-`"]>;
def in_place : Switch<"in-place",
                "the output replaces the input, when it is complete">,
    In<[OnnxFold], [fold, cut]>,
    Flags<[Common]>,
    Member<"bool", "inPlace", "readSwitch", "false">,
    PythonOfFold<"bool", "False">,
    Example<"in_place=True">,
    Row<[
    "`--in-place` | the output replaces the input, when it is complete ([how-to.md](how-to.md#in-place)) |"]>;
defm output_dir : Value<"output-dir", "DIR",
    "folder of the outputs of several models; inputs may be folders, whose *.onnx files are folded">,
    Flags<[SeveralModels]>,
    Row<[
    "`--output-dir=DIR` | of several models: the outputs have the names of their inputs, and those of a folder keep its layout ([how-to.md](how-to.md#many-models)) | of a folder: `model.folded.onnx` beside each; of several files: say it"]>;
def beside : Switch<"beside",
    "of several models: each output is model.folded.onnx beside its input">,
    Row<[
    "`--beside` | of several models: each output is `model.folded.onnx` beside its input |"]>;
defm batch_memory : Value<"batch-memory", "SIZE",
    "of several models: memory of all runs together, divided evenly among those at once (default: what is free)">,
    Flags<[SeveralModels]>,
    Row<[
    "`--batch-memory=SIZE` | of several models: the memory of all runs together, divided evenly among those at once ([how-to.md](how-to.md#many-models)) | the free memory"]>;
defm once_output : Value<"once-output", "FILE",
    "file of the second model of --run-once (default: model.once.onnx beside the output)">,
    Flags<[OneModel]>,
    Reads<"readText(options.runOnce.file, given)", "isGiven(options.runOnce.file)">,
    PythonOfFold<"str | os.PathLike[str] | None">,
    Example<"once_output=\"weights.once.onnx\"">,
    PythonText<"file of the second model of run_once">,
    Row<[
    "`--once-output=FILE` | the file of the once model, with `--run-once` | output without a final `.onnx` and `.folded`, then `.once.onnx`"]>;
defm emit_option : Value<"emit", "FORMAT",
    "what is written: onnx (default), or mlir, the text of the onnx dialect">,
    In<[OnnxFold, OnnxRun, FoldRun], [fold]>,
    TextIn<[ProgramText<OnnxRun, "FORM", "write the program instead of running it: object, shared-library, llvm or mlir (see -o)">,
      ProgramText<FoldRun, "FORM", "print the module and end: mlir (folded) or llvm">]>,
    Member<"OutputFormat", "format", "readFormat", "OutputFormat::Onnx">,
    Row<[
    "`--emit=onnx`, `mlir` | `mlir` writes text of the onnx dialect, which fold-opt reads, to standard output unless `-o` is given | `onnx`"]>;
defm external_data : OptionalValue<"external-data", "FILE",
    "move tensors of 1024 bytes or more to a data file beside the output (default: its name and .data); FILE,shard=SIZE: to files of at most that size; threshold=SIZE: other than 1024 bytes; align=SIZE: to multiples of that size (default 64K)">,
    In<[OnnxFold], [fold, cut]>,
    Flags<[Common]>,
    Brief<"move weights to a file (default: OUTPUT.data)">,
    Reads<"readExternalData(options, given)">,
    Python<"bool | str | None">,
    PythonForm<"external">,
    Example<"external_data=\"w.bin,shard=2G\"">,
    PythonText<"new data file; False: all into the model file; None: not moved; \"name,shard=2G\": in parts">,
    Row<[
    "`--external-data` | moves tensors of 1024 bytes or more to `OUTPUT.data` (`OUTPUT_data` if the input's data is called `*.onnx_data`), smaller ones into the model file | each tensor is kept where it is",
    "`--external-data=FILE` | the same with another name, relative to the output's folder and below it |",
    "`--external-data=FILE,shard=SIZE,threshold=SIZE,align=SIZE` | any of these: the most bytes of a data file (`FILE`, `FILE_1` ...), the smallest tensor that is moved, and a power of two, at multiples of which tensors begin ([how-to.md](how-to.md#data-files-in-parts)) | one file, `threshold=1024`, `align=64K`"]>;
def inline_data : Switch<"inline-data",
                "move external data into the model file">,
    In<[OnnxFold], [fold, cut]>,
    Reads<"readInline(options, given)">,
    Row<[
    "`--inline-data` | moves all tensors into the model file, which must be below 2 GB |"]>;
def keep_data_files : Switch<"keep-data-files",
    "copy the data files that an output in another folder needs as they are, also what it does not refer to">,
    In<[OnnxFold], [fold, cut]>,
    Member<"bool", "keepsDataFiles", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"keep_data_files=True">,
    Row<[
    "`--keep-data-files` | an output in another folder gets whole copies of the input's data files ([how-to.md](how-to.md#place-weights-external-data)) | what it refers to"]>;
defm data_root : Value<"data-root", "DIR",
    "another folder that may hold external data, also through links; may be repeated">,
    In<[OnnxFold], [fold, cut, diff, compare, stats]>,
    Flags<[Repeatable]>,
    Member<"std::vector<std::string>", "dataRoots", "readEach">,
    Python<"Paths", "()">,
    Example<"data_root=\"/models/shared\"">,
    Row<[
    "`--data-root=DIR` | external data of the input may also be below `DIR`, also through links in the model's folder; may be repeated |"]>;
defm folder : Value<"folder", "DIR",
    "of a model on standard input: the folder of its external data; a result on standard output refers to it">,
    In<[OnnxFold], [fold, cut, stats]>,
    Flags<[OneModel]>,
    Member<"std::string", "streamFolder", "readText">,
    PythonOfFold<"str | os.PathLike[str] | None">,
    Example<"folder=\"models/large\"">,
    PythonText<"of a model in memory: the folder of its external data">,
    Row<[
    "`--folder=DIR` | of a model on standard input: the folder of its external data; a result on standard output refers to the data there |"]>;
def sync : Switch<"sync",
                "wait until the output is on the disk, also if it is a new file">,
    In<[OnnxFold], [fold, cut]>,
    Member<"bool", "sync", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"sync=True">,
    Row<[
    "`--sync` | the output is on disk before exit 0, as it always is if it replaces a file |"]>;
}

let Group = inputs in {
defm input_shape : Value<"input-shape", "NAME:SIZES",
    "fix the shape of an input (such as x:1,3,?,224; ? leaves a dimension as it is); may be repeated">,
    In<[OnnxFold, OnnxToDml, DmlToOnnx], [fold, diff, compare, stats]>,
    TextIn<[ProgramText<DmlToOnnx, "NAME:ROWS,COLUMNS", "fix the size of an input, ? leaves one open; may be repeated">]>,
    Flags<[Common, Repeatable]>,
    Reads<"options.fixed.addShape(given.value)">,
    Python<"Sizes | None">,
    PythonName<"input_shapes">,
    PythonForm<"sizes">,
    Example<"input_shapes={\"x\": [1, 3, None, None]}">,
    PythonText<"shapes of inputs; None leaves a dimension as it is">,
    Row<[
    "`--input-shape=NAME:SIZES` | the shape of an input; `?` leaves a dimension as it is, open or fixed; may be repeated | `--input-shape=pixel_values:1,3,224,224`"]>;
defm batch : Value<"batch", "open[:NAME]",
    "make the fixed dimension 0 of the inputs open; its name is batch if none is given; an error names the node that would not compute each sample for itself">,
    In<[OnnxFold, OnnxToDml], [fold]>,
    TextIn<[ProgramText<OnnxToDml, "N", "run N samples at a time, for models whose dimension 0 is a batch">]>,
    Member<"std::string", "batch", "readBatch">,
    Python<"str | None">,
    Example<"batch=\"open\"">,
    Row<[
    "`--batch=open`, `--batch=open:NAME` | the fixed size of dimension 0 of the inputs becomes open, if every node computes each sample for itself ([how-to.md](how-to.md#open-the-batch-of-a-model)) | `--batch=open:n`"]>;
defm dim : Value<"dim", "NAME:SIZE",
    "fix all dimensions of this name; may be repeated">,
    In<[OnnxFold, OnnxToDml], [fold, diff, compare, stats]>,
    Flags<[Common, Repeatable]>,
    Reads<"options.fixed.addDimension(given.value)">,
    Python<"Mapping[str, int] | None">,
    PythonName<"dims">,
    PythonForm<"dimensions">,
    Example<"dims={\"batch\": 1}">,
    PythonText<"sizes of dimensions by name, in all inputs">,
    Row<[
    "`--dim=NAME:SIZE` | the size of all dimensions of this name, in all inputs; may be repeated | `--dim=batch:1`"]>;
defm bind : Value<"bind", "NAME=VALUE",
    "fix an input to a value, or to that of FILE.npy; without a value, a glob: fix inputs to their initializers; may be repeated">,
    In<[OnnxFold, OnnxToDml, DmlToOnnx], [fold, diff, compare, stats]>,
    TextIn<[ProgramText<OnnxToDml, "NAME=VALUE", "fix the value of an input: numbers, or a .npy file; may be repeated">,
      ProgramText<DmlToOnnx, "NAME=VALUE", "a scalar parameter of the function, or $name of the script; may be repeated">]>,
    Flags<[Common, Repeatable]>,
    Reads<"options.fixed.addValue(given.value)">,
    PythonOfFold<"Mapping[str, Any] | None">,
    Example<"bind={\"use_cache\": False, \"mask\": array}">,
    PythonText<"values of inputs, which are removed from the inputs; None: the value of its initializer">,
    Row<[
    "`--bind=NAME=VALUE` | the value of an input: a number, a list `1,2,3` (rank 1), `true`, `false`, or a text for an input of strings; may be repeated | `--bind=use_cache=false`",
    "`--bind=NAME=FILE.npy` | the same from a file of `numpy.save`, of the input's element type | `--bind=mask=mask.npy`",
    "`--bind=GLOB` | inputs that match and have an initializer, which from IR version 4 on a caller may override, get the value of that; may be repeated | `--bind='*'`"]>;
defm cut_outputs : Value<"outputs", "NAME,...",
    "cut the model here: these values, which may be inner ones, are its outputs, and nodes that they do not need are removed; may be repeated">,
    In<[OnnxFold], [fold, cut, compare]>,
    Flags<[Repeatable]>,
    Reads<"readEach(options.cut.outputs, given)", "isGiven(options.cut.outputs)">,
    Python<"Names", "()">,
    Example<"outputs=\"hidden\"">,
    Row<[
    "`--outputs=NAME,...` | the outputs, in this order: any values of the main graph. Nodes that they do not need are removed ([how-to.md](how-to.md#cut-out-a-part)); may be repeated | `--outputs=last_hidden_state`"]>;
defm cut_inputs : Value<"inputs", "NAME,...",
    "cut the model here: these values, which may be inner ones, are its inputs; may be repeated; reduce: FILE.npz, the values of the inputs">,
    In<[OnnxFold], [fold, cut, compare, reduce]>,
    Flags<[Repeatable]>,
    Reads<"readEach(options.cut.inputs, given)", "isGiven(options.cut.inputs)">,
    Python<"Names", "()">,
    Example<"inputs=[\"x\", \"mask\"]">,
    Row<[
    "`--inputs=NAME,...` | the inputs, in this order: any values of the main graph. Nodes that compute them are removed; may be repeated | `--inputs=hidden,mask`",
    "`--inputs=FILE.npz` | for `onnx-fold reduce`: values of the model's inputs ([reduce.md](reduce.md)) | random values"]>;
defm seed : Value<"seed", "N",
    "of the random inputs (default 20261121)">,
    In<[OnnxFold], [reduce]>,
    Row<[
    "`--seed=N` | of the random inputs | `20261121`"]>;
}

let Group = changes in {
def level : Joined<["-"], "O", [fold]>, MetaVarName<"<N>">,
    HelpText<"level of rewrites: 0, 1 (default) or 2; 0: constants are folded only; 1: also exact rewrites; 2: also rewrites that change floats within a bound">,
    In<[OnnxFold], [fold, compare]>,
    Flags<[Common]>,
    Member<"int", "level", "readLevel", "1">,
    ApiName<"level">,
    Python<"int", "1">,
    Example<"level=2">,
    PythonForm<"level">,
    Row<[
    "`-O0`, `-O1`, `-O2` | `-O0` folds constants only; `-O1` (default) also applies the exact rewrites, `-O2` also those that change floats within a bound ([rewrites.md](rewrites.md))"]>;
defm disable : Value<"disable", "NAME,...",
    "do not apply this rewrite (see --list-patterns); may be repeated">,
    Flags<[Repeatable]>,
    Member<"llvm::StringSet<>", "disabled", "readNames">,
    Python<"Names", "()">,
    Example<"disable=[\"identity\", \"gelu\"]">,
    Row<[
    "`--disable=NAME,...` | leaves out rewrites; may be repeated"]>;
defm rules : Value<"rules", "FILE",
    "apply the rewrites that this text states, each of which is proved first; or fusions or decompose, which are built in; may be repeated">,
    Flags<[Repeatable]>,
    Member<"std::vector<std::string>", "rules", "readEach">,
    Python<"Paths", "()">,
    Example<"rules=[\"mine.rules\"]">,
    Row<[
    "`--rules=FILE` | applies the rewrites of a text as well ([rules.md](rules.md)); `fusions` and `decompose` are built in; may be repeated"]>;
def trust_rules : Switch<"trust-rules",
    "do not prove the rules of --rules">,
    Member<"bool", "trustRules", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"trust_rules=True">,
    Row<[
    "`--trust-rules` | uses the rules of `--rules` without the proof that each holds; the report says so"]>;
def list_patterns : Switch<"list-patterns",
                "print the rewrites by name, and exit">,
    Row<[
    "`--list-patterns` | prints the names that `--disable` takes, and exits ([rewrites.md](rewrites.md))"]>;
defm unroll : Value<"unroll", "N",
    "unroll loops with a known trip count of at most N (default: none)">,
    Member<"uint64_t", "mostUnrolled", "readNumber", "0">,
    Python<"int | None">,
    Example<"unroll=16">,
    Row<[
    "`--unroll=N` | unrolls loops with a known trip count of at most N"]>;
defm inline_functions : OptionalValue<"inline-functions", "GLOB",
    "replace calls of functions of the model that match (by name, or DOMAIN:NAME; without a name: all) by their bodies; may be repeated">,
    Flags<[Repeatable]>,
    Member<"std::vector<std::string>", "inlineFunctions", "readGlobs">,
    Python<"bool | Names", "False">,
    Example<"inline_functions=True">,
    PythonForm<"runOnce">,
    PythonText<"replace calls of functions of the model that match (by name, or DOMAIN:NAME) by their bodies; True: all">,
    Row<[
    "`--inline-functions=GLOB` | replaces calls of the functions of the model that match, by name or `DOMAIN:NAME`, by their bodies ([rewrites.md](rewrites.md#functions)); may be repeated",
    "`--inline-functions` | the same for all functions"]>;
defm only : Value<"only", "GLOB",
    "change only nodes that match (by name, op:TYPE or domain:NAME); may be repeated">,
    Flags<[Common, Repeatable]>,
    Member<"std::vector<std::string>", "only", "readEach">,
    Python<"Names", "()">,
    Example<"only=\"op:Shape\"">,
    Row<[
    "`--only=GLOB` | changes only nodes that match; may be repeated. A pattern that matches no node is a warning, with near names"]>;
defm skip : Value<"skip", "GLOB",
    "do not change nodes that match; wins over --only; may be repeated">,
    Flags<[Common, Repeatable]>,
    Member<"std::vector<std::string>", "skip", "readEach">,
    Python<"Names", "()">,
    Example<"skip=[\"head/*\"]">,
    Row<[
    "`--skip=GLOB` | does not change nodes that match; may be repeated, and wins over `--only`; else as that"]>;
defm fold_quantization : OptionalValue<"fold-quantization", "none|weights|compute|all",
    "which QuantizeLinear and DequantizeLinear fold: compute (default): those that only constants are computed from, so that weights are kept compact; weights: QuantizeLinear only; all; none">,
    Member<"FoldQuantization", "quantization", "readQuantization", "FoldQuantization::Compute">,
    Python<"bool | Literal[\"none\", \"weights\", \"compute\", \"all\"] | None">,
    Example<"fold_quantization=\"weights\"">,
    PythonForm<"quantization">,
    Values<"none,weights,compute,all">,
    Row<[
    "`--fold-quantization=compute` | (default) folds QuantizeLinear and DequantizeLinear where only constants are computed from the result, and weights are kept compact ([how-to.md](how-to.md#fold-quantisation))",
    "`--fold-quantization=none` | folds neither",
    "`--fold-quantization=weights` | folds QuantizeLinear of constants",
    "`--fold-quantization`, `--fold-quantization=all` | folds both"]>;
defm schemas : Value<"schemas", "FILE",
    "types and shapes of operators outside the standard (JSON), or a model whose functions compute them; may be repeated">,
    In<[OnnxFold], [fold, stats]>,
    Flags<[Repeatable]>,
    Member<"std::vector<std::string>", "schemas", "readEach">,
    Python<"Paths", "()">,
    Example<"schemas=[\"acme.json\"]">,
    Row<[
    "`--schemas=FILE` | types and shapes of operators outside the standard, or a model whose functions compute them ([schemas.md](schemas.md)); may be repeated"]>;
defm precision : Value<"precision", "exact|wide",
    "exact (default): round floats to their type after each operator; wide: keep doubles between operators, and round new constants">,
    Member<"Precision", "precision", "readPrecision", "Precision::Exact">,
    Python<"Literal[\"exact\", \"wide\"]", "\"exact\"">,
    Example<"precision=\"wide\"">,
    Values<"exact,wide">,
    Row<[
    "`--precision=exact`, `wide` | `exact` (default) rounds floats to their type after each operator; `wide` keeps them in double between operators ([how-to.md](how-to.md#compute-in-double-precision))"]>;
defm keep_initializer : Value<"keep-initializer", "GLOB",
    "keep initializers that match, and all nodes that depend on them: a caller may replace them; may be repeated">,
    Flags<[Repeatable]>,
    Member<"std::vector<std::string>", "keepInitializers", "readEach">,
    Python<"Names", "()">,
    PythonName<"keep_initializers">,
    Example<"keep_initializers=\"lora_*\"">,
    Row<[
    "`--keep-initializer=GLOB` | initializers of the main graph that match keep name, value and place, and nodes that depend on them do not fold ([how-to.md](how-to.md#keep-weights-that-will-be-replaced)); may be repeated"]>;
defm run_once : OptionalValue<"run-once", "GLOB",
    "move nodes that depend only on constants and on the inputs and initializers that match (without a name: nodes that the limit on growth kept) to a second model, which is to be run once; may be repeated">,
    Flags<[Repeatable]>,
    Reads<"readRunOnce(options.runOnce, given)", "options.runOnce.isGiven()">,
    Python<"bool | Names", "False">,
    Example<"run_once=\"lora_*\"">,
    PythonForm<"runOnce">,
    PythonText<"move nodes that depend only on constants and on inputs and initializers that match to a second model; True: nodes that the limit on growth kept">,
    Row<[
    "`--run-once=GLOB` | moves nodes that depend only on constants and on the inputs and initializers that match to `model.once.onnx`, whose outputs are inputs of `model.folded.onnx` ([how-to.md](how-to.md#compute-once-what-is-the-same-in-every-run)); may be repeated",
    "`--run-once` | the same for nodes that the limit on growth kept"]>;
defm target_opset : Value<"target-opset", "N",
    "convert the result to this opset of ai.onnx">,
    In<[OnnxFold, DmlToOnnx], [fold]>,
    TextIn<[ProgramText<DmlToOnnx, "N", "version of ai.onnx, from 16 (default: 21)">]>,
    Flags<[Common]>,
    Member<"int64_t", "targetOpset", "readPositive", "0">,
    Python<"int | None">,
    Example<"target_opset=21">,
    Row<[
    "`--target-opset=N` | converts the result to opset N of ai.onnx, after folding ([how-to.md](how-to.md#convert-to-another-opset))"]>;
defm ir_version : Value<"ir-version", "N",
    "write the result for this IR version: what it cannot hold is an error; from 4 on, inputs of older models that are initializers are no inputs any more">,
    Member<"int64_t", "irVersion", "readPositive", "0">,
    Python<"int | None">,
    Example<"ir_version=8">,
    Row<[
    "`--ir-version=N` | the IR version of the result, later or earlier ([how-to.md](how-to.md#write-for-another-ir-version))"]>;
defm convert : Value<"convert", "FROM:TO,...",
    "convert element types, after folding: f32:f16, f32:bf16, f16:f32, f64:f32, i64:i32 and other pairs of floats or of integers; FROM:TO=saturate for numbers out of range; may be repeated">,
    Flags<[Repeatable, Common]>,
    Brief<"convert element types, such as f32:f16">,
    Member<"std::vector<std::string>", "convert", "readEach">,
    Python<"Names", "()">,
    Example<"convert=\"f32:f16\"">,
    Row<[
    "`--convert=FROM:TO,...` | converts element types of weights, attributes, values and bodies, after folding ([how-to.md](how-to.md#convert-element-types)): floats (`f16`, `bf16`, `f32`, `f64`) to floats, integers (`i8` to `i64`, `u8` to `u64`) to integers. What cannot be converted stays; `=saturate` (`f32:f16=saturate`) clips constants that are out of range, and converts all integers; may be repeated"]>;
def convert_io : Switch<"convert-io",
                "--convert changes the types of inputs and outputs too">,
    Member<"bool", "convertsInterface", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"convert_io=True">,
    Row<[
    "`--convert-io` | `--convert` changes the types of inputs and outputs too"]>;
defm convert_skip : Value<"convert-skip", "GLOB",
    "nodes that --convert leaves as they are, as --skip names them; may be repeated">,
    Flags<[Repeatable]>,
    Member<"std::vector<std::string>", "convertSkip", "readEach">,
    Python<"Names", "()">,
    Example<"convert_skip=\"op:Softmax\"">,
    Row<[
    "`--convert-skip=GLOB`, `op:TYPE`, `domain:NAME` | nodes that `--convert` leaves as they are, with Casts around them; may be repeated"]>;
def compact_constants : Switch<"compact-constants",
    "constants that are uniform, ranges, broadcasts or repetitions become nodes that compute them from small ones, bit by bit">,
    Member<"bool", "compactConstants", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"compact_constants=True">,
    Row<[
    "`--compact-constants` | constants that are uniform, ranges, broadcasts or repetitions become nodes of small ones where that saves 1 KB or more ([how-to.md](how-to.md#store-repeated-values-once))"]>;
def shapes : Switch<"shapes",
                "also write the inferred types of all values (value_info)">,
    Member<"bool", "shapes", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"shapes=True">,
    Row<[
    "`--shapes` | also writes the inferred types of all values (`value_info`), those of outputs that state none, and, from IR version 10 on and not with `-O0`, those in functions"]>;
def inputs_without_initializers : Switch<"inputs-without-initializers",
                "inputs that have an initializer are no inputs any more: nobody can give them another value, so they fold">,
    Member<"bool", "inputsWithoutInitializers", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"inputs_without_initializers=True">,
    Row<[
    "`--inputs-without-initializers` | weights leave the inputs of the model and become constants ([how-to.md](how-to.md#clean-on-demand)); before IR version 4 together with `--ir-version`"]>;
defm constants : Value<"constants", "initializers|nodes",
    "initializers: Constant nodes become initializers; nodes: initializers become Constant nodes">,
    Member<"ConstantForm", "constants", "readConstantForm", "ConstantForm::Keep">,
    Python<"Literal[\"initializers\", \"nodes\"] | None">,
    Example<"constants=\"initializers\"">,
    Values<"initializers,nodes">,
    Row<[
    "`--constants=initializers` | Constant nodes become initializers, in bodies too; functions have none ([how-to.md](how-to.md#clean-on-demand))",
    "`--constants=nodes` | initializers become Constant nodes, and so do new constants"]>;
defm strip : Value<"strip", "KIND,...",
    "leave out, wherever it stands: metadata (metadata_props), docs (doc_string), names (of nodes), types (value_info), stack-traces (the entries that exporters of torch write); may be repeated">,
    Flags<[Repeatable]>,
    Member<"llvm::StringSet<>", "stripped", "readNames">,
    Python<"Names", "()">,
    Example<"strip=[\"docs\", \"metadata\"]">,
    Row<[
    "`--strip=KIND,...` | leaves out `metadata`, `docs`, `names` (of nodes), `types` (`value_info`) or `stack-traces`, in graphs, bodies and functions ([how-to.md](how-to.md#clean-on-demand)); may be repeated"]>;
def sort : Switch<"sort",
                "write nodes behind those whose results they read, in graphs where they are not; others keep their places">,
    Member<"bool", "sort", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"sort=True">,
    Row<[
    "`--sort` | graphs, bodies and functions whose nodes are in no topological order get one; nodes keep their order otherwise"]>;
def prune : Switch<"prune",
                "leave out functions that nothing calls, imports of operator sets without nodes, and initializers that nothing reads, also with -O0, --only and --skip">,
    Member<"bool", "prune", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"prune=True">,
    Row<[
    "`--prune` | leaves out functions, imports of operator sets and initializers that nothing uses, which `-O1` does by itself where nothing is filtered"]>;
def strict : Switch<"strict",
                "a type in the model that contradicts the inferred one is an error">,
    Member<"bool", "strict", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"strict=True">,
    Row<[
    "`--strict` | a type in the model that contradicts the inferred one is an error"]>;
defm test_command : Value<"test", "COMMAND",
    "a command of the shell that exits with 0 if the model {} is interesting ({inputs}: a .npz file with its inputs); or crash:ort, differs:ort, differs:OTHER.onnx, verify, folds:NODE, kept:NODE">,
    In<[OnnxFold], [reduce]>, Flags<[Common]>,
    Row<[
    "`--test=COMMAND` | a command of the shell. `{}` is the file of a candidate, `{inputs}` a `.npz` file with its inputs. Exit status 0: it is interesting, and becomes the best so far",
    "`--test=crash:ort` | onnxruntime (in Python) fails as it does for the original: by the same signal, or with the same message but for names and numbers",
    "`--test=differs:ort` | onnxruntime's results differ between all of its optimisations and none",
    "`--test=differs:OTHER.onnx` | results differ from those of the other model, cut at values of the same names",
    "`--test=verify` | `onnx-fold --verify` finds a difference",
    "`--test=folds:NODE`, `kept:NODE` | onnx-fold folds or keeps the node of this name, or with an output of it"]>;
def anonymise : Switch<"anonymise",
    "replace names, texts and weights as far as the model stays interesting, so that it can be published">,
    In<[OnnxFold], [reduce]>, Flags<[Common]>,
    Row<[
    "`--anonymise` | names, texts and weights are replaced as far as the model stays interesting; what is left is a warning"]>;
}

let Group = limits in {
defm max_growth : Value<"max-growth", "SIZE",
    "bytes that the model may grow by: a size, N% or unlimited (default: the larger of 1M and 1%)">,
    Flags<[Common]>,
    Brief<"bytes that the model may grow by (default: 1M or 1%)">,
    Member<"GrowthLimit", "maxGrowth", "readGrowth">,
    Python<"Size | None">,
    PythonForm<"growth">,
    Example<"max_growth=\"10%\"">,
    Row<[
    "`--max-growth=SIZE`, `N%`, `unlimited` | how much the model may grow in all: bytes of constants that folding adds, minus those of constants that it erases | the larger of `1M` and `1%`"]>;
defm max_result : Value<"max-result", "SIZE",
    "keep nodes with larger results (default 1G)">,
    Reads<"readBytes(options.limits.maxResultBytes, given)">,
    Python<"Size | None">,
    Example<"max_result=\"100M\"">,
    Row<[
    "`--max-result=SIZE` | the largest result of a node | `1G`"]>;
defm max_work : Value<"max-work", "N",
    "keep nodes that take more work, in units of about 0.1 ns (default 10^11)">,
    Reads<"readNumber(options.limits.maxWork, given)">,
    Python<"int | None">,
    Example<"max_work=10**9">,
    Row<[
    "`--max-work=N` | the most work of a node | 100000000000"]>;
defm max_trip_count : Value<"max-trip-count", "N",
    "keep loops with more iterations (default 10000)">,
    Reads<"readNumber(options.limits.maxTripCount, given)">,
    Python<"int | None">,
    Example<"max_trip_count=100">,
    Row<[
    "`--max-trip-count=N` | the most iterations of a loop, including those of loops in its body | 10000"]>;
defm max_time : Value<"max-time", "SECONDS",
    "keep the nodes that are not folded after so many seconds (default: none); reduce: end, with the best so far">,
    In<[OnnxFold], [fold, reduce]>,
    Member<"std::optional<double>", "maxSeconds", "readSeconds", "std::nullopt">,
    Python<"float | None">,
    Example<"max_time=60">,
    Row<[
    "`--max-time=SECONDS` | after so many seconds no more nodes are computed. The current node is finished, and the values found so far are written; `--verify` takes its own time | none"]>;
defm max_memory : Value<"max-memory", "SIZE",
    "keep nodes for which the process would need more memory (default: none)">,
    Member<"std::optional<uint64_t>", "maxMemory", "readBytes", "std::nullopt">,
    Python<"Size | None">,
    Example<"max_memory=\"8G\"">,
    Row<[
    "`--max-memory=SIZE` | a node is kept if its result would not fit beside the memory that the process uses by then | none: results are kept in a file where memory is short ([Temporary space](#files))"]>;
defm max_runs : Value<"max-runs", "N",
    "end after so many runs of the test, with the best so far (default: none)">,
    In<[OnnxFold], [reduce]>, Flags<[Common]>,
    Row<[
    "`--max-runs=N` | after so many runs of the test (three of the original among them) the best so far is the result. The same command goes on later ([reduce.md](reduce.md#stop-and-go-on)) | none",
    "`--max-time=SECONDS` | the same after so many seconds | none"]>;
defm repeat : Value<"repeat", "N",
    "run the test up to N times; a model is interesting if one of them says so (default 1)">,
    In<[OnnxFold], [reduce]>, Flags<[Common]>,
    Row<[
    "`--repeat=N` | for faults that come and go: a candidate is interesting if one of N runs says so | `1`"]>;
}

let Group = earlier in {
defm cache : Value<"cache", "DIR",
    "keep results in this folder, and reuse those of earlier runs whose operands have not changed; created if missing">,
    In<[OnnxFold, OnnxRun], [fold]>,
    TextIn<[ProgramText<OnnxRun, "DIR", "where objects are cached (default: onnx-run in $XDG_CACHE_HOME or ~/.cache)">]>,
    Member<"std::string", "cacheFolder", "readFolder">,
    Python<"str | os.PathLike[str] | None">,
    Example<"cache=\"folded-values\"">,
    Row<[
    "`--cache=DIR` | values that take longer to compute than to read are kept in this folder, which is created, for later runs ([how-to.md](how-to.md#fold-again-after-a-change)). The output has the same bytes as without; `--check` does not use it | none"]>;
defm cache_size : Value<"cache-size", "SIZE",
    "largest size of --cache; beyond it the least recently used results are erased (default 10G)">,
    Member<"uint64_t", "cacheBytes", "readBytes", "uint64_t(10) << 30">,
    Python<"Size | None">,
    Example<"cache_size=\"2G\"">,
    Row<[
    "`--cache-size=SIZE` | the most bytes of its files: the least recently used values are erased; without `--cache` it has no effect | `10G`"]>;
}

let Group = printing in {
defm report_option : OptionalValue<"report", "FORMAT[:FILE]",
    "the outcome of every node, and why (text or json, to standard error or to FILE; html:FILE, a page; model-explorer:FILE, node data for Model Explorer)">,
    In<[OnnxFold], [fold, diff, compare, stats, report]>,
    Flags<[Common]>,
    Reads<"readReport(options, given)">,
    Row<[
    "`--report`, `--report=text` | the outcome of every node, and the time of each step, to standard error",
    "`--report=json` | the same for programs ([report.md](report.md))",
    "`--report=text:FILE`, `--report=json:FILE` | to a file",
    "`--report=html:FILE` | a page to look at ([report.md](report.md#the-page))",
    "`--report=model-explorer:FILE` | node data for Google's Model Explorer ([report.md](report.md#model-explorer))"]>;
def provenance : Switch<"provenance",
                "record in the metadata of each new constant which node it replaces and which constants it was computed from">,
    Member<"bool", "provenance", "readSwitch", "false">,
    Python<"bool", "False">,
    Example<"provenance=True">,
    Row<[
    [{`--provenance` | records in the metadata of each new constant which node it replaces and which constants (at most 16) it was computed from: `metadata_props["onnx-fold.from"]`, as JSON}]]>;
def check_only : Switch<"check",
                "exit 2 if folding would change the model; write nothing">,
    Flags<[Common]>,
    Row<[
    "`--check` | writes no model; exit status 2 if folding would change it"]>;
defm verify : OptionalValue<"verify", "N",
    "compare with the model on N random inputs (default 3); exit 3, and write no output, if they differ, 4 if an output could not be compared">,
    In<[OnnxFold], [fold, compare]>,
    Flags<[Common]>,
    Brief<"run both on N random inputs, and compare (default 3)">,
    Reads<"readVerify(options, given)">,
    PythonOfFold<"bool | int", "False">,
    Example<"verify=10">,
    PythonText<"run the model and the result on 3 or N random inputs; VerificationError if they differ or an output could not be compared">,
    Row<[
    "`--verify`, `--verify=N` | runs the model and the result on N (3) random inputs; no output, and exit status 3, if they differ (4: one could not be compared) ([how-to.md](how-to.md#verify-the-result))"]>;
defm verify_inputs : Value<"verify-inputs", "DIR|FILE.npz",
    "verify on these inputs instead of random ones: .npz, a folder of name.npy, or test data of ONNX (input_0.pb)">,
    In<[OnnxFold], [fold, compare]>,
    Reads<"readVerifyInputs(options, given)">,
    PythonOfFold<"Inputs | None">,
    Example<"verify_inputs={\"x\": array}">,
    PythonText<"verify on these inputs instead: {\"x\": array}, several of these, a folder or a .npz file">,
    Row<[
    "`--verify-inputs=FILE.npz`, `DIR` | verifies on these inputs: a `.npz`, or a folder with files ([how-to.md](how-to.md#verify-the-result)); also for `onnx-fold compare`"]>;
def quiet : Switch<"quiet",
                "print nothing but errors">,
    In<[OnnxFold], [fold, cut, diff, compare, stats, reduce, check_rules]>,
    Flags<[Common]>,
    Row<[
    "`--quiet` | prints errors only, and the report if one is asked for"]>;
def progress : Switch<"progress",
                "show progress also if standard error is not a terminal or the work is short">,
    In<[OnnxFold], [fold, cut, diff, compare, reduce]>,
    Row<[
    "`--progress` | shows evaluated nodes, then written bytes, on standard error. Without the option, progress is shown only on a terminal, after a second"]>;
defm messages : Value<"messages", "text|json",
    "form of standard error: text (default), or json: one object a line, the report among them">,
    In<[OnnxFold], [fold, cut, diff, compare, stats, reduce, report, check_rules]>,
    Values<"text,json">,
    Row<[
    "`--messages=text`, `json` | `json`: standard error has one JSON object a line and nothing else, the report among them ([report.md](report.md#messages))"]>;
defm confirm : Value<"confirm", "FD",
    "for programs that call this one: with --messages=json, files get their names when a byte comes on this descriptor; its end cancels the run">,
    In<[OnnxFold], [fold, cut]>,
    Flags<[OneModel]>,
    Row<[
    "`--confirm=FD` | for programs that call this one: files get their names when a byte comes on the descriptor `FD`, whose end cancels the run ([report.md](report.md#messages))"]>;
defm threads : Value<"threads", "N",
    "threads to use (default: one per processor)">,
    In<[OnnxFold], [fold, cut, diff, compare, stats, reduce]>,
    Member<"unsigned", "threads", "readNumber", "0">,
    Python<"int", "0">,
    Example<"threads=4">,
    Row<[
    "`--threads=N` | number of threads; 0, the default, is one per processor. The output does not depend on it"]>;
}

//===----------------------------------------------------------------------===//
// onnx-run and fold-run
//===----------------------------------------------------------------------===//

let Group = running in {
defm input : Value<"input", "NAME=FILE",
    "an input: a .npy or .npz file, or a .pb file of ONNX's test data; may be repeated; a .npz file alone (--input all.npz) has inputs by their names">,
    In<[OnnxRun, FoldRun]>, Flags<[Common, Repeatable]>,
    TextIn<[ProgramText<FoldRun, "NUMBER=FILE.npy", "the value of an argument that is no weight; may be repeated">]>;
defm input_dir : Value<"input-dir", "DIR",
    "all inputs: input_0.pb, input_1.pb ... in that folder">, In<[OnnxRun]>, Flags<[Common]>;
defm result_dir : Value<"result-dir", "DIR", "write the results there">,
    In<[OnnxRun]>, Flags<[Common]>;
defm result_format : Value<"result-format", "npy|pb",
    "npy (default): NAME.npy, of a sequence NAME.0.npy, NAME.1.npy ...; pb: output_0.pb ... as ONNX's test data">,
    In<[OnnxRun]>, Flags<[Common]>, Values<"npy,pb">;
defm expected_dir : Value<"expected-dir", "DIR",
    "compare with output_0.pb ... in that folder: floats within 1e-4 of the tensor's largest value; exit status 3 if they differ">,
    In<[OnnxRun]>, Flags<[Common]>;
defm result_file : Value<"output", "FILE.npy",
    "where a result is written; may be repeated, in the order of the results">,
    In<[FoldRun]>, Flags<[Common, Repeatable]>;
def print : Switch<"print",
    "print the results (the default if they are neither written nor compared)">,
    In<[OnnxRun]>, Flags<[Common]>;
defm print_limit : Value<"print-limit", "N",
    "do not print larger tensors than N elements (default: 1000)">,
    In<[OnnxRun, FoldRun]>,
    TextIn<[ProgramText<FoldRun, "N", "do not print larger results than N elements (default: 64)">]>;
defm runs : Value<"runs", "N", "call N times (default: 1), and print the median time">,
    In<[OnnxRun, FoldRun]>, Flags<[Common]>,
    TextIn<[ProgramText<FoldRun, "N", "call N times (default: 1)">]>;
def time : Switch<"time", "print how long calls take">, In<[FoldRun]>, Flags<[Common]>;
def run_stats : Switch<"stats", "print allocations, frees, peak bytes and copies of a run">,
    In<[OnnxRun]>, Flags<[Common]>;
def guard_memory : Switch<"guard-memory",
    "for tests: a wrong access to memory, and a second free, stops the program where it happens">,
    In<[OnnxRun]>;
defm entry : Value<"entry", "NAME", "the function to run">, In<[FoldRun]>, Flags<[Common]>;
defm weight : Value<"weight", "NUMBER=FILE.npy",
    "the value of a constant argument; may be repeated">,
    In<[FoldRun]>, Flags<[Common, Repeatable]>;
defm test_folders : Value<"test-folders", "FILE",
    "run each folder named in a file (- is standard input) as a test of ONNX: model.onnx on test_data_set_*; a line for each">,
    In<[OnnxRun]>;
}

let Group = compiling in {
def no_buffer_reuse : Switch<"no-buffer-reuse",
    "allocate each buffer, and free it after its last use">, In<[OnnxRun]>;
def upstream_deallocation : Switch<"upstream-deallocation",
    "MLIR's own passes free buffers, not those of this project">, In<[OnnxRun]>;
def no_fold : Switch<"no-fold", "compile the model as it is">, In<[OnnxRun]>, Flags<[Common]>;
def fix_shapes : Switch<"fix-shapes",
    "compile for the shapes of these inputs: fewer allocations">, In<[OnnxRun]>;
defm llvm_level : Value<"llvm-level", "0|1|2|3", "LLVM's optimisation level (default: 2)">,
    In<[OnnxRun, FoldRun]>, Flags<[Common]>, Values<"0,1,2,3">;
def no_cache : Switch<"no-cache", "neither read nor write cached objects">,
    In<[OnnxRun]>, Flags<[Common]>;
defm mode : Value<"mode", "runtime|compiletime|both",
    "when constants are folded (default: runtime)">,
    In<[FoldRun]>, Flags<[Common]>, Values<"runtime,compiletime,both">;
defm pass_pipeline : Value<"pass-pipeline", "PASSES",
    "the passes that fold, in place of those of --mode">, In<[FoldRun]>, Flags<[Common]>;
}

//===----------------------------------------------------------------------===//
// onnx-to-dml and dml-to-onnx
//===----------------------------------------------------------------------===//

let Group = changes in {
def library : Switch<"library",
    "functions only, for source() and SystemDS's Python loader">, In<[OnnxToDml]>, Flags<[Common]>;
defm weights : Value<"weights", "binary|csv",
    "format of the weights: binary (default), the blocks of SystemDS, or csv">,
    In<[OnnxToDml]>, Flags<[Common]>, Values<"binary,csv">;
defm interface : Value<"interface", "FILE",
    "write inputs, outputs and their parameters as JSON, for programs that call the script">,
    In<[OnnxToDml]>, Flags<[Common]>;
defm function : Value<"function", "NAME",
    "one of the script's functions: its parameters are inputs, its results outputs">,
    In<[DmlToOnnx]>, Flags<[Common]>;
defm type : Value<"type", "float64|float32", "type of all numbers (default: float64)">,
    In<[DmlToOnnx]>, Flags<[Common]>, Values<"float64,float32">;
defm scripts : Value<"scripts", "JAR|DIR",
    "where SystemDS's own scripts are, its jar or a folder with nn and builtin: functions that are written in DML">,
    In<[DmlToOnnx]>, Flags<[Common]>;
def random : Switch<"random",
    "let results depend on random numbers that no known seed gives; each run of the model draws others">,
    In<[DmlToOnnx]>, Flags<[Common]>;
}

//===----------------------------------------------------------------------===//
// What excludes what
//===----------------------------------------------------------------------===//

def : Excludes<external_data, inline_data>;
def : Excludes<keep_data_files, external_data>;
def : Excludes<keep_data_files, inline_data>;
def : Excludes<in_place, output>;
def : Excludes<in_place, output_dir>;
def : Excludes<in_place, beside>;
def : Excludes<beside, output_dir>;
def : Excludes<in_place, run_once, "the two models could not be replaced together">;
def : ExcludesValue<in_place, emit_option, "mlir", "--emit=onnx", "options.format == OutputFormat::Mlir">;
def : ExcludesValue<unroll, level, "0", "-O1 or -O2", "options.level == 0">;
def : ExcludesValue<inline_functions, level, "0", "-O1 or -O2", "options.level == 0">;
def : Needs<once_output, run_once>;
def : Needs<trust_rules, rules>;
def : ExcludesValue<rules, level, "0", "-O1 or -O2", "options.level == 0">;
def : Needs<confirm, messages>;
def : Needs<convert_io, convert>;
def : Needs<convert_skip, convert>;
def : Excludes<ir_version, run_once, "the once model would need a version of its own">;
def : Excludes<run_once, keep_initializer, "what --run-once names does not fold either">;
def : Excludes<run_once, target_opset>;
def : Excludes<run_once, convert>;
def : Excludes<run_once, compact_constants>;
def : ExcludesValue<shapes, strip, "types", "one of them", "options.stripped.contains(\"types\")">;
def : Excludes<run_once, batch, "the once model would need an interface of its own">;
def : ExcludesValue<run_once, emit_option, "mlir", "--emit=onnx", "options.format == OutputFormat::Mlir">;
def : Excludes<input, input_dir>;
def : Excludes<batch, library, "it needs the main part of the script">;

//===----------------------------------------------------------------------===//
// Options of onnxsim and OnnxSlim, and what people guess
//===----------------------------------------------------------------------===//

def : Elsewhere<"--output", "-o FILE">;
def : Elsewhere<"--out", "-o FILE">;
def : Elsewhere<"--overwrite-input-shape", "--input-shape=NAME:SIZES">;
def : Elsewhere<"--input-shapes", "--input-shape=NAME:SIZES">;
def : Elsewhere<"--test-input-shape", "--input-shape=NAME:SIZES">;
def : Elsewhere<"--skip-optimization", "-O0">;
def : Elsewhere<"--skip-optimizer", "-O0">;
def : Elsewhere<"--skip-fuse-bn", "-O1">;
def : Elsewhere<"--skip-fusion-patterns", "--disable=NAME,...">;
def : Elsewhere<"--save-as-external-data", "--external-data">;
def : Elsewhere<"--no-large-tensor", "--max-result=SIZE">;
def : Elsewhere<"--size-threshold", "--max-result=SIZE">;
def : Elsewhere<"--input-data-path", "--verify-inputs=FILE.npz">;
def : Elsewhere<"--model-check-inputs", "--verify-inputs=FILE.npz">;
def : Elsewhere<"--unused-output", "--outputs=NAME,..., which are kept">;
def : Elsewhere<"--check-n", "--verify=N">;
def : Elsewhere<"--model-check", "--verify">;
def : Elsewhere<"--opset", "--target-opset=N">;
def : Elsewhere<"--dtype", "--convert=f32:f16">;
def : Elsewhere<"--opset-version", "--target-opset=N">;
def : Elsewhere<"--inspect", "--report">;
def : Elsewhere<"--verbose", "--report">;
