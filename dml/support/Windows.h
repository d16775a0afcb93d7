//===- Windows.h - Windows of convolutions and pooling ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Images are (N, C, spatial dimensions). The functions of DML (conv2d,
// max_pool, avg_pool) take two spatial dimensions, no dilation and the same
// pads on both sides, and round sizes down. So images of one dimension become
// images of one row, and images with different pads are padded before. Other
// windows are computed axis by axis.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_WINDOWS_H
#define ONNXFOLD_DML_SUPPORT_WINDOWS_H

#include "onnxfold/dml/support/Movement.h"

namespace onnxfold::dml {

/// The windows along one dimension.
struct WindowAxis {
  int64_t in = 1, kernel = 1, stride = 1, dilation = 1, out = 1;
  int64_t begin = 0, end = 0; ///< pads as the model has them

  int64_t extent() const { return (kernel - 1) * dilation + 1; }
  /// The number of values by which the last window extends behind the image.
  int64_t after() const {
    return std::max<int64_t>(0, (out - 1) * stride + extent() - in - begin);
  }
  /// The number of values of window `i` in the image, or in the image and its
  /// pads.
  int64_t counted(int64_t i, bool withPads) const;
};

struct Windows {
  llvm::SmallVector<WindowAxis, 3> axes;

  /// The functions of DML can compute these windows.
  bool isBuiltin() const;
  /// The number of windows in one channel.
  int64_t places() const;
  /// Some window has only pads.
  bool hasEmptyWindow() const;
};

/// Reads the attributes and sizes of a node. Refuses what DML cannot express.
/// `kernel` is the attribute kernel_shape, or the shape of the kernels.
Lowered windowsOf(LoweringContext &cx, const Shape &kernel, Windows &windows);

/// Input number `input` as images.
Moved imagesOf(LoweringContext &cx, unsigned input);

/// The tensor with `before` and `after` copies of the value around it along one
/// axis.
Moved padAxis(LoweringContext &cx, const Moved &tensor, int64_t axis,
              int64_t before, int64_t after, double value);

/// The images, padded so that they contain everything that the windows cover.
Moved padImages(LoweringContext &cx, Moved images, const Windows &windows,
                double value);

/// A call of a function of DML. `operands`: the kernels of conv2d, or nothing;
/// `shape`: filter_shape or pool_size. REQUIRES: windows.isBuiltin().
View callOnWindows(LoweringContext &cx, llvm::StringRef function, Moved images,
                   const Windows &windows, llvm::ArrayRef<Expr> operands,
                   Argument shape, int64_t channels, double padding);

/// Maxima or sums of windows, whose result does not depend on the order:
/// `helper` (max_windows, sum_windows) reduces one axis after the other.
View reducedByAxis(LoweringContext &cx, llvm::StringRef helper,
                   const Moved &images, const Windows &windows, double padding);

/// The shape of the result: as images, with that many channels.
Shape resultDims(const Shape &images, const Windows &windows, int64_t channels);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_WINDOWS_H
