//===- StringCast.cpp - Tensors of numbers from and to text ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/StringCast.h"
#include "onnxfold/widenum/Strings.h"

using namespace onnxfold;
using namespace onnxfold::ops;

StringCast ops::parseStrings(const Elements &x, DataType type,
                             const CastOptions &options) {
  if (!x)
    return {};
  ElementsArray<llvm::StringRef> texts(x);
  unsigned width = byteWidth(type);
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(x.size() * width);
  for (int64_t i = 0; i < x.size(); ++i) {
    std::optional<WideNum> number = parseNumber(texts[i], type, options);
    if (!number)
      return {{}, i};
    number->store(type, buffer->data() + i * width, options);
  }
  return {Elements::fromBuffer(type, x.shape(), buffer)};
}

StringCast ops::formatStrings(const Elements &x) {
  if (!x)
    return {};
  ElementsBytes bytes(x);
  unsigned width = byteWidth(x.type());
  std::vector<std::string> texts(x.size());
  for (int64_t i = 0; i < x.size(); ++i) {
    std::optional<std::string> text =
        formatNumber(x.type(), bytes.data() + i * width);
    if (!text)
      return {{}, i};
    texts[i] = std::move(*text);
  }
  std::vector<llvm::StringRef> references(texts.begin(), texts.end());
  return {Elements::fromStrings(x.shape(), references)};
}
