//===- WireCursor.cpp - Walking protobuf messages in a file ---------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/wire/WireCursor.h"

#include "onnxfold/onnx/io/files/IoError.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

using namespace llvm;

namespace onnxfold {

static constexpr size_t smallWindow = WireReader::maxViewSize;
static constexpr size_t largeWindow = 256 * 1024;
/// The longest head of a field: a tag and a length, both varints.
static constexpr size_t maxHead = 2 * protozero::max_varint_length;
/// Protobuf decodes tags and lengths in at most so many bytes.
static constexpr size_t maxTag = 5, maxLength = 5;

WireReader::WireReader(InputFileRef file)
    : input(std::move(file)), nextSize(smallWindow) {}

StringRef WireReader::refill(uint64_t offset, size_t count) {
  assert(count <= smallWindow && "a view is small; use read()");
  if (failed())
    return {};
  if (offset > input->size() || count > input->size() - offset) {
    fail("bytes " + Twine(offset) + " to " + Twine(offset + count) +
         " are beyond the end of the file");
    return {};
  }
  // A jump over a payload: what follows it may be one short field before the
  // next payload. While reads are close to each other, larger pieces pay.
  bool close = offset >= windowBegin && offset <= windowEnd + smallWindow;
  nextSize = close ? std::min(nextSize * 2, largeWindow) : smallWindow;
  if (!window)
    window = std::make_unique_for_overwrite<char[]>(
        std::min<uint64_t>(largeWindow, input->size()));
  size_t size = std::min<uint64_t>(nextSize, input->size() - offset);
  windowBegin = windowEnd = 0;
  if (Error error = input->read(offset, {window.get(), size})) {
    fail(std::move(error));
    return {};
  }
  windowBegin = offset;
  windowEnd = offset + size;
  return {window.get(), count};
}

bool WireReader::read(ByteRange range, MutableArrayRef<char> out) {
  assert(out.size() == range.size() && "a range and its bytes");
  if (failed())
    return false;
  // Small ranges are read through the window, so that their neighbours are
  // there.
  for (uint64_t done = 0; range.size() <= largeWindow && done < range.size();) {
    size_t count = std::min<uint64_t>(range.size() - done, smallWindow);
    StringRef piece = view(range.begin + done, count);
    if (failed())
      return false;
    std::memcpy(out.data() + done, piece.data(), count);
    done += count;
  }
  if (range.size() <= largeWindow)
    return true;
  if (Error error = input->read(range.begin, out))
    fail(std::move(error));
  return !failed();
}

StringRef WireReader::text(ByteRange range, BumpPtrAllocator &arena) {
  if (range.empty() || failed())
    return {};
  if (range.size() > maxTextSize) {
    fail("text at byte " + Twine(range.begin) + " has " + Twine(range.size()) +
         " bytes, expected at most " + Twine(maxTextSize));
    return {};
  }
  char *copy = arena.Allocate<char>(range.size());
  if (range.size() <= smallWindow) { // nearly all
    StringRef piece = view(range.begin, range.size());
    if (failed())
      return {};
    std::memcpy(copy, piece.data(), piece.size());
    return {copy, piece.size()};
  }
  if (!read(range, {copy, size_t(range.size())}))
    return {};
  return {copy, size_t(range.size())};
}

void WireReader::fail(const Twine &text) {
  if (!failed())
    failure = ModelFault().file(input->name()).says(text);
}

void WireReader::fail(Error error) {
  ModelFault fault = takeFault(std::move(error));
  if (!failed())
    failure = std::move(fault);
}

Error WireReader::takeError() {
  if (!failed())
    return Error::success();
  Error error = ModelFault(std::move(*failure));
  failure.reset();
  return error;
}

std::string WireLabel::text() const {
  std::string name = outer ? outer->text() + "." + kind : kind;
  if (index >= 0)
    name += depth ? "[" + std::to_string(index) + "]"
                  : " #" + std::to_string(index);
  return name;
}

void WireCursor::fail(const Twine &text) {
  reader->fail(label.text() + " at byte " + Twine(start) + ": " + text);
}

/// Decodes tag, and value or length, at `position`. For a group only the tag.
bool WireCursor::header(WireField &field) {
  size_t headSize = std::min<uint64_t>(limit - position, maxHead);
  StringRef head = reader->view(position, headSize);
  if (reader->failed())
    return false;
  const char *p = head.data();
  const char *end = p + head.size();
  try {
    uint64_t tag = protozero::decode_varint(&p, end);
    field.number = tag >> 3;
    field.type = WireType(tag & 7);
    field.tagSize = p - head.data();
    if (tag > UINT32_MAX || field.number == 0 || field.tagSize > maxTag) {
      fail("byte " + Twine(position) + " starts no field (tag " + Twine(tag) +
           " in " + Twine(unsigned(field.tagSize)) + " bytes)");
      return false;
    }
    const char *value = p;
    if (field.type == WireType::Varint || field.type == WireType::Length)
      field.value = protozero::decode_varint(&p, end);
    if (field.type == WireType::Length && size_t(p - value) > maxLength) {
      fail("the field at byte " + Twine(position) + " has a length in " +
           Twine(p - value) + " bytes, expected at most " + Twine(maxLength));
      return false;
    }
  } catch (const protozero::varint_too_long_exception &) {
    fail("the field at byte " + Twine(position) +
         " has a number of more than 10 bytes");
    return false;
  } catch (const protozero::exception &) {
    fail("the field at byte " + Twine(position) +
         " is cut off by the end of the " + label.kind);
    return false;
  }
  field.begin = position;
  field.bodyBegin = position + (p - head.data());
  return true;
}

/// Finds the end tag of a group: fields are skipped, nested groups counted.
bool WireCursor::skipGroup(WireField &group) {
  SmallVector<uint32_t, 8> open{group.number};
  auto tooDeep = [&] {
    if (label.depth + open.size() <= maxDepth)
      return false;
    fail("group " + Twine(group.number) + " at byte " + Twine(group.begin) +
         " is more than " + Twine(maxDepth) +
         " messages deep, which protobuf does not read");
    return true;
  };
  if (tooDeep())
    return false;
  position = group.bodyBegin;
  WireField inner;
  while (!open.empty()) {
    if (position == limit) {
      fail("group " + Twine(group.number) + " at byte " + Twine(group.begin) +
           " has no end");
      return false;
    }
    if (!header(inner))
      return false;
    if (inner.type == WireType::Group) {
      open.push_back(inner.number);
      position = inner.bodyBegin;
      if (tooDeep())
        return false;
    } else if (inner.type == WireType::GroupEnd) {
      if (open.pop_back_val() != inner.number) {
        fail("the group end at byte " + Twine(inner.begin) +
             " belongs to no open group");
        return false;
      }
      position = inner.bodyBegin;
    } else if (!next(inner)) {
      return false;
    }
  }
  group.bodyEnd = inner.begin;
  group.end = position;
  return true;
}

/// The longest head of a short field.
static constexpr size_t shortHead = 3;

/// Decodes a field at `position` that has a tag of at most two bytes, and a
/// length or a number of one, as nearly all have. False for any other, of which
/// nothing is noted.
static bool decodeShort(StringRef head, uint64_t position, WireField &field) {
  uint8_t first = head[0], second = head[1];
  unsigned tagSize = first < 0x80 ? 1 : 2;
  unsigned tag = first < 0x80 ? first : (first & 0x7F) | second << 7;
  uint8_t value = head[tagSize];
  bool isLength = WireType(tag & 7) == WireType::Length;
  if ((!isLength && WireType(tag & 7) != WireType::Varint) || tag < 8 ||
      value >= 0x80 || (tagSize == 2 && second >= 0x80))
    return false;
  field.number = tag >> 3;
  field.type = WireType(tag & 7);
  field.tagSize = tagSize;
  field.value = value;
  field.begin = position;
  field.bodyBegin = position + tagSize + isLength;
  field.bodyEnd = field.end = position + tagSize + 1 + (isLength ? value : 0);
  return true;
}

bool WireCursor::next(WireField &field) {
  if (position == limit || reader->failed())
    return false;
  if (limit - position >= shortHead) {
    StringRef head = reader->view(position, shortHead);
    if (reader->failed())
      return false;
    if (decodeShort(head, position, field) && field.end <= limit) {
      position = field.end;
      return true;
    }
  }
  if (!header(field))
    return false;
  uint64_t size = 0;
  switch (field.type) {
  case WireType::Varint:
    break;
  case WireType::Fixed64:
  case WireType::Fixed32:
    size = field.type == WireType::Fixed64 ? 8 : 4;
    break;
  case WireType::Length:
    size = field.value;
    break;
  case WireType::Group:
    return skipGroup(field);
  default:
    fail("the field at byte " + Twine(position) + " has wire type " +
         Twine(unsigned(field.type)) + ", expected 0, 1, 2, 3 or 5");
    return false;
  }
  if (size > limit - field.bodyBegin) {
    fail("field " + Twine(field.number) + " at byte " + Twine(position) +
         " has a length of " + Twine(size) + " bytes, which runs past the " +
         "end of the " + label.kind + " at byte " + Twine(limit));
    return false;
  }
  if (field.type == WireType::Fixed64 || field.type == WireType::Fixed32) {
    StringRef bytes = reader->view(field.bodyBegin, size);
    if (reader->failed())
      return false;
    field.value = 0;
    std::memcpy(&field.value, bytes.data(), size); // little endian, as we are
  }
  position = field.bodyEnd = field.end = field.bodyBegin + size;
  if (field.type == WireType::Varint)
    field.bodyBegin = field.begin + field.tagSize;
  return true;
}

std::optional<WireField> onlyField(WireReader &reader, ByteRange message,
                                   uint32_t number) {
  std::optional<WireField> only;
  WireCursor cursor(reader, message, {"message"});
  WireField field;
  while (cursor.next(field))
    if (field.isMessage(number)) {
      if (only)
        return std::nullopt;
      only = field;
    }
  return only;
}

} // namespace onnxfold
