//===- CompiledBytes.h - Elements as compiled code has them -----*- C++ -*-===//
//
// Compiled code reads and writes tensors through memref descriptors, row-major
// and in whole bytes. Only elements narrower than a byte differ from those of
// an Elements: unused bits are zero, also of negative numbers.
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

/// The same bytes where compiled code may read them: residentBytes() is not
/// null (unless empty) and at an address for any element type. A tensor of a
/// type narrower than a byte is only good for that.
/// REQUIRES: not String or Opaque.
Elements toCompiledBytes(const Elements &elements);

/// What compiled code has left in `buffer`, which becomes the tensor's own.
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
