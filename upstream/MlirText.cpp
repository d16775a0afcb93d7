//===- MlirText.cpp - Text that MLIR's parser cannot be given -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/MlirText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using llvm::StringRef;

/// Text outside of comments and string literals: the others are blanks. Names of
/// operations, which '(' follows, are kept.
static std::string withoutLiterals(StringRef text) {
  std::string plain = text.str();
  for (size_t i = 0; i < plain.size(); ++i) {
    size_t end = i;
    if (plain[i] == '"') {
      for (++end; end < plain.size() && plain[end] != '"' && plain[end] != '\n';
           ++end)
        end += plain[end] == '\\';
      if (text.substr(end).starts_with("\"(")) {
        i = end;
        continue;
      }
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
static llvm::StringSet<> aliasesOfIndex(StringRef text) {
  llvm::StringSet<> names;
  names.insert("index");
  for (StringRef line; !text.empty();) {
    std::tie(line, text) = text.split('\n');
    auto [name, type] = line.split('=');
    if (name.trim().starts_with("!") && names.contains(type.trim()))
      names.insert(name.trim());
  }
  return names;
}

/// Returns where the first array of a type is whose name `isIndex` accepts;
/// npos if there is none.
static size_t findArray(StringRef text,
                        llvm::function_ref<bool(StringRef)> isIndex) {
  auto isName = [](char c) {
    return llvm::isAlnum(c) || StringRef("_$.!-").contains(c);
  };
  size_t at = text.find("array");
  for (; at != StringRef::npos; at = text.find("array", at + 1)) {
    StringRef rest = text.substr(at + 5).ltrim();
    if (rest.consume_front("<") && isIndex(rest.ltrim().take_while(isName)))
      break;
  }
  return at;
}

/// Whether the text goes on with a list of no integers, in either form.
static bool isEmptyList(StringRef text) {
  StringRef rest = text.ltrim();
  if (rest.consume_front("["))
    return rest.ltrim().starts_with("]");
  return rest.consume_front("array<i64") && rest.ltrim().starts_with(">");
}

static bool hasEmptyPermutation(StringRef text) {
  constexpr StringRef name = "permutation";
  for (size_t at = text.find(name); at != StringRef::npos;
       at = text.find(name, at + 1)) {
    StringRef rest = text.substr(at + name.size()).ltrim();
    if (rest.consume_front("=") && isEmptyList(rest))
      return true;
  }
  return false;
}

/// Returns where the first linalg.transpose of rank 0 is; npos if there is none.
/// No '=' is before that of its permutation.
static size_t findScalarTranspose(StringRef text) {
  constexpr StringRef name = "linalg.transpose";
  size_t at = text.find(name);
  for (; at != StringRef::npos; at = text.find(name, at + 1)) {
    auto [operands, list] = text.substr(at).split('=');
    if (operands.rtrim().ends_with("permutation") && isEmptyList(list))
      break;
  }
  return at;
}

static llvm::Error refuse(StringRef text, size_t at, StringRef what) {
  StringRef before = text.take_front(at);
  size_t lineStart = before.rfind('\n') + 1;
  return llvm::createStringError("line " + llvm::Twine(before.count('\n') + 1) +
                                 ", column " + llvm::Twine(at - lineStart + 1) +
                                 ": " + what);
}

llvm::Error onnxfold::checkMlirText(StringRef raw) {
  // Few texts have an array that may be one of index, or a permutation of
  // nothing, so few are copied.
  auto mayBeIndex = [](StringRef type) {
    return type == "index" || type.starts_with("!");
  };
  bool isSuspect =
      findArray(raw, mayBeIndex) != StringRef::npos || hasEmptyPermutation(raw);
  if (raw.starts_with("ML\xefR") || !isSuspect)
    return llvm::Error::success();
  std::string plain = withoutLiterals(raw);
  StringRef text = plain;
  llvm::StringSet<> index = aliasesOfIndex(text);
  size_t array =
      findArray(text, [&](StringRef type) { return index.contains(type); });
  if (array != StringRef::npos)
    return refuse(text, array,
                  "array<index: ...> cannot be parsed by MLIR 22, expected an "
                  "integer or float of a known width, such as array<i64: ...>");
  size_t transpose = findScalarTranspose(text);
  if (transpose != StringRef::npos)
    return refuse(text, transpose,
                  "'linalg.transpose' of rank 0 cannot be parsed by MLIR 22, "
                  "expected a permutation of at least one dimension");
  return llvm::Error::success();
}
