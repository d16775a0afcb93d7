//===- Window.h - Reading a tensor piece by piece ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Loops over rows read through a Window. It gives the address of a piece in the
// tensor's own memory if possible; else it fills a buffer ahead of the reader,
// so that short rows of a deferred program cost no more than long ones. Each
// thread needs a Window of its own.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_INTERNAL_WINDOW_H
#define ONNXFOLD_ELEMENTS_OPS_INTERNAL_WINDOW_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/widenum/Convert.h"
#include <algorithm>

namespace onnxfold::ops {

class Window {
public:
  /// Reads the `size` elements of `reader`, of type `from`, as type `to`. At
  /// least `ahead` elements are read at a time.
  Window(const Elements::Reader &reader, int64_t size, DataType from,
         DataType to, int64_t ahead = 32 << 10)
      : reader(reader), size(size), ahead(ahead), from(from), to(to) {}

  /// Elements [first, first + count), valid until the next call.
  const char *get(int64_t first, int64_t count) {
    if (from == to)
      if (auto *all = static_cast<const char *>(reader.contiguous()))
        return all + first * byteWidth(from);
    if (first < begin || first + count > end)
      fill(first, std::min(size - first, std::max(count, ahead)));
    return data + (first - begin) * byteWidth(to);
  }

  /// Whether get() only computes addresses in the tensor's own memory.
  bool isInPlace() const { return from == to && reader.contiguous(); }

  template <class T> const T *get(int64_t first, int64_t count) {
    return reinterpret_cast<const T *>(get(first, count));
  }

private:
  void fill(int64_t first, int64_t count) {
    reserve(raw, count * byteWidth(from));
    const void *bytes = reader.view(first, count, raw->data());
    data = static_cast<const char *>(bytes);
    if (from != to) {
      reserve(converted, count * byteWidth(to));
      convertBlock(to, converted->data(), from, bytes, count);
      data = converted->data();
    }
    begin = first;
    end = first + count;
  }

  static void reserve(llvm::IntrusiveRefCntPtr<HeapBuffer> &buffer,
                      uint64_t bytes) {
    if (!buffer || buffer->size() < bytes)
      buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes);
  }

  const Elements::Reader &reader;
  int64_t size, ahead;
  DataType from, to;
  int64_t begin = 0, end = 0;
  const char *data = nullptr;
  llvm::IntrusiveRefCntPtr<HeapBuffer> raw, converted;
};

/// x with `axis` as the last dimension; the others keep their order.
inline Elements moveAxisLast(const Elements &x, int64_t axis) {
  Shape perm;
  for (int64_t d = 0; d < x.rank(); ++d)
    if (d != axis)
      perm.push_back(d);
  perm.push_back(axis);
  return x.transpose(perm);
}

/// The inverse of moveAxisLast.
inline Elements moveLastTo(const Elements &x, int64_t axis) {
  Shape perm;
  for (int64_t d = 0; d + 1 < x.rank(); ++d)
    perm.push_back(d);
  perm.insert(perm.begin() + axis, x.rank() - 1);
  return x.transpose(perm);
}

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_INTERNAL_WINDOW_H
