//===- Mutator.cpp - Changes of protobuf that keep its lengths ------------===//
//
// libFuzzer's own changes break a length prefix almost every time, and then
// nothing behind the wire is reached. Here the contents of one field, anywhere
// in the tree of messages, are changed, removed, doubled or replaced by those
// of another one, and the lengths around them are written anew.
//
//===----------------------------------------------------------------------===//
#include "protozero/buffer_string.hpp"
#include "protozero/varint.hpp"
#include "llvm/ADT/StringRef.h"
#include <random>
#include <string>
#include <vector>

using llvm::StringRef;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

/// A field: its bytes, and for length-delimited ones what is inside.
struct Field {
  StringRef whole;
  StringRef content;
  uint64_t tag = 0;
  bool isLength() const { return (tag & 7) == 2; }
};

} // namespace

static bool readVarint(StringRef &bytes, uint64_t &value) {
  const char *at = bytes.begin();
  try {
    value = protozero::decode_varint(&at, bytes.end());
  } catch (const protozero::exception &) {
    return false;
  }
  bytes = bytes.drop_front(at - bytes.begin());
  return true;
}

/// The fields of a message; false if the bytes are none.
static bool split(StringRef bytes, std::vector<Field> &fields) {
  while (!bytes.empty()) {
    Field field;
    StringRef rest = bytes;
    if (!readVarint(rest, field.tag) || field.tag < 8)
      return false;
    uint64_t size = 0, ignored;
    if (field.isLength() ? !readVarint(rest, size)
                         : (field.tag & 7) == 0 && !readVarint(rest, ignored))
      return false;
    if ((field.tag & 7) == 1 || (field.tag & 7) == 5)
      size = (field.tag & 7) == 1 ? 8 : 4;
    else if ((field.tag & 7) > 2)
      return false;
    if (size > rest.size())
      return false;
    field.content = rest.take_front(size);
    rest = rest.drop_front(size);
    field.whole = bytes.drop_back(rest.size());
    fields.push_back(field);
    bytes = rest;
  }
  return true;
}

static std::string encode(uint64_t tag, StringRef content) {
  std::string bytes;
  protozero::add_varint_to_buffer(&bytes, tag);
  protozero::add_varint_to_buffer(&bytes, content.size());
  return bytes + content.str();
}

static std::string mutateBytes(StringRef bytes, size_t most) {
  std::string buffer = bytes.str();
  buffer.resize(std::max(bytes.size() + 64, size_t(64)));
  buffer.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(buffer.data()),
                                 bytes.size(), std::min(buffer.size(), most)));
  return buffer;
}

static std::string mutateMessage(StringRef bytes, std::minstd_rand &random,
                                 unsigned depth) {
  std::vector<Field> fields;
  if (depth > 8 || !split(bytes, fields) || fields.empty())
    return mutateBytes(bytes, 1 << 16);
  size_t chosen = random() % fields.size();
  const Field &field = fields[chosen],
              &other = fields[random() % fields.size()];
  std::string changed;
  switch (random() % 12) {
  case 0: // gone
    break;
  case 1: // twice
    changed = field.whole.str() + field.whole.str();
    break;
  case 2: // another one's contents under this tag
    changed =
        field.isLength() ? encode(field.tag, other.content) : other.whole.str();
    break;
  case 3: // changes places with another one
    changed = other.whole.str();
    for (Field &place : fields)
      if (place.whole.data() == other.whole.data())
        place.whole = field.whole;
    break;
  default:
    changed =
        field.isLength()
            ? encode(field.tag, mutateMessage(field.content, random, depth + 1))
            : mutateBytes(field.whole, field.whole.size() + 8);
  }
  std::string result;
  for (size_t i = 0; i < fields.size(); ++i)
    result += i == chosen ? changed : fields[i].whole.str();
  return result;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::minstd_rand random(seed);
  if (random() % 16 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string result =
      mutateMessage(StringRef(reinterpret_cast<char *>(data), size), random, 0);
  if (result.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::copy(result.begin(), result.end(), data);
  return result.size();
}
