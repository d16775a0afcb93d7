//===- Windows.h - Attributes of pooling and convolution --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads the attributes that place the windows of pooling and convolution:
// kernel_shape, strides, dilations, pads, auto_pad, ceil_mode. Output sizes are
// those of ONNX's inference: they are rounded down or, with ceil_mode, up (from
// version 22 on without windows that start in the padding at the end).
//
//   ReasonOr<ops::SlidingWindows> r = readWindows(cx, x, w.shape().drop_front(2));
//   if (!r)
//     return r.reason();
//
// Sizes beyond 2^31 are refused, so that no formula overflows. Thread safety:
// pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_WINDOWS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_WINDOWS_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/nn/SlidingWindows.h"
#include "onnxfold/elements/ops/Elementwise.h"

namespace onnxfold {

/// The windows over the spatial dimensions of x. Their extent is attribute
/// `kernel_shape` or, for a convolution, `kernel`, the spatial dimensions of
/// its weights; the attribute, if it is present, must equal these.
ReasonOr<ops::SlidingWindows>
readWindows(FoldContext &cx, const Elements &x,
            std::optional<ShapeRef> kernel = std::nullopt);

/// The windows of ConvTranspose: the spatial dimensions of x are the positions.
ReasonOr<ops::SlidingWindows>
readTransposedWindows(FoldContext &cx, const Elements &x, ShapeRef kernel);

/// The windows of MaxUnpool, whose positions are the spatial dimensions of x.
ReasonOr<ops::SlidingWindows>
readUnpooledWindows(FoldContext &cx, const Elements &x, bool ignorePads);

/// The attributes strides, dilations and pads alone, for images and kernels of
/// given shapes; the number of positions follows from them. A reason if there
/// are none.
ReasonOr<ops::SlidingWindows> windowsOver(FoldContext &cx, ShapeRef image,
                                          ShapeRef kernel);

/// A reason if a result of [batch, channels, positions...] or the work for it
/// exceeds the limits; `depth` is the number of operations for each element and
/// tap.
Reason checkWindows(FoldContext &cx, DataType type, ShapeRef result,
                    const ops::SlidingWindows &windows, double depth);

/// f(operands), which computes in double, rounded once to the float type of the
/// first operand; null if that type is not a float.
template <class F>
Elements roundedOnce(llvm::ArrayRef<Elements> operands, F f) {
  if (typeClass(operands[0].type()) != TypeClass::Float)
    return {};
  if (Elements r = inWide(operands, f))
    return r;
  return ops::cast(f(operands), operands[0].type());
}

/// The spatial axes of an input of global pooling; checkSpatial returns a
/// reason if the input has no batch and channel dimensions, or if its channels
/// are empty.
Shape spatialAxes(const Elements &x);
Reason checkSpatial(const Elements &x);

/// [batch, channels, spatial...].
Shape imageShape(int64_t batch, int64_t channels, ShapeRef spatial);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_WINDOWS_H
