//===- Split.cpp - Constant kernel of onnx.Split --------------------------===//
//
// Parts along an axis, as views. Spec: onnx Split, versions 2, 11 (sizes: an
// attribute), 13 (an input), 18 (`num_outputs`: the last part may be smaller).
// Without sizes the parts are equal.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;

/// Sizes of as many equal parts as there are results, from version 18 on with a
/// smaller last one; or nothing if there are no such parts.
static std::optional<Shape> equalParts(FoldContext &cx, int64_t dim) {
  int64_t count = cx.numResults();
  bool declared = cx.version() >= 18;
  if (declared && cx.integer("num_outputs") != count)
    return std::nullopt;
  int64_t size = dim / count + (dim % count != 0);
  int64_t last = dim - size * (count - 1);
  if (last < 0 || (!declared && last != size))
    return std::nullopt;
  Shape sizes(count, size);
  sizes.back() = last;
  return sizes;
}

static FoldResult foldSplit(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Axis axis = axisOf(cx, 0, x.rank());
  if (axis.wrong)
    return *axis.wrong;
  int64_t left = x.dim(axis.value), count = cx.numResults();
  std::string text = "axis " + std::to_string(axis.value) + " has size " +
                     std::to_string(left);
  std::optional<Shape> sizes = attributeOrInput(cx, "split", 1, 13);
  if (sizes && cx.hasAttribute("num_outputs"))
    return invalid("both 'split' and 'num_outputs' are given");
  if (!sizes && !(sizes = equalParts(cx, left)))
    return invalid(text + ", which is not split into " + llvm::Twine(count) +
                   " equal parts");
  if (int64_t(sizes->size()) != count)
    return invalid("split is " + toString(*sizes) + ", there are " +
                   llvm::Twine(count) + " results");
  llvm::SmallVector<Elements, 1> parts;
  for (int64_t size : *sizes) {
    if (size < 0 || size > left)
      return invalid(text + ", split is " + toString(*sizes));
    parts.push_back(x.slice(axis.value, x.dim(axis.value) - left, size));
    left -= size;
  }
  if (left != 0)
    return invalid(text + ", split is " + toString(*sizes));
  return parts;
}

namespace onnxfold {
void registerSplit(KernelRegistry &registry) {
  registry.add("Split", {2, 11, 13, 18}, foldSplit).movesSymbols(0);
}
} // namespace onnxfold
