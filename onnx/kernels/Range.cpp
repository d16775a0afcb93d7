//===- Range.cpp - Constant kernel of onnx.Range --------------------------===//
//
// start + i * delta while it lies before `limit`. Spec: onnx Range, versions
// 11, 27 (f16 and bf16, by default computed as f32: `stash_type`). Each
// element is the product and the sum rounded once, not a running sum. delta 0
// is undefined: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/Elementwise.h"
#include "onnxfold/elements/Generate.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;

static FoldResult foldRange(FoldContext &cx) {
  for (unsigned i = 0; i < 3; ++i)
    if (std::optional<Reason> several = checkOneElement(cx, i))
      return *several;
  DataType type = cx.input(0).type();
  int64_t stash = cx.integer("stash_type").value_or(1);
  bool narrow = isFloat(type) && bitWidth(type) < 32;
  if (narrow && stash != 1 && stash != 11)
    return invalid("attribute 'stash_type' is " + llvm::Twine(stash) +
                   ", expected 1 (f32) or 11 (f64)");
  WideNum start = cx.input(0).number(), delta = cx.input(2).number();
  std::optional<int64_t> count = rangeCount(start, cx.input(1).number(), delta);
  if (!count)
    return undefined("the number of elements is not defined for these inputs");
  if (std::optional<Reason> large = cx.checkResult(type, {*count}))
    return *large;
  if (narrow && stash == 1)
    return cast(range(DataType::Float32, start, delta, *count), type);
  return range(type, start, delta, *count);
}

namespace onnxfold {
void registerRange(KernelRegistry &registry) {
  registry.add("Range", {11, 27}, foldRange);
}
} // namespace onnxfold
