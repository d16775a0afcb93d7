//===- Windows.h - Windows of convolutions and pooling ----------*- C++ -*-===//
//
// Images are (N, C, H, W), or (N, C, W) as images of one row. The functions of
// DML have the same pads on both sides and round sizes down; where that gives
// other windows, the image is padded before.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_WINDOWS_H
#define ONNXFOLD_DML_SUPPORT_WINDOWS_H

#include "onnxfold/dml/support/Movement.h"

namespace onnxfold::dml {

/// Windows along one dimension.
struct WindowAxis {
  int64_t in = 1, kernel = 1, stride = 1, dilation = 1, out = 1;
  int64_t begin = 0, end = 0;    ///< pads as the model has them
  int64_t builtin = 0;           ///< pad on both sides by the function of DML
  int64_t before = 0, after = 0; ///< pads before that
  int64_t padded = 1;            ///< in + before + after

  int64_t extent() const { return (kernel - 1) * dilation + 1; }
  void choosePads();
  /// How many values of window `i` are in the image, or in it and its pads.
  int64_t counted(int64_t i, bool withPads) const;
};

struct Windows {
  WindowAxis h, w;
  double padding = 0;

  /// The image with the pads that DML's function does not make.
  View padded(LoweringContext &cx, unsigned input) const;
  /// The arguments of conv2d and the like; `shape` is that of the window.
  std::vector<Argument> arguments(std::vector<Argument> first, Expr images,
                                  int64_t channels, Argument shape) const;
};

/// Reads the attributes and sizes of a node; refuses what is not expressed.
Lowered windowsOf(LoweringContext &cx, const Shape &kernel, Windows &windows);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_WINDOWS_H
