//===- OptionClasses.td - What the table of options is made of -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The classes of Options.td, on those of LLVM's Option library. llvm-tblgen
// makes the parser's tables of the records; tools/options reads them as JSON
// (-dump-json) and makes everything else: see tools/options/make_options.py.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_OPTIONS_OPTIONCLASSES
#define ONNXFOLD_OPTIONS_OPTIONCLASSES

include "llvm/Option/OptParser.td"

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// What --help and the manual end in. An example is "arguments | meaning";
/// a status is "number | meaning".
class Uses<list<string> examples, list<string> statuses> {
  list<string> Examples = examples;
  list<string> Statuses = statuses;
}

/// A program, which is also the visibility of its options.
class Program<string command, string usage, string overview> : OptionVisibility {
  string Command = command;
  string Usage = usage;
  string Overview = overview;
}

def OnnxFold : Program<"onnx-fold", "[options] model.onnx ...",
    "computes everything in an ONNX model that depends on constants alone">,
    Uses<[], []>; // those of its subcommand
def OnnxRun : Program<"onnx-run", "[options] model.onnx",
    "compiles an ONNX model and runs it">,
    Uses<["model.onnx --input x=x.npy | print the results",
          "model.onnx --input-dir=d --expected-dir=d | compare",
          "model.onnx --emit=object -o model.o | compile for C"],
         ["0 | done, and equal", "1 | an error",
          "3 | --expected-dir, --test-folders: results differ"]>;
def FoldRun : Program<"fold-run", "[options] module.mlir",
    "folds the constant tensors of a module, compiles it, and calls it; "
    "arguments have the numbers of the function as it is written">,
    Uses<["m.mlir --input 0=x.npy | call, print the results",
          "m.mlir --weight 1=w.npy --input 0=x.npy | a constant argument",
          "m.mlir --mode=compiletime --emit=mlir | print the module"],
         ["0 | done", "1 | an error"]>;
def OnnxToDml : Program<"onnx-to-dml", "[options] model.onnx",
    "writes an ONNX model as a script of Apache SystemDS">,
    Uses<["model.onnx | writes model.dml and weights",
          "model.onnx -o net.dml --dim=batch:1 | another name, a fixed size",
          "model.onnx --library | functions for source()"],
         ["0 | done", "1 | an error; nothing is written"]>;
def DmlToOnnx : Program<"dml-to-onnx", "[options] script.dml",
    "writes a script of Apache SystemDS as an ONNX model">,
    Uses<["script.dml | writes script.onnx",
          "script.dml -o net.onnx --input-shape=X:?,64 | another name, a size",
          "script.dml --function=forward | one of its functions"],
         ["0 | done", "1 | an error; nothing is written"]>;

// The subcommands of onnx-fold. Without one it folds.
def fold : SubCommand<"fold",
    "fold constants; may be left out", "[options] model.onnx ...">,
    Uses<["model.onnx | writes model.folded.onnx",
          "-o small.onnx --dim=batch:1 model.onnx | another name, a fixed size",
          "--report=html:page.html model.onnx | a page: each node, and why"],
         ["0 | done", "1 | wrong usage, input or output",
          "2 | --check: folding changes the model",
          "3 | --verify: a result differs",
          "4 | --verify: an output was not compared"]>;
def cut : SubCommand<"cut",
    "write a part of a model as it is", "[options] model.onnx">,
    Uses<["cut --outputs=h model.onnx | what h depends on",
          "cut --inputs=h -o tail.onnx model.onnx | what depends on h",
          "cut --inputs=h --outputs=y model.onnx | between the two"],
         ["0 | done", "1 | wrong usage, input or output"]>;
def diff : SubCommand<"diff",
    "print how two models differ in nodes and constants; exit status 2 if they do",
    "[options] model.onnx other.onnx">,
    Uses<["diff a.onnx b.onnx | nodes and constants",
          "diff --report=html:page.html a.onnx b.onnx | as a page",
          "diff --dim=batch:1 a.onnx b.onnx | with that size"],
         ["0 | the same", "1 | wrong usage, input or output",
          "2 | they differ"]>;
def compare : SubCommand<"compare",
    "run two models on the same inputs; exit status 3 if they differ, 4 if an "
    "output could not be compared", "[options] model.onnx other.onnx">,
    Uses<["compare a.onnx b.onnx | on random inputs",
          "compare --verify=10 -O2 a.onnx b.onnx | 10 times, within bounds",
          "compare --verify-inputs=x.npz a.onnx b.onnx | on these inputs"],
         ["0 | equal", "1 | wrong usage, input or output", "3 | they differ",
          "4 | an output could not be compared"]>;
def stats : SubCommand<"stats",
    "print what a model has and costs: operators, parameters, multiply-adds, "
    "memory, runtimes", "[options] model.onnx">,
    Uses<["stats model.onnx | a page of text",
          "stats --dim=batch:1 model.onnx | numbers, not formulas",
          "stats --report=json:stats.json model.onnx | for programs"],
         ["0 | done", "1 | wrong usage, input or output"]>;
def reduce : SubCommand<"reduce",
    "find the smallest model for which a test still holds: a report of a bug",
    "[options] --test=COMMAND model.onnx">,
    Uses<["reduce --test='! runtime {}' m.onnx | writes m.reduced.onnx",
          "reduce --test=crash:ort m.onnx | onnxruntime fails",
          "reduce --test=differs:ort m.onnx | so does its optimiser"],
         ["0 | done", "1 | wrong usage, input or output, or a test that does not hold",
          "130 | interrupted; the best so far is written"]>;
def report : SubCommand<"report",
    "write a saved report as --report=html:FILE or "
    "--report=model-explorer:FILE", "[options] report.json">,
    Uses<["report --report=html:page.html r.json | as a page",
          "report --report=model-explorer:n.json r.json | for Model Explorer"],
         ["0 | done", "1 | wrong usage, input or output"]>;

def check_rules : SubCommand<"check-rules",
    "prove the rules of a file, or print the case in which one does not hold; exit status 3 then",
    "[options] FILE">,
    Uses<["check-rules mine.rules | a line for each rule",
          "check-rules -o cases mine.rules | counterexamples as models in cases/",
          "check-rules --quiet mine.rules | only what does not hold"],
         ["0 | all hold", "1 | wrong usage, input or output",
          "3 | a rule does not hold"]>;

/// Which programs and which of onnx-fold's subcommands have an option.
class In<list<Program> programs, list<SubCommand> commands = []> {
  list<OptionVisibility> Visibility = programs;
  list<SubCommand> SubCommands = commands;
}

// Flags of options.
def Common : OptionFlag;        // on the first screen of --help
def Repeatable : OptionFlag;    // each value counts
def OneModel : OptionFlag;      // an error with several models
def SeveralModels : OptionFlag; // an error with one model

//===----------------------------------------------------------------------===//
// Forms. Options are those of folding unless In says something else.
//===----------------------------------------------------------------------===//

/// --name
class Switch<string name, string help>
    : Flag<["--", "-"], name, [fold]>, Visibility<[OnnxFold]>, HelpText<help>;

/// --name=VALUE and --name VALUE
multiclass Value<string name, string value, string help> {
  def NAME : Joined<["--", "-"], name#"=", [fold]>, Visibility<[OnnxFold]>,
             HelpText<help>, MetaVarName<value>;
  def NAME#_separate : Separate<["--", "-"], name, [fold]>, Visibility<[OnnxFold]>,
             Alias<!cast<Option>(NAME)>;
}

/// -n=VALUE and -n VALUE
multiclass ShortValue<string name, string value, string help> {
  def NAME : Joined<["-"], name#"=", [fold]>, Visibility<[OnnxFold]>,
             HelpText<help>, MetaVarName<value>;
  def NAME#_separate : Separate<["-"], name, [fold]>, Visibility<[OnnxFold]>,
             Alias<!cast<Option>(NAME)>;
}

/// --name=VALUE and --name, which is an empty value.
multiclass OptionalValue<string name, string value, string help> {
  def NAME : Joined<["--", "-"], name#"=", [fold]>, Visibility<[OnnxFold]>,
             HelpText<help>, MetaVarName<value>;
  def NAME#_alone : Flag<["--", "-"], name, [fold]>, Visibility<[OnnxFold]>,
             Alias<!cast<Option>(NAME)>;
}

//===----------------------------------------------------------------------===//
// What an option does
//===----------------------------------------------------------------------===//

/// Sets a member of FoldOptions by a statement of C++ that returns an
/// llvm::Error; `given` has the name and the value. `isGiven` is an expression.
class Reads<string read, string isGiven = ""> {
  string Read = read;
  string IsGiven = isGiven;
}

/// A member of FoldOptions, which is made of this.
class Member<string type, string name, string reader, string initial = "">
    : Reads<reader#"(options."#name#", given)", "isGiven(options."#name#")"> {
  string MemberType = type;
  string MemberName = name;
  string MemberInitial = initial;
}

/// The name in the C ABI and in Python, where it is another one.
class ApiName<string name> { string ApiName = name; }

/// An argument of onnx_fold.fold, check, examine and fold_all in Python.
class Python<string type, string initial = "None"> {
  string PythonType = type;
  string PythonInitial = initial;
}
/// The same, of fold alone, which handles it itself.
class PythonOfFold<string type, string initial = "None"> {
  string PythonFoldType = type;
  string PythonInitial = initial;
}
class PythonName<string name> { string PythonName = name; }
/// A function of python/onnx_fold/_options.py that makes flags of the value.
class PythonForm<string function> { string PythonForm = function; }
/// What the argument does, where that is not what --help says.
class PythonText<string text> { string PythonText = text; }
/// A value that is not the default; each argument of Python has one.
class Example<string text> { string PythonExample = text; }

/// What the first screen of --help says, where that is not the first clause of
/// the help.
class Brief<string text> { string BriefText = text; }

/// Rows of the table of docs/reference.md, in Markdown.
class Row<list<string> rows> { list<string> Rows = rows; }

/// What --help of one program says, where programs differ.
class ProgramText<Program program, string value, string help> {
  Program In = program;
  string Value = value;
  string Text = help;
}
class TextIn<list<ProgramText> texts> { list<ProgramText> Texts = texts; }

//===----------------------------------------------------------------------===//
// Options of other tools
//===----------------------------------------------------------------------===//

/// Who types an option of another tool is told what it is called here.
class Elsewhere<string name, string here> {
  string There = name;
  string Here = here;
}

//===----------------------------------------------------------------------===//
// What excludes what
//===----------------------------------------------------------------------===//

class Rule<Option first, Option second, string why = ""> {
  Option First = first;
  Option Second = second;
  string Why = why;
}
/// The two are given, expected one of them.
class Excludes<Option first, Option second, string why = "">
    : Rule<first, second, why>;
/// The first one is given without the second.
class Needs<Option first, Option second> : Rule<first, second>;
/// The first one is given with a value of the second, expected another one.
/// `isValue`: the value as an expression of C++ on FoldOptions.
class ExcludesValue<Option first, Option second, string value, string expected,
                    string isValue> : Rule<first, second> {
  string Value = value;
  string Expected = expected;
  string IsValue = isValue;
}

#endif // ONNXFOLD_OPTIONS_OPTIONCLASSES
