//===- PrintableText.cpp - Names and texts of models in messages ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

std::string onnxfold::printableText(StringRef shown) {
  bool isText = llvm::json::isUTF8(shown);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (size_t i = 0; i < shown.size(); ++i) {
    unsigned char byte = shown[i];
    // U+0080 to U+009F are control characters too: some terminals obey them.
    bool isControl = byte < 0x20 || byte == 0x7f ||
                     (byte == 0xc2 && i + 1 < shown.size() &&
                      (unsigned char)(shown[i + 1]) < 0xa0);
    bool isRest = i > 0 && (unsigned char)(shown[i - 1]) == 0xc2 && byte < 0xa0;
    if (isControl || (byte >= 0x80 && (!isText || isRest)))
      os << "\\x" << llvm::hexdigit(byte >> 4) << llvm::hexdigit(byte & 15);
    else
      os << char(byte);
  }
  return text;
}

std::string onnxfold::printableName(StringRef name) {
  constexpr size_t limit = 200;
  StringRef shown = name.take_front(limit);
  // A character of UTF-8 is not cut in two.
  if (name.size() > limit)
    while (!shown.empty() && (name[shown.size()] & 0xc0) == 0x80)
      shown = shown.drop_back();
  std::string text = printableText(shown);
  if (name.size() > limit)
    text += "... (" + std::to_string(name.size()) + " bytes)";
  return text;
}
