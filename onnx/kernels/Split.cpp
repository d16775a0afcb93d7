//===- Split.cpp - Constant kernel of onnx.Split --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Parts along an axis, as views. Spec: onnx Split, versions 1 (sizes: an
// attribute, or an input of floats; no default of `axis`), 2, 11 (sizes: an
// attribute), 13 (an input), 18 (`num_outputs`: the last part may be smaller).
// Without sizes the parts are equal. An empty list is invalid; programs take it
// as none, as ONNX Runtime does.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Concatenation.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/WholeNumbers.h"

using namespace onnxfold;

/// The number of equal parts is given from version 18 on.
static Reason checkNumberOfParts(FoldContext &cx) {
  if (cx.version() < 18)
    return {};
  std::optional<int64_t> given = cx.integer("num_outputs");
  if (!given)
    return invalid("neither 'split' nor 'num_outputs' is given");
  if (*given == cx.numResults())
    return {};
  return invalid("attribute 'num_outputs' is " + llvm::Twine(*given) +
                 ", there are " + llvm::Twine(cx.numResults()) + " results");
}

/// Sizes of as many equal parts as there are results, from version 18 on with a
/// smaller last one; or nothing if there are no such parts.
static std::optional<Shape> equalParts(FoldContext &cx, int64_t dim) {
  int64_t count = cx.numResults();
  bool declared = cx.version() >= 18;
  int64_t size = dim / count + (dim % count != 0);
  int64_t last = dim - size * (count - 1);
  if (last < 0 || (!declared && last != size))
    return std::nullopt;
  Shape sizes(count, size);
  sizes.back() = last;
  return sizes;
}

static FoldResult splitInto(FoldContext &cx, std::optional<Shape> sizes) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx, 0, x.rank());
  if (!axis)
    return axis.reason();
  int64_t dim = x.dim(*axis), count = cx.numResults();
  if (sizes && cx.hasAttribute("num_outputs"))
    return invalid("both 'split' and 'num_outputs' are given");
  if (!sizes) {
    if (Reason wrong = checkNumberOfParts(cx))
      return wrong;
    sizes = equalParts(cx, dim);
  }
  if (!sizes)
    return invalid("axis " + llvm::Twine(*axis) + " has size " +
                   llvm::Twine(dim) + ", which is not split into " +
                   llvm::Twine(count) + " equal parts");
  if (int64_t(sizes->size()) != count)
    return invalid("split is " + toString(*sizes) + ", there are " +
                   llvm::Twine(count) + " results");
  return cutInto(x, *axis, *sizes);
}

/// For a program: to ONNX Runtime an empty list means equal parts.
static void decideEmptyList(FoldContext &cx, std::optional<Shape> &sizes) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx, 0, x.rank());
  int64_t count = cx.numResults();
  if (sizes && sizes->empty() && axis && mustDecide(cx) &&
      x.dim(*axis) % count == 0)
    sizes->assign(count, x.dim(*axis) / count);
}

static FoldResult foldSplit(FoldContext &cx) {
  std::optional<Shape> sizes = attributeOrInput(cx, "split", 1, 13);
  decideEmptyList(cx, sizes);
  return splitInto(cx, sizes);
}

static FoldResult foldFirstSplit(FoldContext &cx) {
  if (!cx.hasAttribute("axis"))
    return undefined("no axis is given, and version 1 has no default");
  std::optional<Shape> sizes = cx.ints("split");
  if (sizes && cx.hasInput(1))
    return invalid("split is given as an attribute and as an input");
  if (cx.hasInput(1) && !(sizes = wholeNumbers(cx.input(1))))
    return invalid("the sizes are not whole numbers");
  return splitInto(cx, sizes);
}

namespace onnxfold {
void registerSplit(KernelRegistry &registry) {
  registry.add("Split", {1}, foldFirstSplit);
  registry.add("Split", {2, 11, 13, 18}, foldSplit).movesSymbols(0);
}
} // namespace onnxfold
