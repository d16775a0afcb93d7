//===- FreshNames.h - Names for new values ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   FreshNames names(module);
//   nameResult(op->getResult(0), names.make("x_f16")); // or x_f16_1 ...
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_FRESHNAMES_H
#define ONNXFOLD_ONNX_IR_FRESHNAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace onnxfold {

/// Gives the result of an operator, or of a constant, this name.
void nameResult(mlir::OpResult result, llvm::StringRef name);

class FreshNames {
public:
  /// The names of the module's values are collected when a name is asked for.
  explicit FreshNames(mlir::ModuleOp module) : module(module) {}

  /// `base`, or with a number behind it, so that no value has the name.
  std::string make(llvm::StringRef base);
  /// `base` always with a number behind it.
  std::string makeNumbered(llvm::StringRef base);

private:
  void collect();

  mlir::ModuleOp module;
  bool isCollected = false;
  llvm::StringSet<> names;
  llvm::StringMap<unsigned> numbers; ///< the last one behind a base
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_FRESHNAMES_H
