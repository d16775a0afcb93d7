//===- Graphs.h - Graphs of nodes between braces in DML ---------*- C++ -*-===//
//
// What If, Loop and Scan have in common. A graph of a node is written in place:
// the variables of the script that it reads are just there.
//
//   LoopBody body(cx, *cx.op().getGraph("body"));
//   body.carry(/*argument=*/2, initial, /*result=*/0) ...
//   Body statements = cx.collect([&] {
//     lowered = body.lower();           // the nodes
//     body.carryOn(number);             // variables for the next iteration
//   });
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_GRAPHS_H
#define ONNXFOLD_DML_SUPPORT_GRAPHS_H

#include "onnxfold/dml/Lowering.h"
#include "mlir/IR/Block.h"

namespace onnxfold::dml {

/// A matrix and the tensor that it stands for.
struct Stated {
  View view;
  Shape dims;
};

/// Natural matrix of a value of a graph, or of one around it.
Stated stated(LoweringContext &cx, mlir::Value value);

/// Slices of a tensor along an axis. The matrix has one row for each slice if
/// the axis is the first, otherwise one block of columns.
class Slices {
public:
  Slices() = default;
  /// A tensor to read from; its slices, without the axis, are of `dims()`.
  static Slices of(LoweringContext &cx, const Stated &tensor, int64_t axis);
  /// A tensor to fill, a new variable of that name: `count` slices of `dims`.
  static Slices made(LoweringContext &cx, llvm::StringRef hint, Shape dims,
                     int64_t axis, Size count);

  const Shape &dims() const { return sliceDims; }
  /// Slice number `index`, from 1: its natural matrix.
  Expr at(LoweringContext &cx, Expr index) const;
  Statement set(LoweringContext &cx, Expr index, const View &slice) const;
  /// The whole, a view of it.
  const View &view() const { return all; }

private:
  Expr place(Expr index) const;

  View all;
  Shape sliceDims;
  int64_t axis = 0;
  Size before, after; ///< of a slice: its size before and after the axis
};

/// The body of a Loop or a Scan, which is read once and runs many times.
class LoopBody {
public:
  LoopBody(LoweringContext &cx, mlir::Region &region)
      : cx(cx), block(region.front()) {}

  /// An argument of these dimensions (nothing: of one element) gets a new value
  /// in each iteration. Does nothing if nobody reads it.
  Lowered give(unsigned argument, const std::optional<Shape> &dims,
               Expr natural);

  /// A loop-carried argument: starts as `initial`, and is the yielded value
  /// #`yielded` after each iteration. `result` is the variable of its last
  /// value, or empty.
  Lowered carry(unsigned argument, const Stated &initial, unsigned yielded,
                llvm::StringRef result);
  /// The last value of carried value number i, a variable.
  const Stated &carried(unsigned i) const { return values[i].state; }

  /// Adds the nodes. False if some are refused, which is noted.
  bool lower() { return cx.writer().lowerNodes(block); }
  mlir::Value yielded(unsigned i) const { return end()->getOperand(i); }
  unsigned numYielded() const { return end()->getNumOperands(); }
  /// Adds what comes at the end of an iteration, whose number is that (from 1).
  /// Refused if a shape changes.
  Lowered carryOn(const Expr &number);

private:
  mlir::Operation *end() const { return block.getTerminator(); }

  struct Carried {
    mlir::BlockArgument argument;
    mlir::Value yielded;
    Stated state;
  };
  LoweringContext &cx;
  mlir::Block &block;
  llvm::SmallVector<Carried> values;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_GRAPHS_H
