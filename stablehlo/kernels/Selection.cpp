//===- Selection.cpp - Constant kernel of select_and_scatter --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The gradient of a pooling: each source is added to the element of its window
// that a body selects.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/stablehlo/support/Body.h"
#include "onnxfold/stablehlo/support/Movement.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

namespace {

/// The element that is selected so far of each window.
struct Selected {
  Elements value, number, isAny;
};

} // namespace

/// The number in the operand of the element that is selected in each window, or
/// -1. `tap`: a row-major number in the window.
static ReasonOr<Elements> selectedOf(FoldContext &cx, ShapeRef sizes,
                                     ShapeRef strides, ShapeRef low) {
  const Elements &x = cx.input(0), &source = cx.input(1);
  int64_t rank = x.rank();
  Elements flat = x.reshape({x.size()});
  auto of = [&](const Elements &values) {
    return values.expand(source.shape());
  };
  Selected best{of(flat.slice(0, 0, 1).reshape(Shape(rank, 1))),
                of(Elements::splat<int64_t>({}, -1)),
                of(Elements::splat<bool>({}, false))};
  for (int64_t tap = 0, n = numElements(sizes); tap < n; ++tap) {
    Shape offset = ops::indexOf(tap, sizes);
    llvm::SmallVector<Elements> indices;
    Elements isInside = Elements::splat<bool>({}, true);
    for (int64_t d = 0; d < rank; ++d) {
      Elements at = ops::mapAs<int64_t, int64_t>(
          counterAlong(d, source.dim(d), rank),
          [step = strides[d], by = offset[d] - low[d]](int64_t i) {
            return i * step + by;
          });
      isInside = zipBools(
          isInside,
          ops::mapAs<bool, int64_t>(
              at, [most = x.dim(d)](int64_t i) { return i >= 0 && i < most; }),
          [](bool a, bool b) { return a && b; });
      indices.push_back(
          ops::mapAs<int64_t, int64_t>(at, [most = x.dim(d) - 1](int64_t i) {
            return std::clamp<int64_t>(i, 0, most);
          }));
    }
    Elements number = of(rowMajorNumbers(indices, x.shape()));
    Elements value = ops::gather(flat, number.reshape({source.size()}), 0)
                         .reshape(source.shape());
    ReasonOr<Values> keeps =
        runBody(cx, cx.operation()->getRegion(0), {best.value, value});
    if (!keeps)
      return keeps.reason();
    if (keeps->size() != 1 || (*keeps)[0].type() != DataType::Bool)
      return invalid("its first body does not return one bool");
    Elements taken =
        zipBools(zipBools(best.isAny, (*keeps)[0],
                          [](bool any, bool keep) { return !(any && keep); }),
                 isInside, [](bool a, bool b) { return a && b; });
    taken = of(taken).materialize();
    best.value = ops::select(taken, value, best.value).materialize();
    best.number = ops::select(taken, number, best.number).materialize();
    best.isAny = zipBools(best.isAny, taken, [](bool a, bool b) {
                   return a || b;
                 }).materialize();
  }
  return best.number;
}

static FoldResult foldSelectAndScatter(FoldContext &cx) {
  if (Reason wrong = checkCount(cx, 3))
    return wrong;
  const Elements &x = cx.input(0), &source = cx.input(1), &init = cx.input(2);
  int64_t rank = x.rank();
  ReasonOr<Shape> sizes = listOf(cx, "window_dimensions", rank, 1);
  ReasonOr<Shape> strides = listOf(cx, "window_strides", rank, 1);
  ReasonOr<Shape> pads = listOf(cx, "padding", 2 * rank, 0);
  for (const ReasonOr<Shape> *list : {&sizes, &strides, &pads})
    if (!*list)
      return list->reason();
  if (source.rank() != rank || cx.operation()->getNumRegions() != 2 ||
      init.size() != 1 || source.type() != x.type() || init.type() != x.type())
    return invalid("its operands do not fit each other");
  if (x.size() == 0 || source.size() == 0)
    return init.reshape({}).expand(x.shape());
  if (combinationOf(cx.operation()->getRegion(1)) != "add")
    return notFolded(ReasonCode::NoKernel, "its second body is not one add");
  Shape low;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t before = (*pads)[2 * d], after = (*pads)[2 * d + 1], size;
    low.push_back(before);
    if (llvm::AddOverflow(x.dim(d), before, size) ||
        llvm::AddOverflow(size, after, size) || (*sizes)[d] < 1 ||
        (*strides)[d] < 1 || (*sizes)[d] > size ||
        (size - (*sizes)[d]) / (*strides)[d] + 1 != source.dim(d))
      return invalid("its windows do not fit the shapes");
  }
  if (Reason much = cx.checkWork(
          double(source.size()) * double(numElements(*sizes)), 450))
    return much;
  ReasonOr<Elements> numbers = selectedOf(cx, *sizes, *strides, low);
  if (!numbers)
    return numbers.reason();
  if (ops::firstWhere<int64_t>(*numbers, [](int64_t i) { return i < 0; }))
    return undefined("a window meets nothing but padding");
  Elements all = init.reshape({}).expand({x.size()});
  Elements sums = ops::scatterElements(all, numbers->reshape({source.size()}),
                                       source.reshape({source.size()}), 0,
                                       ops::ScatterReduction::Add);
  return sums ? sums.reshape(x.shape()) : sums;
}

namespace onnxfold::hlo {
void registerSelection(KernelRegistry &registry) {
  registry.add("select_and_scatter", {1}, foldSelectAndScatter);
}
} // namespace onnxfold::hlo
