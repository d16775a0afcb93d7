//===- ReshapeChains.cpp - Reshape of a Reshape ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/ReshapeChains.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

using DimExprList = ArrayRef<DimExpr>;

/// A Reshape of `shape` to constant `target` cannot fail: of the dimensions
/// that are not copied, what is known is a multiple of what is asked for, or
/// all of it where no rest is.
static bool alwaysFits(DimExprList shape, ArrayRef<int64_t> target,
                       const DimExprs &exprs) {
  int64_t known = 1, asked = 1;
  bool hasRest = llvm::is_contained(target, -1), isOpen = false;
  for (auto [i, symbol] : llvm::enumerate(shape)) {
    if (i < target.size() && target[i] == 0) {
      // Beside a copied 0 a rest is refused.
      if (hasRest && exprs.rangeOf(symbol).least <= 0)
        return false;
      continue;
    }
    std::optional<int64_t> size = exprs.valueOf(symbol);
    isOpen |= !size;
    if (size && llvm::MulOverflow(known, *size, known))
      return false;
  }
  for (auto [i, size] : llvm::enumerate(target))
    if (size < -1 || (size == 0 && i >= shape.size()) ||
        (size > 0 && llvm::MulOverflow(asked, size, asked)))
      return false;
  return hasRest ? known != 0 && known % asked == 0 : !isOpen && known == asked;
}

/// The same dimensions in the same order, but for ones.
static bool differInOnes(DimExprList a, DimExprList b, const DimExprs &exprs) {
  auto others = [&](DimExprList shape) {
    SmallVector<DimExpr> list(shape);
    llvm::erase_if(list, [&](DimExpr d) { return exprs.valueOf(d) == 1; });
    return list;
  };
  return others(a) == others(b);
}

/// The number of elements, if all dimensions are known.
static std::optional<int64_t> sizeOf(DimExprList shape, const DimExprs &exprs) {
  Shape sizes;
  for (DimExpr symbol : shape)
    sizes.push_back(exprs.valueOf(symbol).value_or(-1));
  return llvm::is_contained(sizes, -1) ? std::nullopt
                                       : checkedNumElements(sizes);
}

/// A reshape that works whatever the dimensions are. Others may fail at run
/// time, and still do so.
static bool alwaysWorks(const CleanUpContext &cx, DimExprList before,
                        DimExprList after) {
  const DimExprs &exprs = cx.knownValues().exprs();
  Operator op = cx.op;
  if (op.is("Flatten") || op.is("Unsqueeze"))
    return true;
  std::optional<int64_t> size = sizeOf(before, exprs);
  if (size && size == sizeOf(after, exprs))
    return true;
  if (op.is("Squeeze"))
    return differInOnes(before, after, exprs);
  if (!op.is("Reshape") || op.since() < 5 || op.getInt("allowzero", 0))
    return false;
  Elements target = cx.constant(1);
  return target && alwaysFits(before, target.ints(), exprs);
}

/// A rest of one target is one of the other: wherever the elements are a multiple
/// of what `last` wants, they are of what `first` does. Neither has a 0.
static bool failsWith(ArrayRef<int64_t> first, ArrayRef<int64_t> last) {
  int64_t inner = 1, outer = 1;
  for (auto [target, product] :
       {std::pair(first, &inner), std::pair(last, &outer)})
    for (int64_t size : target)
      if (size == 0 || size < -1 ||
          (size > 0 && llvm::MulOverflow(*product, size, *product)))
        return false;
  bool hasRest = llvm::is_contained(first, -1);
  return hasRest ? outer % inner == 0
                 : outer == inner && !llvm::is_contained(last, -1);
}

/// `first` fails only where a Reshape to `target` fails.
static bool mayBeLeftOut(const CleanUpContext &cx, Operator first,
                         ArrayRef<int64_t> target) {
  Elements list = first.is("Reshape") && first.since() >= 5
                      ? cx.constantOf(first.input(1))
                      : Elements();
  return list && failsWith(list.ints(), target);
}

/// Each 0 of the target copies a dimension that both shapes have.
static bool copiesTheSame(Operator op, ArrayRef<int64_t> target,
                          const std::optional<SmallVector<DimExpr, 4>> &before,
                          const std::optional<SmallVector<DimExpr, 4>> &after) {
  if (op.getInt("allowzero", 0) != 0)
    return !llvm::is_contained(target, 0);
  for (auto [i, size] : llvm::enumerate(target))
    if (size == 0 && (!before || !after || i >= before->size() ||
                      i >= after->size() || (*before)[i] != (*after)[i]))
      return false;
  return true;
}

/// The value that a Reshape may read instead of its input, which is the result
/// of another reshape; or null.
static Value beforeReshape(const CleanUpContext &cx) {
  Operator op = cx.op;
  if (!op.is("Reshape") || op.since() < 5)
    return {};
  Elements target = cx.constant(1);
  Operator first = cx.producer(0);
  if (!target || !first || !patterns::keepsOrder(first))
    return {};
  const auto &before = cx.knownValues().state(first.input(0)).shape;
  const auto &after = cx.knownValues().state(first->getResult(0)).shape;
  if (!copiesTheSame(op, target.ints(), before, after))
    return {};
  bool works = before && after && alwaysWorks(cx.at(first), *before, *after);
  return works || mayBeLeftOut(cx, first, target.ints()) ? first.input(0)
                                                         : Value();
}

bool ReshapeChains::visit(const CleanUpContext &cx) {
  Operation *op = cx.op.getOperation();
  bool changed = false;
  for (Value value; (value = beforeReshape(cx)); changed = true) {
    if (!session.mayEdit(op, 0, value))
      break;
    session.noteEdited(op);
    op->setOperand(0, value);
  }
  if (!changed)
    return false;
  session.evaluation().add(op); // of what it reads now more may be known
  return patterns.visit(cx);
}
