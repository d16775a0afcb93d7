//===- FourierLowering.h - Discrete Fourier transforms in DML ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A transform is a linear map, so it is one matrix product. Columns are real
// numbers, or pairs of a real and an imaginary part.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_FOURIERLOWERING_H
#define ONNXFOLD_DML_SUPPORT_FOURIERLOWERING_H

#include "onnxfold/dml/export/Lowering.h"

namespace onnxfold::dml {

struct Fourier {
  int64_t in = 0, out = 0;           ///< numbers in a row
  int64_t inParts = 1, outParts = 2; ///< 1: real, 2: complex
  int64_t length = 0;                ///< of the transform, padded with 0
  bool inverse = false, isHalf = false;
};

/// Transforms the rows. Refuses what ONNX does not define.
Lowered fourierTransformed(LoweringContext &cx, const Fourier &f, View &rows);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_FOURIERLOWERING_H
