//===- NearNames.h - Names that a user may have meant -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef ONNXFOLD_ONNX_IR_NEARNAMES_H
#define ONNXFOLD_ONNX_IR_NEARNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace onnxfold {

/// ", such as 'y', 'y1'", or "": the names that differ least from `wanted`, or
/// that contain it. Wildcards of a pattern do not count.
std::string nearNames(llvm::ArrayRef<llvm::StringRef> names,
                      llvm::StringRef wanted);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_NEARNAMES_H
