//===- PeakMemory.h - The most memory of this process -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety: any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_PEAKMEMORY_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_PEAKMEMORY_H

#include <cstdint>

namespace onnxfold {

/// The most memory that this process ever had resident, in bytes; 0 where
/// /proc does not say it.
uint64_t peakBytes();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_PEAKMEMORY_H
