//===- WireCheck.cpp - Whether protobuf can read a model ------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/wire/WireCheck.h"
#include "onnxfold/onnx/io/wire/internal/FieldNumbers.h"
#include "onnxfold/onnx/io/wire/internal/MessageTable.h"

#include "llvm/Support/Endian.h"

#include <algorithm>
#include <protozero/varint.hpp>

using namespace llvm;

namespace onnxfold {

namespace {

class WireCheck {
public:
  explicit WireCheck(WireReader &reader) : reader(reader) {}

  void message(ByteRange contents, wire::Holds kind, const WireLabel &label);

  NodeContents nodes;

private:
  void numbers(WireCursor &cursor, const WireField &field,
               const wire::KnownField &known);
  void varints(WireCursor &cursor, const WireField &field,
               const wire::KnownField &known);

  WireReader &reader;
};

} // namespace

/// Protobuf decodes the numbers: none may be too long or without an end.
void WireCheck::varints(WireCursor &cursor, const WireField &field,
                        const wire::KnownField &known) {
  constexpr uint64_t highBits = 0x8080808080808080;
  size_t run = 0; // bytes of the current number that are not its last
  for (uint64_t at = field.bodyBegin; at < field.bodyEnd;) {
    uint64_t size =
        std::min<uint64_t>(field.bodyEnd - at, WireReader::maxViewSize);
    StringRef block = reader.view(at, size);
    if (reader.failed())
      return;
    for (size_t i = 0; i < block.size();) {
      if (run == 0 && i + sizeof(highBits) <= block.size() &&
          !(support::endian::read64le(block.data() + i) & highBits)) {
        i += sizeof(highBits); // eight small numbers
        continue;
      }
      run = uint8_t(block[i++]) >= 0x80 ? run + 1 : 0;
      if (run == protozero::max_varint_length)
        return cursor.fail("a number in '" + Twine(known.name) + "' at byte " +
                           Twine(field.begin) + " has more than 10 bytes");
    }
    at += size;
  }
  if (run != 0)
    cursor.fail("the numbers in '" + Twine(known.name) + "' at byte " +
                Twine(field.begin) + " end in the middle of one");
}

/// A list of numbers in one field.
void WireCheck::numbers(WireCursor &cursor, const WireField &field,
                        const wire::KnownField &known) {
  if (known.holds == wire::Varints)
    return varints(cursor, field, known);
  unsigned width = known.holds == wire::Fixed32s ? 4 : 8;
  if (field.body().size() % width != 0)
    cursor.fail("'" + Twine(known.name) + "' at byte " + Twine(field.begin) +
                " has " + Twine(field.body().size()) +
                " bytes, expected a multiple of " + Twine(width));
}

void WireCheck::message(ByteRange contents, wire::Holds kind,
                        const WireLabel &label) {
  WireCursor cursor(reader, contents, label);
  std::array<uint32_t, wire::numNumbers> counts{};
  WireField field;
  while (cursor.next(field)) {
    nodes.texts |= kind == wire::Node &&
                   (field.isMessage(nodeDoc) || field.isMessage(nodeMetadata));
    const wire::KnownField *found = wire::knownField(kind, field);
    if (!found)
      continue;
    const wire::KnownField &known = *found;
    if (known.holds < wire::Model) {
      numbers(cursor, field, known);
      continue;
    }
    nodes.graphs |= kind == wire::Attribute && known.holds == wire::Graph;
    WireLabel inner{known.name,
                    known.count == wire::Many ? int64_t(counts[field.number]++)
                                              : -1,
                    label.depth + 1, kind == wire::Model ? nullptr : &label};
    if (inner.depth > WireCursor::maxDepth)
      return cursor.fail("'" + Twine(known.name) + "' at byte " +
                         Twine(field.begin) + " is more than " +
                         Twine(WireCursor::maxDepth) +
                         " messages deep, which protobuf does not read");
    message(field.body(), known.holds, inner);
  }
}

NodeContents checkWire(WireReader &reader, ByteRange model) {
  WireCheck check(reader);
  check.message(model, wire::Model, {"model"});
  return check.nodes;
}

} // namespace onnxfold
