//===- ConvolutionLowering.h - Convolutions in DML --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A convolution is a conv2d of DML, in a loop over groups. With dilated kernels
// or three dimensions it is a sum of matrix products over the places of the
// kernel.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_CONVOLUTIONLOWERING_H
#define ONNXFOLD_DML_SUPPORT_CONVOLUTIONLOWERING_H

#include "onnxfold/dml/support/Windows.h"

namespace onnxfold::dml {

/// The sizes of an input of weights without the first two.
Shape kernelShape(LoweringContext &cx, unsigned input);

/// windowsOf the weights; refuses more than three dimensions.
Lowered convolutionOf(LoweringContext &cx, unsigned weights, Windows &windows);

/// The natural matrix of images times kernels (F, C / groups, ...), in groups.
View convolved(LoweringContext &cx, const Moved &images, const Moved &kernels,
               int64_t groups, const Windows &windows);

/// Images times kernels (C, F / groups, ...), added where they overlap. `in` of
/// `windows` are the sizes of the images, `out` those of everything that
/// kernels cover, without pads.
View convolvedTransposed(LoweringContext &cx, const Moved &images,
                         const Moved &kernels, int64_t groups,
                         const Windows &windows);

/// Adds input i by channel, if it is given.
View withBias(LoweringContext &cx, View images, unsigned input);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_CONVOLUTIONLOWERING_H
