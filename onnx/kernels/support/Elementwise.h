//===- Elementwise.h - What elementwise kernels share -----------*- C++ -*-===//
//
// The frame of a kernel that applies one function to every element: checks
// that operands broadcast (numpy's rules; the `axis` rules of versions before
// 7), then calls. The function gets Elements of one element type and broadcast
// shape, and returns null for element types that it does not take.
//
//   return foldBinary(cx, [](const Elements &x, const Elements &y) {
//     return zip(x, y, [](auto a, auto b) { return add(a, b); });
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_ELEMENTWISE_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_ELEMENTWISE_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/Elementwise.h"

namespace onnxfold {

/// Inputs #0 and #1 broadcast together, or the reason why they do not.
struct BroadcastOperands {
  Elements x, y;
  std::optional<Reason> mismatch;
};
BroadcastOperands broadcastOperands(FoldContext &cx);

template <class F> FoldResult foldBinary(FoldContext &cx, F f) {
  BroadcastOperands operands = broadcastOperands(cx);
  if (operands.mismatch)
    return *operands.mismatch;
  return f(operands.x, operands.y);
}

/// All inputs combined from left to right (Min, Max, Sum); one input: a copy.
template <class F> FoldResult foldVariadic(FoldContext &cx, F f) {
  Elements result = cx.input(0);
  for (unsigned i = 1; i < cx.numInputs(); ++i) {
    const Elements &next = cx.input(i);
    if (next.type() != result.type())
      return invalid("inputs have different element types");
    if (!broadcastShapes(result.shape(), next.shape()))
      return invalid("shapes " + toString(result.shape()) + " and " +
                     toString(next.shape()) + " do not broadcast");
    result = f(result, next);
    if (!result)
      return result;
  }
  return result;
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_ELEMENTWISE_H
