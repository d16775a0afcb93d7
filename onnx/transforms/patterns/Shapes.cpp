//===- Shapes.cpp - Nodes that only reshape, permute or cut --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

Value patterns::matchSameShape(const CleanUpContext &cx) {
  bool fits = keepsOrder(cx.op) || cx.op.is("Expand") || cx.op.is("Tile");
  return fits ? patterns::inputAlike(cx, 0) : Value();
}

Value patterns::matchReshapeOfReshape(const CleanUpContext &cx) {
  Operator first = cx.producer(0);
  if (!keepsOrder(cx.op) || !first || !keepsOrder(first) ||
      !cx.isLike(first.input(0)))
    return {};
  return first.input(0);
}

//===----------------------------------------------------------------------===//
// Expand before what broadcasts by itself
//===----------------------------------------------------------------------===//

/// Element by element, of operands of any shapes that fit together.
static bool broadcasts(Operator op) {
  if (op.isAny({"Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal",
                "Less", "Greater"}))
    return op.since() >= 7;
  if (op.isAny({"Min", "Max", "Sum", "Mean"}))
    return op.since() >= 8;
  if (op.isAny({"Where", "Mod", "BitShift", "BitwiseAnd", "BitwiseOr",
                "BitwiseXor", "LessOrEqual", "GreaterOrEqual"}))
    return true;
  return false;
}

/// Dimension #i from the end, or null.
static const DimExpr *
fromEnd(const std::optional<SmallVector<DimExpr, 4>> &shape, size_t i) {
  return i < shape->size() ? &(*shape)[shape->size() - 1 - i] : nullptr;
}

/// The result has the same shape if the operator reads `x` as input #i, which
/// the Expand of x is now: the others, and x, have all of its sizes. That
/// Expand cannot fail: what x has is there still, or it is 1.
static bool isImplied(const CleanUpContext &cx, unsigned i, Value x) {
  const auto &all = cx.knownValues().state(cx.op->getResult(0)).shape;
  const auto &before = cx.knownValues().state(x).shape;
  const auto &after = cx.knownValues().state(cx.op.input(i)).shape;
  if (!all || !before || !after || before->size() > after->size())
    return false;
  for (size_t d = 0; d < before->size(); ++d)
    if (*fromEnd(before, d) != *fromEnd(after, d) &&
        cx.knownValues().exprs().valueOf(*fromEnd(before, d)) != 1)
      return false;
  for (size_t d = 0; d < all->size(); ++d) {
    const DimExpr &size = *fromEnd(all, d);
    auto has = [&](Value value) {
      if (!value)
        return false;
      const auto &shape = cx.knownValues().state(value).shape;
      return shape && fromEnd(shape, d) && *fromEnd(shape, d) == size;
    };
    bool isThere = has(x);
    for (unsigned other = 0; other < cx.op.numInputs(); ++other)
      isThere |= other != i && has(cx.op.input(other));
    if (!isThere)
      return false;
  }
  return true;
}

InputEdits patterns::editExpands(const CleanUpContext &cx) {
  if (!broadcasts(cx.op))
    return {};
  for (unsigned i = 0; i < cx.op.numInputs(); ++i)
    // A constant folds, or a budget is for it.
    if (Operator expand =
            cx.constant(i) ? Operator() : cx.producer(i, "Expand"))
      if (isImplied(cx, i, expand.input(0)))
        return {{i, expand.input(0)}};
  return {};
}

Value patterns::matchWholeSlice(const CleanUpContext &cx) {
  if (cx.op.is("Split"))
    return cx.op.numOutputs() == 1 ? patterns::inputAlike(cx, 0) : Value();
  if (!cx.op.is("Slice"))
    return {};
  if (cx.op.hasInput(4)) {
    Elements steps = cx.constant(4);
    if (!steps || llvm::any_of(steps.ints(), [](int64_t s) { return s < 1; }))
      return {};
  }
  return patterns::inputAlike(cx, 0);
}

Value patterns::matchNoPad(const CleanUpContext &cx) {
  if (!cx.op.is("Pad"))
    return {};
  if (cx.op.since() >= 11)
    return cx.isAll(1, 0) ? patterns::inputAlike(cx, 0) : Value();
  auto pads = cx.op.getInts(cx.op.since() == 1 ? "paddings" : "pads");
  bool isZero = pads && llvm::all_of(*pads, [](int64_t p) { return p == 0; });
  return isZero ? patterns::inputAlike(cx, 0) : Value();
}

std::optional<llvm::SmallVector<int64_t>>
patterns::permutationOf(const CleanUpContext &cx, Operator op) {
  if (auto given = op.getInts("perm"))
    return given;
  const auto &shape = cx.knownValues().state(op->getResult(0)).shape;
  if (!shape)
    return std::nullopt;
  return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(shape->size())));
}

std::optional<SmallVector<int64_t>>
patterns::permutationOfRank(const CleanUpContext &cx, Operator transpose,
                            size_t rank) {
  auto permutation = permutationOf(cx, transpose);
  if (!permutation)
    return std::nullopt;
  SmallVector<int64_t> sorted(*permutation);
  llvm::sort(sorted);
  bool fits = llvm::equal(sorted, llvm::seq<int64_t>(0, rank));
  return fits ? permutation : std::nullopt;
}

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::all_of(llvm::enumerate(permutation), [](auto pair) {
    return int64_t(pair.index()) == pair.value();
  });
}

/// The permutation of a Transpose of a Transpose.
static std::optional<llvm::SmallVector<int64_t>>
bothPermutations(const CleanUpContext &cx) {
  Operator first = cx.producer(0, "Transpose");
  auto perm = first ? patterns::permutationOf(cx, cx.op) : std::nullopt;
  auto before = first ? patterns::permutationOf(cx, first) : std::nullopt;
  if (!perm || !before || before->size() != perm->size())
    return std::nullopt;
  llvm::SmallVector<int64_t> both;
  for (int64_t axis : *perm) {
    if (axis < 0 || axis >= int64_t(before->size()))
      return std::nullopt;
    both.push_back((*before)[axis]);
  }
  return both;
}

Value patterns::matchTranspose(const CleanUpContext &cx) {
  if (!cx.op.is("Transpose"))
    return {};
  auto perm = patterns::permutationOf(cx, cx.op);
  if (perm && isIdentity(*perm))
    return patterns::inputAlike(cx, 0);
  auto both = bothPermutations(cx);
  if (!both || !isIdentity(*both))
    return {};
  Value first = cx.producer(0).input(0);
  return cx.isLike(first) ? first : Value();
}

Value patterns::matchTransposeChain(const CleanUpContext &cx) {
  if (!cx.op.is("Transpose") || !cx.nodes.sinceOf("Transpose"))
    return {};
  auto both = bothPermutations(cx);
  if (!both || isIdentity(*both))
    return {};
  return cx.nodes.create("Transpose", {cx.producer(0).input(0)},
                         {cx.nodes.attribute("perm", *both)});
}
