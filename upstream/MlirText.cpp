//===- MlirText.cpp - Text that MLIR's parser cannot be given -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/MlirText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using llvm::StringRef;

namespace {

/// Reads token after token: a name, a string literal, or another character.
/// Blanks and comments are between them.
class Tokens {
public:
  explicit Tokens(StringRef text) : rest(text) {}

  /// Returns a part of the text; nothing at its end.
  StringRef next() {
    auto skipBlanks = [&] { rest = rest.drop_while(llvm::isSpace); };
    for (skipBlanks(); rest.starts_with("//"); skipBlanks())
      rest = rest.substr(rest.find('\n'));
    StringRef token = rest.take_front(tokenSize());
    rest = rest.drop_front(token.size());
    return token;
  }

private:
  size_t tokenSize() const {
    if (rest.starts_with("\""))
      return literalSize();
    // Only the name of an alias may have '-'; elsewhere it begins "->".
    bool isAlias = rest.starts_with("!") || rest.starts_with("#");
    auto isOfName = [&](char c) {
      return llvm::isAlnum(c) || StringRef("_$.!#%^").contains(c) ||
             (c == '-' && isAlias);
    };
    return std::max<size_t>(rest.take_while(isOfName).size(), 1);
  }

  /// A literal ends in its line, if only because the line ends.
  size_t literalSize() const {
    size_t end = 1;
    while (end < rest.size() && rest[end] != '"' && rest[end] != '\n')
      end += rest[end] == '\\' ? 2 : 1;
    return end + 1;
  }

  StringRef rest;
};

/// Looks for what the parser cannot be given, in one walk over the tokens.
class Check {
public:
  explicit Check(StringRef text) : text(text), tokens(text) {}

  llvm::Error run() {
    for (StringRef token = tokens.next(); !token.empty();
         previous = token, token = tokens.next()) {
      if (token == "array" && isArrayOfIndex(tokens))
        return refuse(token,
                      "array<index: ...> cannot be parsed by MLIR 22, expected "
                      "an integer or float of a known width, such as "
                      "array<i64: ...>");
      noteAlias(token, tokens);
      noteTranspose(token, tokens);
      StringRef transpose = emptyTransposeAt(token, tokens);
      if (!transpose.empty())
        return refuse(transpose, "'linalg.transpose' with an empty permutation "
                                 "cannot be parsed by MLIR 22, expected at "
                                 "least one dimension");
      depth += StringRef("({[").contains(token.front());
      depth -= StringRef(")}]").contains(token.front());
    }
    return llvm::Error::success();
  }

private:
  // `ahead` is a copy of the tokens, which may be read without a trace.

  bool isArrayOfIndex(Tokens ahead) const {
    return ahead.next() == "<" && indices.contains(ahead.next());
  }

  /// A list of no integers, in either form, or an alias of one.
  bool isEmptyList(Tokens ahead) const {
    StringRef first = ahead.next();
    if (first == "[")
      return ahead.next() == "]";
    if (first == "array")
      return ahead.next() == "<" && ahead.next() == "i64" &&
             ahead.next() == ">";
    return emptyLists.contains(first);
  }

  void noteAlias(StringRef token, Tokens ahead) {
    bool isType = token.starts_with("!");
    if ((!isType && !token.starts_with("#")) || ahead.next() != "=")
      return;
    bool isNoted = isType ? indices.contains(ahead.next()) : isEmptyList(ahead);
    llvm::StringSet<> &names = isType ? indices : emptyLists;
    if (isNoted)
      names.insert(token);
    else
      names.erase(token); // of a text before, with --split-input-file
  }

  /// In the generic form, the permutation is in braces behind the operands; a
  /// region there may have transposes too. A symbol may have the name as well.
  void noteTranspose(StringRef token, Tokens ahead) {
    bool isGeneric = token == "\"linalg.transpose\"" && previous != "@" &&
                     ahead.next() == "(";
    bool isUsual = token == "linalg.transpose" && ahead.next() == "ins";
    if (!isGeneric && !isUsual)
      return;
    while (!open.empty() && open.back().depth >= depth)
      open.pop_back();
    open.push_back({token, depth, isGeneric ? depth + 1 : depth});
  }

  /// Returns the transpose whose permutation is here, if it is empty.
  StringRef emptyTransposeAt(StringRef token, Tokens ahead) {
    if (open.empty() || open.back().keyDepth != depth ||
        (token != "permutation" && token != "\"permutation\"") ||
        ahead.next() != "=")
      return {};
    StringRef name = open.pop_back_val().name;
    return isEmptyList(ahead) ? name : StringRef();
  }

  llvm::Error refuse(StringRef token, StringRef what) const {
    StringRef before = text.take_front(token.data() - text.data());
    size_t lineStart = before.rfind('\n') + 1;
    return llvm::createStringError(
        "line " + llvm::Twine(before.count('\n') + 1) + ", column " +
        llvm::Twine(before.size() - lineStart + 1) + ": " + what);
  }

  /// A transpose whose permutation was not seen yet.
  struct Transpose {
    StringRef name;
    int64_t depth, keyDepth; // in how many brackets it and its permutation are
  };

  StringRef text;
  Tokens tokens;
  StringRef previous;
  int64_t depth = 0;
  llvm::StringSet<> indices{"index"}, emptyLists; // the names of their aliases
  llvm::SmallVector<Transpose> open;
};

} // namespace

llvm::Error onnxfold::checkMlirText(StringRef text) {
  // Other texts are not walked through, which takes a fifth of the time of
  // parsing.
  bool isSuspect = text.contains("linalg.transpose") ||
                   (text.contains("array") && text.contains("index"));
  if (text.starts_with("ML\xefR") || !isSuspect)
    return llvm::Error::success();
  return Check(text).run();
}
