//===- NodeTexts.cpp - The texts of nodes that became one -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/write/NodeTexts.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/wire/FieldEncoding.h"
#include "onnxfold/onnx/io/wire/internal/FieldNumbers.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using llvm::StringRef;

bool NodeTexts::hasKey(StringRef key) const {
  return llvm::is_contained(llvm::make_first_range(metadata), key);
}

bool NodeTexts::has(StringRef key, StringRef value) const {
  return llvm::any_of(metadata, [&](const auto &entry) {
    return entry.first == key && entry.second == value;
  });
}

std::string NodeTexts::keepCommon(const NodeTexts &other) {
  std::string lost;
  if (doc && doc != other.doc) {
    lost = "doc_string";
    doc.reset();
  }
  llvm::erase_if(metadata, [&](const auto &entry) {
    bool isCommon = other.has(entry.first, entry.second);
    if (!isCommon && lost.empty())
      lost = "metadata_props['" + printableName(entry.first) + "']";
    return !isCommon;
  });
  if (lost.empty() && other.doc && !doc)
    lost = "doc_string";
  for (const auto &[key, value] : other.metadata)
    if (lost.empty() && !has(key, value))
      lost = "metadata_props['" + printableName(key) + "']";
  return lost;
}

void NodeTexts::complete(const NodeTexts &other) {
  bool isSaid = !other.doc || other.doc->empty() || doc == other.doc;
  if (!doc || (doc->empty() && !isSaid))
    doc = other.doc;
  else if (!isSaid)
    *doc += "\n" + *other.doc;
  for (const auto &[key, value] : other.metadata)
    if (!hasKey(key))
      metadata.emplace_back(key, value);
}

NodeTexts NodeTexts::missingIn(const NodeTexts &own) const {
  NodeTexts missing = *this;
  if (doc)
    missing.complete({own.doc, {}});
  if (missing.doc == own.doc)
    missing.doc.reset();
  llvm::erase_if(missing.metadata,
                 [&](const auto &entry) { return own.hasKey(entry.first); });
  return missing;
}

std::string NodeTexts::fieldsOf(uint32_t docNumber,
                                uint32_t metadataNumber) const {
  std::string bytes;
  if (doc)
    bytes += encodeTextField(docNumber, *doc);
  for (const auto &[key, value] : metadata)
    bytes += encodeEntryField(metadataNumber, key, value);
  return bytes;
}

std::string NodeTexts::fields() const {
  return fieldsOf(nodeDoc, nodeMetadata);
}

static std::string readAll(WireReader &reader, ByteRange range) {
  std::string bytes(range.size(), '\0');
  reader.read(range, bytes);
  return bytes;
}

static llvm::Expected<NodeTexts> readTextFields(WireReader &reader,
                                                WireCursor &&cursor,
                                                uint32_t docNumber,
                                                uint32_t metadataNumber) {
  NodeTexts texts;
  WireField field, inner;
  while (cursor.next(field)) {
    if (field.isMessage(docNumber))
      texts.doc = readAll(reader, field.body());
    if (!field.isMessage(metadataNumber))
      continue;
    std::string key, value;
    WireCursor entry(reader, field.body(), {"metadata entry"});
    while (entry.next(inner))
      if (inner.isMessage(1))
        key = readAll(reader, inner.body());
      else if (inner.isMessage(2))
        value = readAll(reader, inner.body());
    auto same = llvm::find_if(
        texts.metadata, [&](const auto &other) { return other.first == key; });
    if (same != texts.metadata.end())
      same->second = std::move(value);
    else
      texts.metadata.emplace_back(std::move(key), std::move(value));
  }
  if (llvm::Error error = reader.takeError())
    return error;
  return texts;
}

llvm::Expected<NodeTexts> onnxfold::readNodeTexts(WireReader &reader,
                                                  const MessageSpan &node) {
  return readTextFields(reader, {reader, node.contents(), {"node"}}, nodeDoc,
                        nodeMetadata);
}

llvm::Expected<NodeTexts> onnxfold::readTensorTexts(WireReader &reader,
                                                    const MessageSpan &tensor) {
  return readTextFields(reader, {reader, tensor.contents(), {"tensor"}},
                        tensorDoc, tensorMetadata);
}
