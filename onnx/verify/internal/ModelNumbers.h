//===- ModelNumbers.h - The numbers that a model states ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A wrong bound or a wrong key shows on inputs at that number only. So inputs
// hold the constants and attributes of the model, and their neighbours.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_MODELNUMBERS_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_MODELNUMBERS_H

#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace onnxfold {

struct ModelNumbers {
  std::vector<double> floats;
  std::vector<int64_t> integers;
  std::vector<std::string> texts;
  /// Sizes that dimensions of inputs may need: of constants, numbers in small
  /// lists of integers, and the products of such lists. Ascending.
  std::vector<int64_t> sizes;
};

/// At most some hundred of each kind, in the order of the models; of a large
/// constant none.
ModelNumbers numbersOf(llvm::ArrayRef<mlir::ModuleOp> modules);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_MODELNUMBERS_H
