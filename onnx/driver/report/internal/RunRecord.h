//===- RunRecord.h - What ran, when and how ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_RUNRECORD_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_RUNRECORD_H

#include "llvm/ADT/ArrayRef.h"
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

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_RUNRECORD_H
