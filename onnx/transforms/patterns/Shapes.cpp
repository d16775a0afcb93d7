//===- Shapes.cpp - Nodes that only reshape, permute or cut --------------===//

#include "onnxfold/onnx/transforms/CleanUpPatterns.h"
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

/// The permutation of a Transpose, or nothing if the rank is not known.
static std::optional<llvm::SmallVector<int64_t>> permutationOf(Operator op) {
  if (auto given = op.getInts("perm"))
    return given;
  auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (!type || !type.hasRank())
    return std::nullopt;
  return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(type.getRank())));
}

Value patterns::matchTranspose(const CleanUpContext &cx) {
  if (!cx.op.is("Transpose"))
    return {};
  auto perm = permutationOf(cx.op);
  if (!perm)
    return {};
  auto isIdentity = [](ArrayRef<int64_t> p) {
    return llvm::all_of(llvm::enumerate(p), [](auto pair) {
      return int64_t(pair.index()) == pair.value();
    });
  };
  if (isIdentity(*perm))
    return patterns::inputAlike(cx, 0);
  Operator first = cx.producer(0, "Transpose");
  auto before = first ? permutationOf(first) : std::nullopt;
  if (!before || before->size() != perm->size() || !cx.isLike(first.input(0)))
    return {};
  llvm::SmallVector<int64_t> both;
  for (int64_t axis : *perm) {
    if (axis < 0 || axis >= int64_t(before->size()))
      return {};
    both.push_back((*before)[axis]);
  }
  return isIdentity(both) ? first.input(0) : Value();
}
