//===- Lists.h - Lists in bytecode ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A number of elements and the elements. MLIR's own functions for lists believe
// any number.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_VHLO_INTERNAL_LISTS_H
#define ONNXFOLD_STABLEHLO_VHLO_INTERNAL_LISTS_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace onnxfold::vhlo {

/// Calls `read` for each element.
inline mlir::LogicalResult
readList(mlir::DialectBytecodeReader &reader,
         llvm::function_ref<mlir::LogicalResult()> read) {
  uint64_t count;
  if (failed(reader.readVarInt(count)))
    return mlir::failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(read()))
      return mlir::failure();
  return mlir::success();
}

inline mlir::LogicalResult readInts(mlir::DialectBytecodeReader &reader,
                                    llvm::SmallVectorImpl<int64_t> &numbers) {
  return readList(
      reader, [&] { return reader.readSignedVarInt(numbers.emplace_back()); });
}

} // namespace onnxfold::vhlo

#endif // ONNXFOLD_STABLEHLO_VHLO_INTERNAL_LISTS_H
