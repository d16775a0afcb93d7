# SPDX-License-Identifier: Apache-2.0
"""The arguments of onnx_fold.fold, as the table of options has them (options/Options.td).

Made by tools/options/make_options.py, which a test compares with this file. Not to be edited.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, TypedDict, TypeVar

    from ._fold import Result
    from ._options import Inputs, Names, Paths, Size, Sizes
    from .progress import ProgressArgument

    Model = TypeVar("Model")

    class Options(TypedDict, total=False):
        """The arguments of `fold` that decide about the result."""

        external_data: bool | str | None
        keep_data_files: bool
        data_root: Paths
        sync: bool
        input_shapes: Sizes | None
        batch: str | None
        dims: Mapping[str, int] | None
        outputs: Names
        inputs: Names
        level: int
        disable: Names
        rules: Paths
        trust_rules: bool
        unroll: int | None
        inline_functions: bool | Names
        only: Names
        skip: Names
        fold_quantization: bool | Literal["none", "weights", "compute", "all"] | None
        schemas: Paths
        precision: Literal["exact", "wide"]
        keep_initializers: Names
        run_once: bool | Names
        target_opset: int | None
        ir_version: int | None
        convert: Names
        convert_io: bool
        convert_skip: Names
        compact_constants: bool
        shapes: bool
        inputs_without_initializers: bool
        constants: Literal["initializers", "nodes"] | None
        strip: Names
        sort: bool
        prune: bool
        strict: bool
        max_growth: Size | None
        max_result: Size | None
        max_work: int | None
        max_trip_count: int | None
        max_time: float | None
        max_memory: Size | None
        cache: str | os.PathLike[str] | None
        cache_size: Size | None
        provenance: bool
        threads: int


# Argument: its default, the flag, and the function of _options.py that makes flags of a value.
FLAGS: dict[str, tuple[object, str, str]] = {
    "external_data": (None, "external-data", "external"),
    "keep_data_files": (False, "keep-data-files", "switch"),
    "data_root": ((), "data-root", "names"),
    "sync": (False, "sync", "switch"),
    "input_shapes": (None, "input-shape", "sizes"),
    "batch": (None, "batch", "value"),
    "dims": (None, "dim", "dimensions"),
    "outputs": ((), "outputs", "names"),
    "inputs": ((), "inputs", "names"),
    "level": (1, "O", "level"),
    "disable": ((), "disable", "names"),
    "rules": ((), "rules", "names"),
    "trust_rules": (False, "trust-rules", "switch"),
    "unroll": (None, "unroll", "value"),
    "inline_functions": (False, "inline-functions", "runOnce"),
    "only": ((), "only", "names"),
    "skip": ((), "skip", "names"),
    "fold_quantization": (None, "fold-quantization", "quantization"),
    "schemas": ((), "schemas", "names"),
    "precision": ("exact", "precision", "value"),
    "keep_initializers": ((), "keep-initializer", "names"),
    "run_once": (False, "run-once", "runOnce"),
    "target_opset": (None, "target-opset", "value"),
    "ir_version": (None, "ir-version", "value"),
    "convert": ((), "convert", "names"),
    "convert_io": (False, "convert-io", "switch"),
    "convert_skip": ((), "convert-skip", "names"),
    "compact_constants": (False, "compact-constants", "switch"),
    "shapes": (False, "shapes", "switch"),
    "inputs_without_initializers": (False, "inputs-without-initializers", "switch"),
    "constants": (None, "constants", "value"),
    "strip": ((), "strip", "names"),
    "sort": (False, "sort", "switch"),
    "prune": (False, "prune", "switch"),
    "strict": (False, "strict", "switch"),
    "max_growth": (None, "max-growth", "growth"),
    "max_result": (None, "max-result", "value"),
    "max_work": (None, "max-work", "value"),
    "max_trip_count": (None, "max-trip-count", "value"),
    "max_time": (None, "max-time", "value"),
    "max_memory": (None, "max-memory", "value"),
    "cache": (None, "cache", "value"),
    "cache_size": (None, "cache-size", "value"),
    "provenance": (False, "provenance", "switch"),
    "threads": (0, "threads", "value"),
}


def fold(
    model: Model,
    output: str | os.PathLike[str] | None = None,
    *,
    in_place: bool = False,
    once_output: str | os.PathLike[str] | None = None,
    external_data: bool | str | None = None,
    keep_data_files: bool = False,
    data_root: Paths = (),
    folder: str | os.PathLike[str] | None = None,
    sync: bool = False,
    input_shapes: Sizes | None = None,
    batch: str | None = None,
    dims: Mapping[str, int] | None = None,
    bind: Mapping[str, Any] | None = None,
    outputs: Names = (),
    inputs: Names = (),
    level: int = 1,
    disable: Names = (),
    rules: Paths = (),
    trust_rules: bool = False,
    unroll: int | None = None,
    inline_functions: bool | Names = False,
    only: Names = (),
    skip: Names = (),
    fold_quantization: bool | Literal["none", "weights", "compute", "all"] | None = None,
    schemas: Paths = (),
    precision: Literal["exact", "wide"] = "exact",
    keep_initializers: Names = (),
    run_once: bool | Names = False,
    target_opset: int | None = None,
    ir_version: int | None = None,
    convert: Names = (),
    convert_io: bool = False,
    convert_skip: Names = (),
    compact_constants: bool = False,
    shapes: bool = False,
    inputs_without_initializers: bool = False,
    constants: Literal["initializers", "nodes"] | None = None,
    strip: Names = (),
    sort: bool = False,
    prune: bool = False,
    strict: bool = False,
    max_growth: Size | None = None,
    max_result: Size | None = None,
    max_work: int | None = None,
    max_trip_count: int | None = None,
    max_time: float | None = None,
    max_memory: Size | None = None,
    cache: str | os.PathLike[str] | None = None,
    cache_size: Size | None = None,
    provenance: bool = False,
    verify: bool | int = False,
    verify_inputs: Inputs | None = None,
    threads: int = 0,
    verify_with: Literal["onnx-fold", "onnxruntime"] = "onnx-fold",
    engine: Literal["program", "library"] = "program",
    progress: ProgressArgument = None,
    nodes: bool = True,
) -> Result[Model]:
    """Folds a model, which is not changed.

    A path is written to `output`, else to `model.folded.onnx` beside it. Other models are returned (`.model`), and written to
    `output` if that is given. The arguments have the names and meanings of the options of the tool (docs/reference.md):

        model
            a path, bytes, an open file, an onnx.ModelProto, an onnx_ir.Model or a torch.onnx.ONNXProgram of any
            size
            Example: fold("model.onnx")
        output = None
            the file to write
            Example: fold("model.onnx", "small.onnx")
        in_place = False
            the output replaces the input, when it is complete
            Example: in_place=True
        once_output = None
            file of the second model of run_once
            Example: once_output="weights.once.onnx"
        external_data = None
            new data file; False: all into the model file; None: not moved; "name,shard=2G": in parts
            Example: external_data="w.bin,shard=2G"
        keep_data_files = False
            copy the data files that an output in another folder needs as they are, also what it does not refer
            to
            Example: keep_data_files=True
        data_root = ()
            another folder that may hold external data, also through links
            Example: data_root="/models/shared"
        folder = None
            of a model in memory: the folder of its external data
            Example: folder="models/large"
        sync = False
            wait until the output is on the disk, also if it is a new file
            Example: sync=True
        input_shapes = None
            shapes of inputs; None leaves a dimension as it is
            Example: input_shapes={"x": [1, 3, None, None]}
        batch = None
            make the fixed dimension 0 of the inputs open; its name is batch if none is given; an error names
            the node that would not compute each sample for itself
            Example: batch="open"
        dims = None
            sizes of dimensions by name, in all inputs
            Example: dims={"batch": 1}
        bind = None
            values of inputs, which are removed from the inputs; None: the value of its initializer
            Example: bind={"use_cache": False, "mask": array}
        outputs = ()
            cut the model here: these values, which may be inner ones, are its outputs, and nodes that they do
            not need are removed
            Example: outputs="hidden"
        inputs = ()
            cut the model here: these values, which may be inner ones, are its inputs; may be repeated; reduce:
            FILE.npz, the values of the inputs
            Example: inputs=["x", "mask"]
        level = 1
            level of rewrites: 0, 1 (default) or 2; 0: constants are folded only; 1: also exact rewrites; 2:
            also rewrites that change floats within a bound
            Example: level=2
        disable = ()
            do not apply this rewrite (see --list-patterns)
            Example: disable=["identity", "gelu"]
        rules = ()
            apply the rewrites that this text states, each of which is proved first; or fusions or decompose,
            which are built in
            Example: rules=["mine.rules"]
        trust_rules = False
            do not prove the rules of --rules
            Example: trust_rules=True
        unroll = None
            unroll loops with a known trip count of at most N (default: none)
            Example: unroll=16
        inline_functions = False
            replace calls of functions of the model that match (by name, or DOMAIN:NAME) by their bodies; True:
            all
            Example: inline_functions=True
        only = ()
            change only nodes that match (by name, op:TYPE or domain:NAME)
            Example: only="op:Shape"
        skip = ()
            do not change nodes that match; wins over --only
            Example: skip=["head/*"]
        fold_quantization = None
            which QuantizeLinear and DequantizeLinear fold: compute (default): those that only constants are
            computed from, so that weights are kept compact; weights: QuantizeLinear only; all; none
            Example: fold_quantization="weights"
        schemas = ()
            types and shapes of operators outside the standard (JSON), or a model whose functions compute them
            Example: schemas=["acme.json"]
        precision = "exact"
            exact (default): round floats to their type after each operator; wide: keep doubles between
            operators, and round new constants
            Example: precision="wide"
        keep_initializers = ()
            keep initializers that match, and all nodes that depend on them: a caller may replace them
            Example: keep_initializers="lora_*"
        run_once = False
            move nodes that depend only on constants and on inputs and initializers that match to a second
            model; True: nodes that the limit on growth kept
            Example: run_once="lora_*"
        target_opset = None
            convert the result to this opset of ai.onnx
            Example: target_opset=21
        ir_version = None
            write the result for this IR version: what it cannot hold is an error; from 4 on, inputs of older
            models that are initializers are no inputs any more
            Example: ir_version=8
        convert = ()
            convert element types, after folding: f32:f16, f32:bf16, f16:f32, f64:f32, i64:i32 and other pairs
            of floats or of integers; FROM:TO=saturate for numbers out of range
            Example: convert="f32:f16"
        convert_io = False
            --convert changes the types of inputs and outputs too
            Example: convert_io=True
        convert_skip = ()
            nodes that --convert leaves as they are, as --skip names them
            Example: convert_skip="op:Softmax"
        compact_constants = False
            constants that are uniform, ranges, broadcasts or repetitions become nodes that compute them from
            small ones, bit by bit
            Example: compact_constants=True
        shapes = False
            also write the inferred types of all values (value_info)
            Example: shapes=True
        inputs_without_initializers = False
            inputs that have an initializer are no inputs any more: nobody can give them another value, so they
            fold
            Example: inputs_without_initializers=True
        constants = None
            initializers: Constant nodes become initializers; nodes: initializers become Constant nodes
            Example: constants="initializers"
        strip = ()
            leave out, wherever it stands: metadata (metadata_props), docs (doc_string), names (of nodes), types
            (value_info), stack-traces (the entries that exporters of torch write)
            Example: strip=["docs", "metadata"]
        sort = False
            write nodes behind those whose results they read, in graphs where they are not; others keep their
            places
            Example: sort=True
        prune = False
            leave out functions that nothing calls, imports of operator sets without nodes, and initializers
            that nothing reads, also with -O0, --only and --skip
            Example: prune=True
        strict = False
            a type in the model that contradicts the inferred one is an error
            Example: strict=True
        max_growth = None
            bytes that the model may grow by: a size, N% or unlimited (default: the larger of 1M and 1%)
            Example: max_growth="10%"
        max_result = None
            keep nodes with larger results (default 1G)
            Example: max_result="100M"
        max_work = None
            keep nodes that take more work, in units of about 0.1 ns (default 10^11)
            Example: max_work=10**9
        max_trip_count = None
            keep loops with more iterations (default 10000)
            Example: max_trip_count=100
        max_time = None
            keep the nodes that are not folded after so many seconds (default: none); reduce: end, with the best
            so far
            Example: max_time=60
        max_memory = None
            keep nodes for which the process would need more memory (default: none)
            Example: max_memory="8G"
        cache = None
            keep results in this folder, and reuse those of earlier runs whose operands have not changed;
            created if missing
            Example: cache="folded-values"
        cache_size = None
            largest size of --cache; beyond it the least recently used results are erased (default 10G)
            Example: cache_size="2G"
        provenance = False
            record in the metadata of each new constant which node it replaces and which constants it was
            computed from
            Example: provenance=True
        verify = False
            run the model and the result on 3 or N random inputs; VerificationError if they differ or an output
            could not be compared
            Example: verify=10
        verify_inputs = None
            verify on these inputs instead: {"x": array}, several of these, a folder or a .npz file
            Example: verify_inputs={"x": array}
        threads = 0
            threads to use (default: one per processor)
            Example: threads=4
        verify_with = "onnx-fold"
            what verifies: our own kernels, or ONNX Runtime
            Example: verify_with="onnxruntime"
        engine = "program"
            "library": folds in this process, by libonnxfold, which saves the start of a program; a crash or a
            full memory ends this process too
            Example: engine="library"
        progress = None
            a function that is called with a Progress (an exception ends the run, and no file is left); a
            logging.Logger; True: a bar, with tqdm
            Example: progress=print
        nodes = True
            False: the report counts operators and lists no nodes
            Example: nodes=False

    Raises FoldError; then no file has changed. It is an OptionError (a ValueError) or an OptionTypeError (a TypeError) if an
    argument is wrong, a FileError (an OSError) if a file is, and a VerificationError if the result computes something else.
    Warnings are FoldWarnings.
    """
    given = dict(locals())
    from ._fold import foldGiven

    return foldGiven(given)
