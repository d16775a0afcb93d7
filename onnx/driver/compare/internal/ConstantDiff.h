//===- ConstantDiff.h - By how much two constants differ --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety: any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_CONSTANTDIFF_H
#define ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_CONSTANTDIFF_H

#include "onnxfold/elements/Elements.h"
#include <string>

namespace onnxfold {

/// "" if the values are the same, else how they differ: "f32[2, 3], was
/// f32[3, 2]", "2 of 6 elements differ, by at most 0.5: at [1, 2] 1.5, was 1".
/// A null value is equal to another null value only. Both values are read once,
/// or twice if they differ.
std::string differenceOf(const Elements &before, const Elements &after);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_CONSTANTDIFF_H
