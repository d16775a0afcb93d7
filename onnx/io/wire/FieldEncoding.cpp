//===- FieldEncoding.cpp - New fields of messages -------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/wire/FieldEncoding.h"
#include "onnxfold/onnx/io/wire/WireCursor.h"

#include <protozero/buffer_string.hpp>
#include <protozero/varint.hpp>

using namespace llvm;

namespace onnxfold {

static void addVarint(std::string &bytes, uint64_t value) {
  protozero::add_varint_to_buffer(&bytes, value);
}

/// Tag and length of a length-delimited field.
static void addHead(std::string &bytes, uint32_t number, uint64_t size) {
  addVarint(bytes, uint64_t(number) << 3 | uint64_t(WireType::Length));
  addVarint(bytes, size);
}

std::string encodeFieldHead(uint32_t number, uint64_t size) {
  std::string bytes;
  addHead(bytes, number, size);
  return bytes;
}

std::string encodeFieldTag(uint32_t number) {
  std::string bytes;
  addVarint(bytes, uint64_t(number) << 3 | uint64_t(WireType::Length));
  return bytes;
}

std::string encodeVarintField(uint32_t number, uint64_t value) {
  std::string bytes;
  addVarint(bytes, uint64_t(number) << 3 | uint64_t(WireType::Varint));
  addVarint(bytes, value);
  return bytes;
}

std::string encodeTextField(uint32_t number, StringRef text) {
  std::string bytes;
  addHead(bytes, number, text.size());
  bytes.append(text.data(), text.size());
  return bytes;
}

std::string encodeEntryField(uint32_t number, StringRef key, StringRef value) {
  return encodeTextField(number,
                         encodeTextField(1, key) + encodeTextField(2, value));
}

} // namespace onnxfold
