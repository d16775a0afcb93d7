//===- ShapeArithmetic.cpp - Constant kernels of tosa's shapes ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operations on values of `!tosa.shape`, which are i64 here: add_shape, dim and the
// others. No constant replaces them, but what reads them folds. Sizes beyond 31
// bits, division by what is not positive, and logarithms of that are undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// Numbers whose sums and products fit 64 bits; of one input, at least `least`.
static Reason checkSizes(FoldContext &cx, unsigned input, int64_t least) {
  constexpr int64_t most = int64_t(1) << 31;
  const Elements &x = cx.input(input);
  if (!isInteger(x.type()))
    return notFolded(ReasonCode::UnsupportedType, "is not a shape");
  if (auto bad = ops::firstWhere<int64_t>(
          toInt64(x), [=](int64_t v) { return v < least || v > most; }))
    return undefined("element " + llvm::Twine(*bad) + " of input #" +
                     llvm::Twine(input) + " is " +
                     llvm::Twine(toInt64(x).value<int64_t>(*bad)));
  return {};
}

static constexpr int64_t anySize = -(int64_t(1) << 31);

template <class F, int64_t leastDivisor = anySize>
static FoldResult foldTwoShapes(FoldContext &cx) {
  if (Reason no = checkSizes(cx, 0, leastDivisor == 1 ? 0 : anySize))
    return no;
  if (Reason no = checkSizes(cx, 1, leastDivisor))
    return no;
  return ops::zipAs<int64_t, int64_t, int64_t>(toInt64(cx.input(0)),
                                               toInt64(cx.input(1)), F());
}

template <class F> static FoldResult foldLogarithm(FoldContext &cx) {
  if (Reason no = checkSizes(cx, 0, 1))
    return no;
  return mapInt64(cx.input(0), F());
}

static FoldResult foldExp2Shape(FoldContext &cx) {
  if (Reason no = checkSizes(cx, 0, 0))
    return no;
  if (ops::firstWhere<int64_t>(toInt64(cx.input(0)),
                               [](int64_t v) { return v > 62; }))
    return undefined("an exponent is more than 62");
  return mapInt64(cx.input(0), [](int64_t v) { return int64_t(1) << v; });
}

static FoldResult foldConcatShape(FoldContext &cx) {
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    parts.push_back(toInt64(cx.input(i)));
  return ops::concat(parts, 0);
}

static FoldResult foldSliceShape(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (cx.input(1).size() != 1 || cx.input(2).size() != 1 || x.rank() != 1)
    return invalid("'start' and 'size' are not one number each");
  int64_t start = cx.intsOf(1)[0], size = cx.intsOf(2)[0];
  if (start < 0 || size < 0 || size > x.size() || start > x.size() - size)
    return invalid("elements " + llvm::Twine(start) + " to " +
                   llvm::Twine(start + size) + " are not inside of " +
                   llvm::Twine(x.size()));
  return toInt64(x).slice(0, start, size);
}

/// Reads a size of a tensor whose value may be unknown.
static FoldResult foldDim(FoldContext &cx) {
  int64_t axis = cx.integer("axis").value_or(0);
  std::optional<llvm::ArrayRef<DimExpr>> dims = cx.inputShape(0);
  if (!dims || axis < 0 || axis >= int64_t(dims->size()))
    return notFolded(ReasonCode::InputNotConstant, "the rank is not known");
  std::optional<int64_t> size = cx.exprs().valueOf((*dims)[axis]);
  if (!size)
    return notFolded(ReasonCode::InputNotConstant,
                     "dimension " + llvm::Twine(axis) + " is not known");
  return Elements::fromValues<int64_t>({1}, {*size});
}

static void addTwo(KernelRegistry &registry) {
  auto add = [](int64_t a, int64_t b) { return a + b; };
  auto subtract = [](int64_t a, int64_t b) { return a - b; };
  auto multiply = [](int64_t a, int64_t b) { return a * b; };
  auto larger = [](int64_t a, int64_t b) { return std::max(a, b); };
  auto smaller = [](int64_t a, int64_t b) { return std::min(a, b); };
  auto floor = [](int64_t a, int64_t b) { return a / b; };
  auto ceil = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  auto rest = [](int64_t a, int64_t b) { return a % b; };
  registry.add("add_shape", {1}, foldTwoShapes<decltype(add)>);
  registry.add("sub_shape", {1}, foldTwoShapes<decltype(subtract)>);
  registry.add("mul_shape", {1}, foldTwoShapes<decltype(multiply)>);
  registry.add("max_shape", {1}, foldTwoShapes<decltype(larger)>);
  registry.add("min_shape", {1}, foldTwoShapes<decltype(smaller)>);
  registry.add("div_floor_shape", {1}, foldTwoShapes<decltype(floor), 1>);
  registry.add("div_ceil_shape", {1}, foldTwoShapes<decltype(ceil), 1>);
  registry.add("mod_shape", {1}, foldTwoShapes<decltype(rest), 1>);
}

namespace onnxfold::upstream {
void registerTosaShapeArithmetic(KernelRegistry &registry) {
  auto down = [](int64_t v) { return int64_t(llvm::Log2_64(uint64_t(v))); };
  auto up = [](int64_t v) { return int64_t(llvm::Log2_64_Ceil(uint64_t(v))); };
  addTwo(registry);
  registry.add("log2_floor_shape", {1}, foldLogarithm<decltype(down)>);
  registry.add("log2_ceil_shape", {1}, foldLogarithm<decltype(up)>);
  registry.add("exp2_shape", {1}, foldExp2Shape);
  registry.add("concat_shape", {1}, foldConcatShape);
  registry.add("slice_shape", {1}, foldSliceShape);
  registry.add("dim", {1}, foldDim).ignoresValue(0);
}
} // namespace onnxfold::upstream
