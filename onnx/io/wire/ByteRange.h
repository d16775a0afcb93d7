//===- ByteRange.h - Ranges of bytes of a file, and messages --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The two value types that reading and writing share. A ByteRange is a half
// open range of offsets in one file. A MessageSpan is the place of a protobuf
// message, with a pointer to the place of the message around it: the writer
// needs no more than that chain to correct the length prefixes around an edit.
//
// Both are plain values and own nothing. A MessageSpan points to the span of
// its parent, which must outlive it; the spans of a ModelIndex live as long as
// the index.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WIRE_BYTERANGE_H
#define ONNXFOLD_ONNX_IO_WIRE_BYTERANGE_H

#include <cstdint>

namespace onnxfold {

/// Offsets [begin, end) of a file.
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  uint64_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
  bool contains(ByteRange other) const {
    return begin <= other.begin && other.end <= end;
  }
  friend bool operator==(ByteRange a, ByteRange b) {
    return a.begin == b.begin && a.end == b.end;
  }
};

/// A length-delimited message: a tag of `tagSize` bytes at `begin`, the length,
/// contents in [body, end). The root message of a file has no tag, no length
/// and no parent. A span takes 32 bytes only, since there is one for every node
/// of a model.
struct MessageSpan {
  uint64_t begin : 56 = 0;
  uint64_t tagSize : 8 = 0;
  uint64_t body = 0;
  uint64_t end = 0;
  const MessageSpan *parent = nullptr;

  /// The whole field, tag and length included.
  ByteRange field() const { return {begin, end}; }
  /// The contents, without tag and length.
  ByteRange contents() const { return {body, end}; }
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WIRE_BYTERANGE_H
