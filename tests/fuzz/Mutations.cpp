//===- Mutations.cpp - Changes of protobuf that keep its lengths ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tests/fuzz/Mutations.h"

#include "protozero/buffer_string.hpp"
#include "protozero/varint.hpp"
#include <vector>

using llvm::StringRef;
using namespace onnxfold;

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

static std::string mutate(StringRef bytes, std::minstd_rand &random,
                          ChangeBytes changeBytes, unsigned depth) {
  std::vector<Field> fields;
  if (depth > 8 || !split(bytes, fields) || fields.empty())
    return changeBytes(bytes, 1 << 16);
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
    changed = field.isLength()
                  ? encode(field.tag, mutate(field.content, random, changeBytes,
                                             depth + 1))
                  : changeBytes(field.whole, field.whole.size() + 8);
  }
  std::string result;
  for (size_t i = 0; i < fields.size(); ++i)
    result += i == chosen ? changed : fields[i].whole.str();
  return result;
}

std::string onnxfold::mutateMessage(StringRef bytes, std::minstd_rand &random,
                                    ChangeBytes changeBytes) {
  return mutate(bytes, random, changeBytes, 0);
}

/// The head of a field somewhere in the tree: its tag and length.
static StringRef chooseHead(StringRef bytes, std::minstd_rand &random) {
  StringRef head = bytes.take_front(2);
  std::vector<Field> fields;
  while (split(bytes, fields) && !fields.empty()) {
    const Field &field = fields[random() % fields.size()];
    head = field.whole.drop_back(field.content.size());
    if (!field.isLength() || random() % 4 == 0)
      break;
    bytes = field.content;
    fields.clear();
  }
  return head;
}

std::string onnxfold::damageWire(StringRef bytes, std::minstd_rand &random) {
  std::string changed = bytes.str();
  StringRef head = chooseHead(bytes, random);
  if (head.empty())
    return changed;
  size_t place = head.data() - bytes.data() + random() % head.size();
  switch (random() % 8) {
  case 0: // another wire type
    changed[place] = char(changed[place] ^ char(1 + random() % 7));
    break;
  case 1:
    changed.erase(place, 1 + random() % 3);
    break;
  case 2: // overlong, or the next byte is part of it
    changed.insert(place, 1 + random() % 10, '\x80');
    break;
  case 3:
    changed[place] = char(changed[place] ^ '\x80');
    break;
  case 4:
    changed.resize(place);
    break;
  case 5:
    changed.insert(place, 1, char(random()));
    break;
  default:
    changed[place] = char(random());
  }
  return changed;
}

/// Numbers at edges of types, as varints and as plain bytes.
static std::string edgeNumber(std::minstd_rand &random) {
  static const uint64_t edges[] = {
      0,          1,          2,          7,          255,
      256,        0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
      1ull << 62, ~0ull >> 1, 1ull << 63, ~0ull};
  uint64_t number = edges[random() % std::size(edges)];
  if (random() % 2)
    return std::string(reinterpret_cast<const char *>(&number),
                       random() % 2 ? 4 : 8);
  std::string varint;
  protozero::add_varint_to_buffer(&varint, number);
  return varint;
}

std::string onnxfold::changeSomeBytes(StringRef bytes, size_t most,
                                      std::minstd_rand &random) {
  std::string changed = bytes.str();
  size_t place = changed.empty() ? 0 : random() % changed.size();
  switch (changed.empty() ? 4 : random() % 8) {
  case 0:
    changed[place] = char(random());
    break;
  case 1:
    changed.erase(place, 1 + random() % 8);
    break;
  case 2:
    changed.insert(place, changed.substr(place, 1 + random() % 8));
    break;
  case 3:
    changed.replace(place, 1 + random() % 8, edgeNumber(random));
    break;
  case 4:
    changed.insert(place, edgeNumber(random));
    break;
  case 5:
    changed.resize(place);
    break;
  default:
    changed[place] = char(changed[place] ^ char(1 << random() % 8));
  }
  if (changed.size() > most)
    changed.resize(most);
  return changed;
}
