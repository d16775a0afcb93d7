//===- FieldStripper.cpp - Fields that no message keeps -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/write/internal/FieldStripper.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using llvm::StringRef;

namespace {

enum class Kind : uint8_t { None, Metadata, Doc, Name, Type };

struct KindOfField {
  wire::Holds message;
  uint8_t number;
  Kind kind;
};

/// onnx.proto; a test compares it with the descriptors.
constexpr KindOfField kinds[] = {
    {wire::Model, 6, Kind::Doc},          {wire::Model, 14, Kind::Metadata},
    {wire::Graph, 10, Kind::Doc},         {wire::Graph, 13, Kind::Type},
    {wire::Graph, 16, Kind::Metadata},    {wire::Node, 3, Kind::Name},
    {wire::Node, 6, Kind::Doc},           {wire::Node, 9, Kind::Metadata},
    {wire::Attribute, 13, Kind::Doc},     {wire::Tensor, 12, Kind::Doc},
    {wire::Tensor, 16, Kind::Metadata},   {wire::ValueInfo, 3, Kind::Doc},
    {wire::ValueInfo, 4, Kind::Metadata}, {wire::Function, 8, Kind::Doc},
    {wire::Function, 12, Kind::Type},     {wire::Function, 14, Kind::Metadata},
};

constexpr auto kindsByNumber = [] {
  std::array<std::array<Kind, wire::numNumbers>, wire::NumKinds> table{};
  for (const KindOfField &entry : kinds)
    table[entry.message][entry.number] = entry.kind;
  return table;
}();

Kind kindOf(wire::Holds message, const WireField &field) {
  bool isKnown =
      field.type == WireType::Length && field.number < wire::numNumbers;
  return isKnown ? kindsByNumber[message][field.number] : Kind::None;
}

/// The exporters of torch write where in the program a node comes from:
/// "pkg.torch.onnx.stack_trace".
bool isStackTrace(StringRef key) {
  return key.rsplit('.').second == "stack_trace" || key == "stack_trace";
}

} // namespace

bool FieldStripper::strips(StringRef key) const {
  if (key == "onnx-fold.from" && fields.metadata)
    return !fields.keepsProvenance;
  if (key.starts_with("onnx-fold."))
    return false;
  return fields.metadata || (fields.stackTraces && isStackTrace(key));
}

const char *FieldStripper::stripped(wire::Holds message,
                                    const WireField &field) {
  switch (kindOf(message, field)) {
  case Kind::None:
    return nullptr;
  case Kind::Doc:
    return fields.docs ? "doc_string" : nullptr;
  case Kind::Name:
    return fields.names ? "node name" : nullptr;
  case Kind::Type:
    return fields.types ? "value_info" : nullptr;
  case Kind::Metadata:
    break;
  }
  if (!fields.metadata && !fields.stackTraces)
    return nullptr;
  llvm::BumpPtrAllocator arena;
  StringRef key;
  WireCursor entry(reader, field.body(), {"metadata entry"});
  WireField inner;
  while (entry.next(inner)) // a key of any size is no error
    if (inner.isMessage(1) && inner.body().size() <= WireReader::maxViewSize)
      key = reader.text(inner.body(), arena);
  if (!strips(key))
    return nullptr;
  return fields.metadata ? "metadata entry" : "stack trace";
}

void FieldStripper::walk(EditScript &script, const MessageSpan &message,
                         wire::Holds kind, CleaningRecord &record) {
  // What was moved out of an erased message is kept.
  bool isErased = script.isErased(message);
  WireCursor cursor(reader, message.contents(), {"message"});
  WireField field;
  while (cursor.next(field)) {
    const char *what = isErased ? nullptr : stripped(kind, field);
    if (what) {
      script.erase(message, field.whole());
      record.note(what, field.whole().size());
      continue;
    }
    const wire::KnownField *known = wire::knownField(kind, field);
    if (!known || known->holds < wire::Model || known->holds == wire::Plain)
      continue;
    walk(script, field.span(&message), known->holds, record);
  }
}

llvm::Error FieldStripper::strip(EditScript &script, const MessageSpan &model,
                                 CleaningRecord &record) {
  if (fields.any())
    walk(script, model, wire::Model, record);
  return reader.takeError();
}

void FieldStripper::copy(wire::Holds message, const WireField &field,
                         MessageBytes &to) {
  if (!fields.any())
    return to.keep(reader, field.whole());
  if (stripped(message, field))
    return;
  const wire::KnownField *known = wire::knownField(message, field);
  if (!known || known->holds < wire::Model || known->holds == wire::Plain)
    return to.keep(reader, field.whole());
  MessageBytes inner;
  copyFields(known->holds, field.body(), inner);
  to.addMessage(field.number, std::move(inner));
}

void FieldStripper::copyFields(wire::Holds message, ByteRange contents,
                               MessageBytes &to) {
  WireCursor cursor(reader, contents, {"message"});
  WireField field;
  while (cursor.next(field))
    copy(message, field, to);
}

void FieldStripper::copyMessage(wire::Holds kind, uint32_t number,
                                const MessageSpan &message, MessageBytes &to) {
  if (!fields.any())
    return to.keep(reader, message.field());
  MessageBytes bytes;
  copyFields(kind, message.contents(), bytes);
  to.addMessage(number, std::move(bytes));
}

void FieldStripper::strip(NodeTexts &texts) const {
  if (fields.docs)
    texts.doc.reset();
  llvm::erase_if(texts.metadata,
                 [&](const auto &entry) { return strips(entry.first); });
}

void FieldStripper::strip(onnx::ValueInfoProto &info) const {
  if (fields.docs)
    info.clear_doc_string();
  auto &metadata = *info.mutable_metadata_props();
  for (int i = metadata.size(); i-- > 0;)
    if (strips(metadata.Get(i).key()))
      metadata.DeleteSubrange(i, 1);
}
