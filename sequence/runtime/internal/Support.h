//===- Support.h - Of the sequence run time alone ---------------*- C++ -*-===//
//
// Buffers with strides, and stopping a program.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SEQUENCE_RUNTIME_INTERNAL_SUPPORT_H
#define ONNXFOLD_SEQUENCE_RUNTIME_INTERNAL_SUPPORT_H

#include "onnxfold/sequence/runtime/Runtime.h"
#include <vector>

namespace onnxfold::sequence {

/// Calls the error handler and aborts.
[[noreturn]] void stopProgram(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/// A buffer as a memref descriptor says it: strides in elements.
struct BufferView {
  BufferView(const void *descriptor, int64_t rank, int64_t elementBytes);
  BufferView(SequenceRecord &record);

  /// A view of the same data; the caller owns the vectors.
  BufferView withShape(const std::vector<int64_t> &newSizes,
                       const std::vector<int64_t> &newStrides) const;

  char *data;
  int64_t rank, elementBytes;
  const int64_t *sizes, *strides;
};

/// Copies `source` into `target`, which has its shape.
void copyStrided(const BufferView &target, const BufferView &source);

/// The part of `target` of the shape of `source` that begins at `offset` along
/// `axis` gets the values of `source`.
void copyInto(const BufferView &target, int64_t axis, int64_t offset,
              const BufferView &source);

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_RUNTIME_INTERNAL_SUPPORT_H
