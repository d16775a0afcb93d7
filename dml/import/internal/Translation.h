//===- Translation.h - DML statements as ONNX nodes -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The translation interprets the script: it computes known sizes and scalars,
// and turns everything else into nodes. So it takes a branch whose condition is
// known, unrolls a short loop whose numbers are known, and inlines the calls of
// functions. Other branches and loops become If and Loop (Branches.cpp,
// Loops.cpp).
//
// Thread safety: none. Errors: `refusals`, "file:line:column: reason". The
// value is unknown then. Values computed from it are unknown too, without a
// further refusal.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_TRANSLATION_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_TRANSLATION_H

#include "onnxfold/dml/import/internal/OnnxGraph.h"
#include "onnxfold/dml/import/internal/VariableUses.h"
#include "onnxfold/dml/syntax/Syntax.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cmath>
#include <functional>
#include <limits>

namespace onnxfold::dml {

/// The value of a variable.
struct DmlValue {
  /// A frame is one of numbers: the name is that of a matrix.
  enum Type { Unknown, Matrix, Double, Int, Boolean, Text, List, Frame };
  Type type = Unknown;
  std::string name;             ///< in the graph; empty for known values
  std::optional<double> number; ///< the value of a known scalar
  /// The value of a text. For an unknown value, why it must not be read.
  std::string text;
  int64_t rows = -1, columns = -1; ///< of a matrix; negative: unknown
  std::vector<DmlValue> elements;  ///< of a list
  std::vector<std::string> keys;   ///< of the elements; "": none
  /// A lower bound of an unknown Int. (Rows and columns are at least 1.)
  int64_t least = std::numeric_limits<int64_t>::min();
  bool isCounting = false;  ///< a column 1, 2, 3, ...
  bool isUnordered = false; ///< a column in the order of a hash table
  /// A text that depends on values, or a list of texts of which the length does.
  bool isOpenText = false;
  bool isUnassigned = false; ///< unknown: nothing assigned it on this path
  bool isPartial = false;    ///< nothing assigned it on another path
  bool isParameter = false;  ///< a text: $name, or its default
  bool isBound = false;      ///< a text: $name, as the caller has bound it
  std::string parameter;     ///< of an open text: $name, which has no value

  bool isMatrix() const { return type == DmlValue::Matrix; }
  bool isScalar() const {
    return type == DmlValue::Double || type == DmlValue::Int ||
           type == DmlValue::Boolean;
  }
  bool isUnknown() const { return type == DmlValue::Unknown; }
  /// An Int or a known number is at least `bound`.
  bool isAtLeast(int64_t bound) const {
    return number ? *number >= double(bound) : least >= bound;
  }
  /// The number is unknown, or small enough for a size or a position: Inf, NaN
  /// and numbers from 10^15 on are not.
  bool mayCount() const { return !number || std::abs(*number) < 1e15; }
  /// A known number that mayCount(), rounded towards zero; -1 for others.
  int64_t size() const { return number && mayCount() ? int64_t(*number) : -1; }
  /// The same value, not only an equal one.
  bool isSame(const DmlValue &other) const;
};

/// A text, and an unknown value that must not be read.
DmlValue textValue(llvm::StringRef text);
DmlValue unreadable(const llvm::Twine &why);
/// An unknown value that isUnassigned.
DmlValue unassigned(const llvm::Twine &why);

/// A script, and the scripts that it sources.
struct Module {
  std::string file;
  Script script;
  llvm::StringMap<const Module *> sourced;
};

/// The sizes of a value in messages: "3 x ?", "a scalar".
std::string sizeText(const DmlValue &value);

using Variables = llvm::StringMap<DmlValue>;

/// The arguments of a call.
struct CallArguments {
  const Expr::Node &node;
  std::vector<DmlValue> positional;
  llvm::StringMap<DmlValue> named;

  /// The argument with this key, else the `index`-th without a key; null if it
  /// is not given.
  const DmlValue *find(llvm::StringRef key, size_t index) const;
};

class Translation {
public:
  /// The script of a builtin function that is written in DML, or null.
  using FindScript =
      std::function<llvm::Expected<const Module *>(llvm::StringRef name)>;

  Translation(OnnxGraph &graph, FindScript findScript)
      : graph(graph), findScript(std::move(findScript)) {}

  /// Runs statements of a module.
  void run(const Module &module, const Body &body, Variables &variables);
  /// Runs a function and returns its results.
  std::vector<DmlValue> call(const Module &module, const Function &function,
                             Variables arguments);

  /// The default of a parameter of that type.
  DmlValue valueOf(const Module &module, const Expr &expr,
                   llvm::StringRef type);

  std::vector<std::string> refusals;
  struct Port {
    std::string name;
    DmlValue value;
  };
  std::vector<Port> outputs;       ///< of write()
  std::vector<std::string> inputs; ///< of read()
  /// The values of $name, as text.
  llvm::StringMap<std::string> parameters;
  /// Reads a file of constants into a matrix of the graph. Nothing if there is
  /// no such file.
  std::function<llvm::Expected<std::optional<DmlValue>>(
      llvm::StringRef file, int64_t rows, int64_t columns)>
      readFile;
  /// Known sizes of inputs that read() does not state.
  llvm::StringMap<std::pair<int64_t, int64_t>> inputSizes;
  /// A function was refused because it is unknown; SystemDS's own scripts may
  /// have it.
  bool missesFunction = false;
  /// Tensors of images, channels and places, by the matrices whose rows are the
  /// images.
  llvm::StringMap<std::string> channels;
  /// Why no result may depend on a node that stands for random numbers.
  llvm::StringMap<std::string> randomNodes;

  // For the builtins (BuiltinCall.h).
  DmlValue refuse(Place place, const llvm::Twine &reason);
  /// Refuses to use the value of a $name that has none.
  bool isMissing(Place place, const DmlValue &value);
  std::string placeText(Place place) const;
  /// A node like another one that is refused where a result depends on it.
  std::string unusable(Place place, const std::string &like,
                       const llvm::Twine &why);
  DmlValue known(double number, DmlValue::Type type);
  DmlValue matrix(std::string name, int64_t rows = -1, int64_t columns = -1);
  DmlValue scalar(std::string name, DmlValue::Type type);
  /// The name of a matrix or a scalar in the graph, as real().
  std::string real(const DmlValue &value);
  /// The name of a scalar in the graph, as INT64.
  std::string integer(const DmlValue &value);
  std::string truth(const DmlValue &value);
  DmlValue size(const DmlValue &matrix, int axis);
  /// The name of a list of integers in the graph.
  std::string list(llvm::ArrayRef<DmlValue> sizes);
  DmlValue binary(Place place, llvm::StringRef op, const DmlValue &a,
                  const DmlValue &b);
  std::vector<DmlValue> builtin(const CallArguments &call);
  /// eval(): the function of the module, or the script, that a text names.
  DmlValue callNamed(const CallArguments &call);
  /// Refuses a value in the order of a hash table.
  bool isUnordered(Place place, const DmlValue &value);
  /// A function of dml/builtins/<file>.dml with one result.
  DmlValue callOwn(llvm::StringRef file, llvm::StringRef function,
                   const CallArguments &call);
  bool hasMissing(const CallArguments &given);
  bool hasUnordered(const CallArguments &given);
  /// Selects one of two values by a scalar: a Where, or an If for matrices of
  /// different sizes.
  DmlValue select(const DmlValue &condition, const DmlValue &yes,
                  const DmlValue &no);
  OnnxGraph &onnx() { return graph; }

private:
  DmlValue evaluate(const Expr &expr, Variables &variables);
  DmlValue evaluateNode(const Expr::Node &node, Variables &variables);
  std::vector<DmlValue> evaluateCall(const Expr::Node &node,
                                     Variables &variables);
  DmlValue evaluateName(const Expr::Node &node, Variables &variables);
  DmlValue parameterOf(const Expr::Node &node, Variables &variables);
  std::optional<std::vector<DmlValue>> callScript(llvm::StringRef name,
                                                  const CallArguments &call);
  DmlValue evaluateUnary(const Expr::Node &node, Variables &variables);
  DmlValue slice(const Expr::Node &node, Variables &variables);
  void assign(const Statement &statement, Variables &variables);
  void assignPart(const Expr::Node &target, const DmlValue &value,
                  Variables &variables);
  DmlValue listPart(const Expr::Node &node, const DmlValue &list,
                    Variables &variables);

  // Branches.cpp, Loops.cpp, LoopNodes.cpp; ControlFlow.h
  void loop(const Statement &statement, Variables &variables);
  void loopWhile(const Statement &statement, Variables &variables);
  void choose(const Statement &statement, Variables &variables);
  void branch(const Statement &statement, const DmlValue &condition,
              Variables &variables);
  struct LoopCount;
  struct LoopState;
  std::optional<LoopCount> countOf(const Statement &statement,
                                   Variables &variables);
  bool unroll(const Statement &statement, const LoopCount &count,
              Variables &variables);
  void emitLoop(const Statement &statement, const LoopCount *count,
                const DmlValue &condition, Variables &variables);
  DmlValue settle(const Statement &statement, const LoopCount *count,
                  std::vector<LoopState> &states, const Names &assigned,
                  GraphBody &body, Variables &variables);
  DmlValue endCount(const Statement &statement, const LoopCount &count,
                    const DmlValue &before);
  std::vector<DmlValue *> carry(LoopState &state, GraphBody &body,
                                std::vector<std::string> &initials);
  std::vector<LoopState> statesOf(const Statement &statement,
                                  const Variables &variables);
  DmlValue runBody(const Statement &statement, const LoopCount *count,
                   std::vector<LoopState> &states, const Names &assigned,
                   Variables &variables);
  const llvm::StringMap<unsigned> &readsOfFrame();
  std::string portOf(const DmlValue &value, const DmlValue &as);
  DmlValue standIn(const DmlValue &value);
  int32_t elementType(const DmlValue &value) const;
  void runCall(const Statement &statement, Variables &variables);
  DmlValue read(const CallArguments &call, llvm::StringRef target);
  DmlValue fileOf(llvm::StringRef parameter);
  std::vector<DmlValue> callFunction(const Module &module,
                                     const Function &function,
                                     const CallArguments &call);
  DmlValue joinedText(Place place, llvm::StringRef op, const DmlValue &a,
                      const DmlValue &b);
  DmlValue ofScalars(Place place, llvm::StringRef op, const DmlValue &a,
                     const DmlValue &b);
  DmlValue shifted(const DmlValue &open, int64_t by);
  DmlValue mixed(llvm::StringRef op, const DmlValue &a, const DmlValue &b);

  /// The statements of the running function or script.
  struct Frame {
    const Body *body = nullptr;
    const std::vector<Parameter> *results = nullptr;
  };

  OnnxGraph &graph;
  FindScript findScript;
  const Module *module = nullptr; ///< that of the running statements
  Frame frame;
  unsigned depth = 0, steps = 0, bodies = 0;
  llvm::DenseMap<const Body *, llvm::StringMap<unsigned>> reads; ///< by frame
  llvm::StringMap<std::pair<std::string, int64_t>> sums; ///< x + 1, by name
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_TRANSLATION_H
