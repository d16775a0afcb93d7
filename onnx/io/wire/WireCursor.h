//===- WireCursor.h - Walking protobuf messages in a file -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A WireCursor walks over the fields of a protobuf message by offsets in a
// file. Payloads are skipped without being read: the reader looks at the file
// through one window of at most 256 KiB, small after a jump and growing while
// reads are close, so that a model of gigabytes costs a few KB per large tensor
// and a model of a million nodes is read in large pieces, once. Nested cursors
// share the window; they hold offsets only and cost nothing to make.
//
// The walk accepts what protobuf accepts, overlong varints, groups and field
// numbers of any kind included, and lengths beyond protobuf's 2 GB; and it
// refuses what protobuf refuses. Errors are sticky: the first one (wrong bytes or a failing read) ends all
// walks of its reader; next() then returns false, and takeError() returns the
// error.
//
// Thread safety: one reader per thread; several readers may read one file at
// once.
//
// Example:
//   WireReader reader(file);
//   WireCursor model(reader, {0, file->size()}, {"model"});
//   WireField field;
//   while (model.next(field))
//     if (field.isMessage(7))
//       walkGraph(WireCursor(reader, field.body(), {"graph"}));
//   if (Error error = reader.takeError())
//     return error;
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WIRE_WIRECURSOR_H
#define ONNXFOLD_ONNX_IO_WIRE_WIRECURSOR_H

#include "onnxfold/onnx/io/files/InputFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"

#include <memory>
#include <optional>
#include <string>

namespace onnxfold {

/// Wire types of protobuf fields.
enum class WireType : uint8_t {
  Varint = 0,
  Fixed64 = 1,
  Length = 2,
  Group = 3,
  GroupEnd = 4, // never seen by callers
  Fixed32 = 5
};

/// One field of a message.
struct WireField {
  uint32_t number = 0;
  WireType type = WireType::Varint;
  uint8_t tagSize = 0;
  uint64_t begin = 0;     ///< offset of the tag
  uint64_t bodyBegin = 0; ///< after tag and length
  uint64_t bodyEnd = 0;   ///< without the end tag of a group
  uint64_t end = 0;       ///< offset of the next field
  uint64_t value = 0;     ///< of Varint, Fixed32 and Fixed64

  ByteRange whole() const { return {begin, end}; }
  ByteRange body() const { return {bodyBegin, bodyEnd}; }
  /// Whether it is this field in its declared wire type. Protobuf treats a
  /// known number with another wire type as an unknown field, and so must every
  /// reader.
  bool is(uint32_t wanted, WireType wantedType) const {
    return number == wanted && type == wantedType;
  }
  bool isVarint(uint32_t wanted) const { return is(wanted, WireType::Varint); }
  bool isMessage(uint32_t wanted) const { return is(wanted, WireType::Length); }
  MessageSpan span(const MessageSpan *parent) const {
    return {begin, tagSize, bodyBegin, end, parent};
  }
};

/// The name of a message in errors: `graph`, or `node #17`, or the path to it
/// from the model, `graph.node[17]`.
struct WireLabel {
  const char *kind = "message";
  int64_t index = -1;
  /// Messages around it, of which protobuf allows WireCursor::maxDepth, groups
  /// included. 0 where checkWire() has looked already.
  unsigned depth = 0;
  /// The message around it, if the name is a path; it must outlive the cursor.
  const WireLabel *outer = nullptr;

  std::string text() const;
};

/// The window on a file, as described at the head of this header.
class WireReader {
public:
  /// Names, operator types and other texts longer than this are refused.
  static constexpr uint64_t maxTextSize = 1 << 20;

  /// The most bytes of one view.
  static constexpr size_t maxViewSize = 4096;

  explicit WireReader(InputFileRef file);

  const InputFile &file() const { return *input; }
  const InputFileRef &fileRef() const { return input; }

  /// The bytes at `offset`: `count` of them, or none after an error. They are
  /// valid until the next call. REQUIRES: count <= maxViewSize.
  llvm::StringRef view(uint64_t offset, size_t count) {
    if (offset >= windowBegin && offset + count <= windowEnd)
      return {window.get() + (offset - windowBegin), count};
    return refill(offset, count);
  }

  /// Copies a range of any size.
  bool read(ByteRange range, llvm::MutableArrayRef<char> out);

  /// A copy of a text of at most maxTextSize bytes in `arena`.
  llvm::StringRef text(ByteRange range, llvm::BumpPtrAllocator &arena);

  bool failed() const { return failure.has_value(); }
  /// Records an error about this file; the first one is kept.
  void fail(const llvm::Twine &text);
  void fail(llvm::Error error);
  /// The error, if there was one; the reader is then usable again.
  llvm::Error takeError();

private:
  llvm::StringRef refill(uint64_t offset, size_t count);

  InputFileRef input;
  std::unique_ptr<char[]> window;
  uint64_t windowBegin = 0;
  uint64_t windowEnd = 0;
  size_t nextSize;
  std::optional<ModelFault> failure;
};

/// The fields of one message, in the order of the file.
class WireCursor {
public:
  /// Protobuf's limit on nested messages and groups.
  static constexpr unsigned maxDepth = 100;

  WireCursor(WireReader &reader, ByteRange contents, WireLabel label = {})
      : reader(&reader), start(contents.begin), position(contents.begin),
        limit(contents.end), label(label) {}

  /// The next field; false at the end of the message and after an error.
  bool next(WireField &field);

  /// Records an error about this message: `<file>: <label> at byte <n>:
  /// <text>`.
  void fail(const llvm::Twine &text);

private:
  bool header(WireField &field);
  bool skipGroup(WireField &group);

  WireReader *reader;
  uint64_t start;
  uint64_t position;
  uint64_t limit;
  WireLabel label;
};

/// The only field of this number in a message; nothing if there are several.
std::optional<WireField> onlyField(WireReader &reader, ByteRange message,
                                   uint32_t number);

/// Collects the occurrences of one repeated scalar or string field, packed or
/// not, as ranges of whole fields (tags included); neighbours become one range.
class FieldRuns {
public:
  void add(const WireField &field) {
    if (!ranges.empty() && ranges.back().end == field.begin)
      ranges.back().end = field.end;
    else
      ranges.push_back(field.whole());
  }
  bool empty() const { return ranges.empty(); }
  llvm::ArrayRef<ByteRange> get() const { return ranges; }
  /// Bytes of all ranges.
  uint64_t size() const {
    uint64_t sum = 0;
    for (ByteRange range : ranges)
      sum += range.size();
    return sum;
  }

private:
  llvm::SmallVector<ByteRange, 1> ranges;
};

/// Copies a list into an arena.
template <typename T>
llvm::ArrayRef<T> copyList(llvm::ArrayRef<T> list,
                           llvm::BumpPtrAllocator &arena) {
  static_assert(std::is_trivially_destructible_v<T>);
  T *copy = arena.Allocate<T>(list.size());
  std::uninitialized_copy(list.begin(), list.end(), copy);
  return {copy, list.size()};
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WIRE_WIRECURSOR_H
