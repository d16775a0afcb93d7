//===- Support.h - Of the sequence run time alone ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Copies buffers with strides, and stops a program with a message.
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

/// A buffer as described by a memref descriptor; strides are in elements.
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

/// Copies `source` into `target`, at `offset` along `axis`.
void copyInto(const BufferView &target, int64_t axis, int64_t offset,
              const BufferView &source);

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_RUNTIME_INTERNAL_SUPPORT_H
