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
static std::optional<llvm::SmallVector<int64_t>>
permutationOf(const CleanUpContext &cx, Operator op) {
  if (auto given = op.getInts("perm"))
    return given;
  const auto &shape = cx.facts().fact(op->getResult(0)).shape;
  if (!shape)
    return std::nullopt;
  return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(shape->size())));
}

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::all_of(llvm::enumerate(permutation), [](auto pair) {
    return int64_t(pair.index()) == pair.value();
  });
}

/// That of a Transpose of a Transpose.
static std::optional<llvm::SmallVector<int64_t>>
bothPermutations(const CleanUpContext &cx) {
  Operator first = cx.producer(0, "Transpose");
  auto perm = first ? permutationOf(cx, cx.op) : std::nullopt;
  auto before = first ? permutationOf(cx, first) : std::nullopt;
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
  auto perm = permutationOf(cx, cx.op);
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
