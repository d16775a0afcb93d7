//===- Graphs.h - Graphs of nodes between braces in DML ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The common part of If, Loop and Scan. A graph of a node is written in place,
// so it reads the variables of the script directly.
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

#include "onnxfold/dml/export/Lowering.h"
#include "mlir/IR/Block.h"

namespace onnxfold::dml {

/// A matrix and the tensor that it stands for.
struct Stated {
  View view;
  Shape dims;
};

/// The natural matrix of a value of a graph, or of a graph around it.
Stated stated(LoweringContext &cx, mlir::Value value);

/// The slices of a tensor along an axis. In its matrix a slice is a row if the
/// axis is the first, otherwise a block of columns.
class Slices {
public:
  Slices() = default;
  /// The slices of a tensor to read. Their shape, without the axis, is dims().
  static Slices of(LoweringContext &cx, const Stated &tensor, int64_t axis);
  /// The slices of a tensor to fill, a new variable of that name: `count`
  /// slices of shape `dims`.
  static Slices made(LoweringContext &cx, llvm::StringRef hint, Shape dims,
                     int64_t axis, Size count);

  const Shape &dims() const { return sliceDims; }
  /// The natural matrix of slice number `index`, counted from 1.
  Expr at(LoweringContext &cx, Expr index) const;
  Statement set(LoweringContext &cx, Expr index, const View &slice) const;
  /// A view of the whole tensor.
  const View &view() const { return all; }

private:
  Expr place(Expr index) const;

  View all;
  Shape sliceDims;
  int64_t axis = 0;
  Size before, after; ///< of a slice: its size before and after the axis
};

/// The body of a Loop or a Scan, written once.
class LoopBody {
public:
  LoopBody(LoweringContext &cx, mlir::Region &region)
      : cx(cx), block(region.front()) {}

  /// Gives an argument of these dimensions (nothing: of one element) a new
  /// value in each iteration. Does nothing if the argument has no users.
  Lowered give(unsigned argument, const std::optional<Shape> &dims,
               Expr natural);

  /// Makes an argument loop-carried. It starts as `initial`, and is the yielded
  /// value #`yielded` after each iteration. `result` is the variable of its
  /// last value, or empty.
  Lowered carry(unsigned argument, const Stated &initial, unsigned yielded,
                llvm::StringRef result);
  /// The variable of the loop-carried value number i.
  const Stated &carried(unsigned i) const { return values[i].state; }

  /// Adds the nodes. False if some are refused; the refusals are noted.
  bool lower() { return cx.writer().lowerNodes(block); }
  mlir::Value yielded(unsigned i) const { return end()->getOperand(i); }
  unsigned numYielded() const { return end()->getNumOperands(); }
  /// Adds the statements at the end of iteration `number` (from 1). Refused if
  /// a shape changes.
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
