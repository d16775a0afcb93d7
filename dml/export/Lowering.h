//===- Lowering.h - How one operator becomes statements ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A lowering writes the statements of one node, or refuses it.
// lowerings/<Family>.cpp holds the lowerings of a family of operators, <Op>.cpp
// one that has a story. A new operator needs no other file:
//
//   static Lowered lowerRelu(LoweringContext &cx) {
//     cx.define(0, call("max", {cx.matrix(0), 0}));
//     return Lowered::done();
//   }
//   void registerReluLowering(LoweringRegistry &registry) {
//     registry.add("Relu", {1, 6, 13, 14}, lowerRelu);
//   }
//
// DML has only matrices. The natural matrix of a tensor of rank 2 and more has
// d0 rows and d1 * d2 * ... columns; that of a tensor of rank 1 is a row, if it
// is the batch a column; that of a scalar is 1 x 1. (Inputs and outputs of rank
// 1 are columns.) matrix(i) is the natural matrix of input i. The rows of
// view(i, k) are the product of the first k dimensions instead. define() turns
// the computed matrix into the natural matrix of the result. All these are
// reinterpretations in row-major order.
//
// A string is the number of a word, from 0, in the list words() of its tensor,
// which the operands and results of a node that moves strings share.
//
// Shapes are known, except for one free batch size, which may be dimension 0 of
// any tensor (batchDim). A lowering that needs the size of dimension 0 asks
// isStatic(). Numbers are doubles in DML.
//
// A lowering is correct for every input that its node may get, or refuses the
// node. docs/dml.md says what double arithmetic means for NaN, infinity and
// overflow.
//
// Thread safety: none. Errors: refusals are values.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_LOWERING_H
#define ONNXFOLD_DML_EXPORT_LOWERING_H

#include "onnxfold/dml/syntax/Syntax.h"
#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace onnxfold::dml {

/// The outcome of a lowering.
class [[nodiscard]] Lowered {
public:
  static Lowered done() { return {}; }
  /// `reason`: what cannot be expressed; `help`: what the user may do, or "".
  static Lowered refused(const llvm::Twine &reason,
                         const llvm::Twine &help = "") {
    Lowered result;
    result.why = reason.str();
    result.whatHelps = help.str();
    return result;
  }
  /// Refuses what cannot be expressed while the batch size is free.
  static Lowered refusedBatch(const llvm::Twine &reason) {
    return refused(reason, "fix it with " + setting("dim"));
  }
  bool isDone() const { return why.empty(); }
  const std::string &reason() const { return why; }
  const std::string &help() const { return whatHelps; }

private:
  std::string why, whatHelps;
};

/// The free batch size as a dimension; no other dimension is negative.
inline constexpr int64_t batchDim = -1;

/// A number of rows or columns, in all or per row of the batch.
struct Size {
  int64_t count = 1;
  bool perBatch = false;
  friend bool operator==(const Size &, const Size &) = default;
  /// REQUIRES: at most one of the two is per row of the batch.
  friend Size operator*(Size a, Size b) {
    return {a.count * b.count, a.perBatch || b.perBatch};
  }
};
Size sizeOf(llvm::ArrayRef<int64_t> dims);

/// A matrix whose size is known.
struct View {
  Expr expr;
  Size rows, columns;
};

/// A value of the graph.
struct Tensor {
  std::string name; ///< of the variable; empty for a constant that is text
  Shape dims;
  DataType type = DataType::Undefined;
  Elements constant; ///< null if it is not known

  int64_t rank() const { return dims.size(); }
  bool isStatic() const { return dims.empty() || dims.front() != batchDim; }
  /// The tensor has no elements. A node all of whose results have none is not
  /// lowered. A node that reads the matrix of such an input is refused.
  bool isEmpty() const { return llvm::is_contained(dims, 0); }
  bool isOneElement() const {
    return llvm::all_of(dims, [](int64_t d) { return d == 1; });
  }
};

/// The name of a type as in numpy: "float32", "int64".
std::string typeText(DataType type);

/// The rows and columns of the natural matrix.
std::pair<Size, Size> naturalSizes(llvm::ArrayRef<int64_t> dims);

/// The services that the graph around a node offers to its lowering.
class GraphWriter {
public:
  virtual ~GraphWriter() = default;
  virtual const Tensor &tensor(mlir::Value value) = 0;
  /// The variable. For a constant of at most 16 values, or of one value
  /// everywhere, a literal.
  virtual Expr matrixOf(mlir::Value value) = 0;
  virtual void add(Statement statement) = 0;
  virtual std::string makeName(llvm::StringRef wanted) = 0;
  virtual Expr batchSize() = 0;
  /// A constant that the model does not have; doubles.
  virtual Expr addConstant(llvm::StringRef hint, const Elements &values,
                           int64_t rows, int64_t columns) = 0;
  /// Trees compare the value, which is rounded to float32 therefore.
  virtual bool isCompared(mlir::Value value) = 0;
  /// Writes the helper function into the script.
  virtual void use(llvm::StringRef helper) = 0;
  /// The words of a tensor of strings; none if it is not one.
  virtual llvm::ArrayRef<std::string> words(mlir::Value value) = 0;
  /// The place of a word among them; nothing if it is not one.
  virtual std::optional<int64_t> numberOfWord(mlir::Value value,
                                              llvm::StringRef word) = 0;

  // For operators with graphs, which are written in place (support/Graphs.h).

  /// The statements that `write` adds, instead of adding them.
  virtual Body collect(llvm::function_ref<void()> write) = 0;
  /// Says why a value cannot be a matrix; done if it can. REQUIRED before
  /// tensor() of a value that the node does not read.
  virtual Lowered check(mlir::Value value) = 0;
  /// The variable of an argument of a graph of the node.
  virtual void nameArgument(mlir::Value argument, llvm::StringRef name) = 0;
  /// Adds the statements of the nodes of a graph. False if some are refused;
  /// the refusals are noted.
  virtual bool lowerNodes(mlir::Block &graph) = 0;
};

class LoweringContext {
public:
  LoweringContext(Operator op, GraphWriter &graph)
      : operation(op), graph(graph) {}

  Operator op() const { return operation; }
  unsigned numInputs() const { return operation.numInputs(); }
  bool hasInput(unsigned i) const { return operation.hasInput(i); }
  const Tensor &input(unsigned i) { return graph.tensor(operation.input(i)); }
  const Tensor &result(unsigned i = 0) {
    return graph.tensor(operation->getResult(i));
  }
  /// The result has users or a name, so it must be defined.
  bool isUsed(unsigned result) const;
  llvm::ArrayRef<std::string> words(unsigned input) {
    return graph.words(operation.input(input));
  }
  /// The number of a word of result 0; -1, which no word has, if it is none.
  int64_t numberOfWord(llvm::StringRef word) {
    return graph.numberOfWord(operation->getResult(0), word).value_or(-1);
  }
  /// The number of word i of a list, such as the keys of an encoder, among the
  /// words of input 0. One that the input never has gets a number below -1,
  /// which is any other word, that no other word of the list has.
  int64_t numberOfInputWord(llvm::StringRef word, int64_t i) {
    return graph.numberOfWord(operation.input(0), word).value_or(-2 - i);
  }
  /// The value of input i; null if it is missing or not constant.
  Elements constant(unsigned i);
  /// The integers of a constant input, or of the attribute; nothing if neither
  /// is given. `isKnown` becomes false for an input that is not constant.
  std::optional<Shape> ints(unsigned input, llvm::StringRef attribute,
                            bool &isKnown);

  /// The natural matrix of input i.
  Expr matrix(unsigned i) { return graph.matrixOf(operation.input(i)); }
  View natural(unsigned i);
  /// Input i as a matrix whose rows are the first `split` dimensions.
  View view(unsigned i, int64_t split);
  /// Input i as a scalar of DML: a number, or as.scalar(). REQUIRES: one
  /// element.
  Expr scalar(unsigned i);

  /// The same values, row by row, in a matrix of another size.
  View reshape(const View &view, Size rows, Size columns);
  View splitAt(const View &view, llvm::ArrayRef<int64_t> dims, int64_t split);
  /// A number of rows as an expression.
  Expr expr(Size size);
  /// A constant that the model does not have; doubles.
  Expr constantMatrix(llvm::StringRef hint, const Elements &values,
                      int64_t rows, int64_t columns) {
    return graph.addConstant(hint, values, rows, columns);
  }
  /// The matrix of one value everywhere.
  Expr filled(double value, Size rows, Size columns);

  /// A step of the arithmetic of result 0, rounded if trees compare that.
  Expr asCompared(Expr value);
  /// Defines result i by its natural matrix, or by any view of it.
  void define(unsigned i, Expr natural);
  void define(unsigned i, const View &view);
  /// A new variable.
  Expr local(llvm::StringRef hint, Expr value);
  View local(llvm::StringRef hint, const View &value) {
    return {local(hint, value.expr), value.rows, value.columns};
  }
  /// New variables for the results of a function that has several.
  llvm::SmallVector<Expr, 2> locals(llvm::ArrayRef<llvm::StringRef> hints,
                                    Expr call);
  /// A call of a function of Helpers.h.
  Expr helper(llvm::StringRef name, llvm::ArrayRef<Argument> arguments);
  void add(Statement statement) { graph.add(std::move(statement)); }
  /// The statements that `write` adds, instead of adding them: a block.
  Body collect(llvm::function_ref<void()> write) {
    return graph.collect(write);
  }
  GraphWriter &writer() { return graph; }

private:
  Operator operation;
  GraphWriter &graph;
};

using Lowering = Lowered (*)(LoweringContext &);

class LoweringRegistry {
public:
  /// `versions`: the since_versions that the function is right for.
  void add(llvm::StringRef op, std::initializer_list<int> versions,
           Lowering lowering);
  /// The lowering of an operator; null, and the reason, if there is none for
  /// the operator or its version.
  Lowering lookup(Operator op, std::string &reason) const;
  /// Names and versions, sorted: for the table of docs/dml.md and its test.
  std::vector<std::pair<std::string, llvm::SmallVector<int, 6>>>
  entries() const;

private:
  struct Entry {
    Lowering lowering;
    llvm::SmallVector<int, 6> versions;
  };
  llvm::StringMap<Entry> lowerings;
};

/// The lowerings of all files of lowerings/.
const LoweringRegistry &allLowerings();

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_LOWERING_H
