//===- RunRecord.h - What ran, when, how and in how much memory -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_RUNRECORD_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_RUNRECORD_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>

namespace llvm::json {
class OStream;
} // namespace llvm::json

namespace onnxfold {

/// Prints the attribute `run` of a report: the version of this program, the
/// date in UTC, and the arguments. SOURCE_DATE_EPOCH is the date if it is set,
/// so that a report may be reproduced.
void printRunRecord(llvm::json::OStream &json,
                    llvm::ArrayRef<std::string> arguments);

/// The most memory that this process ever had resident, in bytes; 0 where
/// /proc does not say it. Thread safety: any thread.
uint64_t peakBytes();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_RUNRECORD_H
