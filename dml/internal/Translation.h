//===- Translation.h - DML statements as ONNX nodes -------------*- C++ -*-===//
//
// A script is run with what is known of its values: sizes and scalars that are
// known are computed, everything else becomes a node. So a branch whose
// condition is known is taken, a loop whose numbers are known is unrolled, and
// the calls of functions are inlined.
//
// Thread safety: none. Errors: `refusals`, "file:line:column: reason"; the
// value is then unknown, and what is made of it too, silently.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_TRANSLATION_H
#define ONNXFOLD_DML_INTERNAL_TRANSLATION_H

#include "onnxfold/dml/Syntax.h"
#include "onnxfold/dml/internal/OnnxGraph.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace onnxfold::dml {

/// What a variable holds.
struct DmlValue {
  enum Type { Unknown, Matrix, Double, Int, Boolean, Text, List };
  Type type = Unknown;
  std::string name;                ///< in the graph; empty if it is known
  std::optional<double> number;    ///< of a scalar that is known
  std::string text;                ///< of a text
  int64_t rows = -1, columns = -1; ///< of a matrix; negative: not known
  std::vector<DmlValue> elements;  ///< of a list

  bool isMatrix() const { return type == DmlValue::Matrix; }
  bool isScalar() const {
    return type == DmlValue::Double || type == DmlValue::Int ||
           type == DmlValue::Boolean;
  }
  bool isUnknown() const { return type == DmlValue::Unknown; }
};

/// A script, and those that it sources.
struct Module {
  std::string file;
  Script script;
  llvm::StringMap<const Module *> sourced;
};

/// "3 x ?", "a scalar"
std::string sizeText(const DmlValue &value);

using Variables = llvm::StringMap<DmlValue>;

/// Where arguments of a call are.
struct CallArguments {
  const Expr::Node &node;
  std::vector<DmlValue> positional;
  llvm::StringMap<DmlValue> named;

  /// By its key, or the `index`-th without one; unknown if it is not given.
  const DmlValue *find(llvm::StringRef key, size_t index) const;
};

class Translation {
public:
  explicit Translation(OnnxGraph &graph) : graph(graph) {}

  /// Runs statements of a module.
  void run(const Module &module, const Body &body, Variables &variables);
  /// Runs a function; its results.
  std::vector<DmlValue> call(const Module &module, const Function &function,
                             Variables arguments);

  /// A default of a parameter of that type.
  DmlValue valueOf(const Module &module, const Expr &expr,
                   llvm::StringRef type);

  std::vector<std::string> refusals;
  struct Port {
    std::string name;
    DmlValue value;
  };
  std::vector<Port> outputs;       ///< of write()
  std::vector<std::string> inputs; ///< of read()
  /// Sizes of inputs that are known, and are not said by read().
  llvm::StringMap<std::pair<int64_t, int64_t>> inputSizes;

  // For the builtins (BuiltinCall.h).
  DmlValue refuse(Place place, const llvm::Twine &reason);
  DmlValue known(double number, DmlValue::Type type);
  DmlValue matrix(std::string name, int64_t rows = -1, int64_t columns = -1);
  DmlValue scalar(std::string name, DmlValue::Type type);
  /// The name in the graph, of real(): of a matrix or a scalar.
  std::string real(const DmlValue &value);
  /// Of a scalar, INT64.
  std::string integer(const DmlValue &value);
  std::string truth(const DmlValue &value);
  DmlValue size(const DmlValue &matrix, int axis);
  /// Integers as a list of the graph.
  std::string list(llvm::ArrayRef<DmlValue> sizes);
  DmlValue binary(Place place, llvm::StringRef op, const DmlValue &a,
                  const DmlValue &b);
  DmlValue builtin(const CallArguments &call);
  OnnxGraph &onnx() { return graph; }

private:
  DmlValue evaluate(const Expr &expr, Variables &variables);
  DmlValue evaluateNode(const Expr::Node &node, Variables &variables);
  std::vector<DmlValue> evaluateCall(const Expr::Node &node,
                                     Variables &variables);
  DmlValue evaluateUnary(const Expr::Node &node, Variables &variables);
  DmlValue slice(const Expr::Node &node, Variables &variables);
  void assign(const Statement &statement, Variables &variables);
  void assignPart(const Expr::Node &target, const DmlValue &value,
                  Variables &variables);
  void loop(const Statement &statement, Variables &variables);
  void choose(const Statement &statement, Variables &variables);
  void runCall(const Statement &statement, Variables &variables);
  DmlValue read(const CallArguments &call, llvm::StringRef target);
  std::vector<DmlValue> callFunction(const Module &module,
                                     const Function &function,
                                     const CallArguments &call);
  DmlValue mixed(llvm::StringRef op, const DmlValue &a, const DmlValue &b);

  OnnxGraph &graph;
  const Module *module = nullptr; ///< whose statements run
  unsigned depth = 0, steps = 0;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_TRANSLATION_H
