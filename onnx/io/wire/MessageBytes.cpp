//===- MessageBytes.cpp - A message that is partly in the file ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/wire/MessageBytes.h"
#include "onnxfold/onnx/io/wire/FieldEncoding.h"

using namespace onnxfold;

/// Longer ranges are copied from file to file.
static constexpr uint64_t mostRead = 1 << 16;

void MessageBytes::add(llvm::StringRef fields) {
  last += fields;
  total += fields.size();
}

void MessageBytes::addText(uint32_t number, llvm::StringRef text) {
  add(encodeTextField(number, text));
}

void MessageBytes::addMessage(uint32_t number, MessageBytes message) {
  add(encodeFieldHead(number, message.total));
  total += message.total;
  if (!message.pieces.empty()) {
    flush();
    for (Content &piece : message.pieces)
      pieces.push_back(std::move(piece));
  }
  last += message.last;
}

void MessageBytes::keep(WireReader &reader, ByteRange fields) {
  if (fields.size() > mostRead) {
    flush();
    pieces.push_back(Content::copy(reader.fileRef(), fields));
  } else {
    size_t at = last.size();
    last.resize(at + fields.size());
    reader.read(
        fields,
        llvm::MutableArrayRef<char>(last.data(), last.size()).drop_front(at));
  }
  total += fields.size();
}

void MessageBytes::flush() {
  if (!last.empty())
    pieces.push_back(Content::literal(std::exchange(last, {})));
}

std::vector<Content> MessageBytes::take() {
  flush();
  total = 0;
  return std::exchange(pieces, {});
}
