//===- IoError.cpp - Errors of files and of the bytes in them -------------===//
#include "onnxfold/onnx/io/IoError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <system_error>

using namespace llvm;

namespace onnxfold {

Error makeError(const Twine &text) {
  return createStringError(inconvertibleErrorCode(), text.str());
}

Error makeSystemError(StringRef file, StringRef what, int errnoValue) {
  std::string reason = std::generic_category().message(errnoValue);
  // "No such file" -> "no such file"; "I/O error" is kept.
  if (reason.size() > 1 && isLower(reason[1]))
    reason[0] = toLower(reason[0]);
  return makeError(file + ": " + what + ": " + reason);
}

Error firstError(Error first, Error second) {
  if (!first)
    return second;
  consumeError(std::move(second));
  return first;
}

std::string printableText(StringRef shown) {
  bool isText = json::isUTF8(shown);
  std::string text;
  raw_string_ostream os(text);
  for (size_t i = 0; i < shown.size(); ++i) {
    unsigned char byte = shown[i];
    // U+0080 to U+009F are control characters too: some terminals obey them.
    bool isControl = byte < 0x20 || byte == 0x7f ||
                     (byte == 0xc2 && i + 1 < shown.size() &&
                      (unsigned char)(shown[i + 1]) < 0xa0);
    bool isRest = i > 0 && (unsigned char)(shown[i - 1]) == 0xc2 && byte < 0xa0;
    if (isControl || (byte >= 0x80 && (!isText || isRest)))
      os << "\\x" << hexdigit(byte >> 4) << hexdigit(byte & 15);
    else
      os << char(byte);
  }
  return text;
}

std::string printableName(StringRef name) {
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

} // namespace onnxfold
