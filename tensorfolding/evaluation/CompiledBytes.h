//===- CompiledBytes.h - Elements as compiled code has them -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiled code reads and writes tensors through memref descriptors, row-major
// and in whole bytes. Only elements narrower than a byte differ from those of
// Elements: their unused bits are zero, also for negative numbers.
//
//   Elements ready = toCompiledBytes(weights);
//   MemrefDescriptor x(ready.residentBytes(), ready.shape());
//   Elements result = fromCompiledBytes(type, shape, buffer);
//
// Thread safety: as Elements. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_EVALUATION_COMPILEDBYTES_H
#define ONNXFOLD_TENSORFOLDING_EVALUATION_COMPILEDBYTES_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// The tensor with its bytes in memory that compiled code may read:
/// residentBytes() is not null (unless the tensor is empty) and aligned for any
/// element type. If the type is narrower than a byte, the result may be used
/// for compiled code only.
/// REQUIRES: not String or Opaque.
Elements toCompiledBytes(const Elements &elements);

/// The tensor that compiled code has written to `buffer`; the result owns the
/// buffer.
Elements fromCompiledBytes(DataType type, ShapeRef shape,
                           llvm::IntrusiveRefCntPtr<HeapBuffer> buffer);

/// The C structure of a ranked memref: two pointers, the offset, the sizes, the
/// strides.
class MemrefDescriptor {
public:
  /// Row-major elements at `data`.
  MemrefDescriptor(const void *data, ShapeRef shape);
  void *get() { return words.data(); }

private:
  llvm::SmallVector<int64_t> words;
};

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_EVALUATION_COMPILEDBYTES_H
