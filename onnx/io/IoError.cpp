//===- IoError.cpp - Errors of files and of the bytes in them -------------===//
#include "onnxfold/onnx/io/IoError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <system_error>

using namespace llvm;

namespace onnxfold {

Error makeError(const Twine &text) {
  return createStringError(inconvertibleErrorCode(), text.str());
}

Error makeSystemError(StringRef file, StringRef what, int errnoValue) {
  std::string reason = std::generic_category().message(errnoValue);
  // "No such file" -> "no such file"; "I/O error" stays.
  if (reason.size() > 1 && isLower(reason[1]))
    reason[0] = toLower(reason[0]);
  return makeError(file + ": " + what + ": " + reason);
}

std::string printableName(StringRef name) {
  constexpr size_t limit = 200;
  std::string text;
  raw_string_ostream os(text);
  for (char c : name.take_front(limit)) {
    unsigned char byte = c;
    if (byte < 0x20 || byte == 0x7f)
      os << "\\x" << hexdigit(byte >> 4) << hexdigit(byte & 15);
    else
      os << c;
  }
  if (name.size() > limit)
    os << "... (" << name.size() << " bytes)";
  return text;
}

} // namespace onnxfold
