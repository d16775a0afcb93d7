//===- ImageWindows.h - Windows of Conv and pooling as slices ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The windows of an operator over an image of known shape. Each tap of a window
// reads a slice of the padded input, with the strides as steps.
//
//   std::optional<ops::SlidingWindows> windows =
//       windowsOf(op, inputType, kernel, resultType);
//   Value image = padded(converter, location, input, *windows, fill);
//   for (int64_t tap = 0; tap < numElements(windows->kernel); ++tap)
//     Value read = tapOf(converter, location, image, *windows, tap, ...);
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_IMAGEWINDOWS_H
#define ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_IMAGEWINDOWS_H

#include "onnxfold/elements/nn/SlidingWindows.h"
#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"

namespace onnxfold {

/// The windows of `op` by its attributes. It slides a window of the shape
/// `kernel` over the image `input` and computes `result`; both types are
/// [batch, channels, spatial...] of known shape. Nothing if attributes and
/// types do not fit together.
std::optional<ops::SlidingWindows> windowsOf(Operator op,
                                             mlir::RankedTensorType input,
                                             ShapeRef kernel,
                                             mlir::RankedTensorType result);

/// Pads the input with `fill`, a constant, as far as the windows reach. Returns
/// the input itself if they do not reach beyond it.
mlir::Value padded(ToSequenceConverter &converter, mlir::Location location,
                   mlir::Value input, const ops::SlidingWindows &windows,
                   mlir::TypedAttr fill);

/// The elements that one tap reads at all positions, of `channels` channels
/// from `channel` on: [batch, channels, positions...].
mlir::Value tapOf(ToSequenceConverter &converter, mlir::Location location,
                  mlir::Value image, const ops::SlidingWindows &windows,
                  ShapeRef tap, mlir::OpFoldResult channel, int64_t channels);

/// The index of a tap along each dimension from its row-major number.
Shape placeOfTap(const ops::SlidingWindows &windows, int64_t number);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TOSEQUENCE_INTERNAL_IMAGEWINDOWS_H
