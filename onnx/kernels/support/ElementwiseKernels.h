//===- ElementwiseKernels.h - What elementwise kernels share ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// These functions are the frame of a kernel that applies one function to every
// element: they check that the operands have one element type and broadcast (by
// numpy's rules; by the `axis` rules of versions before 7), and that the result
// is within the limits, and then call the function. It gets Elements of one
// element type and the broadcast shape, and returns null for element types that
// it does not support.
//
//   return foldBinary(cx, [](const Elements &x, const Elements &y) {
//     return zip(x, y, [](auto a, auto b) { return add(a, b); });
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_ELEMENTWISEKERNELS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_ELEMENTWISEKERNELS_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ops/Elementwise.h"

namespace onnxfold {

/// A reason if the inputs from `first` on do not have one element type, or one
/// of them is missing.
Reason checkSameType(FoldContext &cx, unsigned first = 0);

/// A reason if the inputs do not broadcast together by numpy's rules, or if the
/// size of the result or the work for it exceeds the limits.
Reason checkBroadcast(FoldContext &cx);

/// Combines all inputs, which are known in part, from left to right
/// (SymbolicFold.h). Inputs of different shapes are not folded for versions
/// before 7, which broadcast by other rules.
FoldResult foldElementwise(FoldContext &cx, SymbolOp op);

/// Inputs #0 and #1 broadcast together. Element types may differ.
struct BroadcastOperands {
  Elements x, y;
};
ReasonOr<BroadcastOperands> broadcastOperands(FoldContext &cx);

template <class F> FoldResult foldBinary(FoldContext &cx, F f) {
  if (Reason mismatch = checkSameType(cx))
    return mismatch;
  ReasonOr<BroadcastOperands> operands = broadcastOperands(cx);
  if (!operands)
    return operands.reason();
  return f(operands->x, operands->y);
}

/// Folds a function of two bools.
template <class F> FoldResult foldLogical(FoldContext &cx, F f) {
  return foldBinary(cx, [f](const Elements &x, const Elements &y) {
    return x.type() == DataType::Bool ? ops::zipAs<bool, bool, bool>(x, y, f)
                                      : Elements();
  });
}

/// Combines all inputs from left to right (Min, Max, Sum); a single input is
/// the result. Before version 8 the shapes must be equal.
template <class F> FoldResult foldVariadic(FoldContext &cx, F f) {
  if (Reason mismatch = checkSameType(cx))
    return mismatch;
  if (Reason mismatch = checkBroadcast(cx))
    return mismatch;
  Elements result = cx.input(0);
  for (unsigned i = 1; result && i < cx.numInputs(); ++i) {
    if (cx.version() < 8 && cx.input(i).shape() != result.shape())
      return invalid("input #" + llvm::Twine(i) + " has shape " +
                     toString(cx.input(i).shape()) + ", expected " +
                     toString(result.shape()) + " as input #0");
    result = f(result, cx.input(i));
  }
  return result;
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_ELEMENTWISEKERNELS_H
