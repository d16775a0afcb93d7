//===- StoredName.h - Names in the file, kept by the dialect ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For the files of onnx/ir only; everybody else sees StringRefs (Operator.h,
// OnnxConstantOp::getOutput).
//
// A name in the file, any bytes; "" by default. The dialect owns the bytes,
// which live as long as the context. They are not uniqued: nearly all names
// differ, and a StringAttr of ten characters takes 140 bytes, most of them in
// the hash table of the context. A StoredName is a handle of one pointer, which
// is passed by value.
//
// Thread safety: names may be made by several threads.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_STOREDNAME_H
#define ONNXFOLD_ONNX_IR_STOREDNAME_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectBytecodeReader;
class DialectBytecodeWriter;
class MLIRContext;
} // namespace mlir

namespace onnxfold {

class StoredName {
public:
  StoredName() = default;
  /// REQUIRES: the dialect is loaded.
  StoredName(llvm::StringRef name, mlir::MLIRContext *context);

  llvm::StringRef get() const;
  bool empty() const { return record == nullptr; }

  bool operator==(const StoredName &other) const {
    return get() == other.get();
  }

private:
  const char *record = nullptr; // the length, 4 bytes, and the bytes
};

inline llvm::hash_code hash_value(const StoredName &name) {
  return hash_value(name.get());
}

//===----------------------------------------------------------------------===//
// A StoredName as a property of a static operation; its attribute is a string.

mlir::Attribute convertToAttribute(mlir::MLIRContext *context,
                                   const StoredName &name);
llvm::LogicalResult
convertFromAttribute(StoredName &name, mlir::Attribute attribute,
                     llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_STOREDNAME_H
