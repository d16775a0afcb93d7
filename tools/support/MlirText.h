//===- MlirText.h - Text that MLIR's parser cannot be given -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For programs that parse textual IR. MLIR 22's parser ends the process on
// `array<index: 1>` (docs/upstream-bugs.md); what it cannot be given gets a
// message first.
//
//   if (llvm::Error error = checkMlirText(*buffer))
//     return error; // "line 3, column 17: array<index: ...> ... expected"
//
// Thread safety: a function of its argument.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_SUPPORT_MLIRTEXT_H
#define ONNXFOLD_TOOLS_SUPPORT_MLIRTEXT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace onnxfold {

namespace detail {

/// Text outside of comments and string literals: the others are blanks.
inline std::string withoutLiterals(llvm::StringRef text) {
  std::string plain = text.str();
  for (size_t i = 0; i < plain.size(); ++i) {
    size_t end = i;
    if (plain[i] == '"') {
      for (++end; end < plain.size() && plain[end] != '"' && plain[end] != '\n';
           ++end)
        end += plain[end] == '\\';
    } else if (text.substr(i).starts_with("//")) {
      end = std::min(text.find('\n', i), plain.size());
    } else {
      continue;
    }
    end = std::min(end, plain.size());
    std::fill(plain.begin() + i, plain.begin() + end, ' ');
    i = end;
  }
  return plain;
}

/// The aliases of index: `!i = index` defines one.
inline llvm::StringSet<> aliasesOfIndex(llvm::StringRef text) {
  llvm::StringSet<> names;
  names.insert("index");
  for (llvm::StringRef line; !text.empty();) {
    std::tie(line, text) = text.split('\n');
    auto [name, type] = line.split('=');
    if (name.trim().starts_with("!") && names.contains(type.trim()))
      names.insert(name.trim());
  }
  return names;
}

/// Returns where the first array of a type is whose name `isIndex` accepts;
/// npos if there is none.
inline size_t findArray(llvm::StringRef text,
                        llvm::function_ref<bool(llvm::StringRef)> isIndex) {
  auto isName = [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_$.!-").contains(c);
  };
  size_t at = text.find("array");
  for (; at != llvm::StringRef::npos; at = text.find("array", at + 1)) {
    llvm::StringRef rest = text.substr(at + 5).ltrim();
    if (rest.consume_front("<") && isIndex(rest.ltrim().take_while(isName)))
      break;
  }
  return at;
}

} // namespace detail

/// An error that has line and column of an array of index.
inline llvm::Error checkMlirText(llvm::MemoryBufferRef buffer) {
  // Bytecode has no text to parse. Few texts have an array that may be one of
  // index, so few are copied.
  llvm::StringRef raw = buffer.getBuffer();
  auto mayBeIndex = [](llvm::StringRef type) {
    return type == "index" || type.starts_with("!");
  };
  if (raw.starts_with("ML\xefR") ||
      detail::findArray(raw, mayBeIndex) == llvm::StringRef::npos)
    return llvm::Error::success();
  std::string plain = detail::withoutLiterals(raw);
  llvm::StringRef text = plain;
  llvm::StringSet<> index = detail::aliasesOfIndex(text);
  size_t at = detail::findArray(
      text, [&](llvm::StringRef type) { return index.contains(type); });
  if (at == llvm::StringRef::npos)
    return llvm::Error::success();
  llvm::StringRef before = text.take_front(at);
  size_t lineStart = before.rfind('\n') + 1;
  return llvm::createStringError(
      "line " + llvm::Twine(before.count('\n') + 1) + ", column " +
      llvm::Twine(at - lineStart + 1) +
      ": array<index: ...> cannot be parsed by MLIR 22, expected an integer "
      "or float of a known width, such as array<i64: ...>");
}

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_SUPPORT_MLIRTEXT_H
