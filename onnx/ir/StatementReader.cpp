//===- StatementReader.cpp - Reads a short text token by token ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/StatementReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using llvm::StringRef;

static size_t countDigits(StringRef text) {
  return text.take_while([](char c) { return llvm::isDigit(c); }).size();
}

/// Of a number with or without a fraction and an exponent. `1...` is a number
/// before a sign.
static size_t numberLength(StringRef text) {
  size_t length = countDigits(text);
  StringRef after = text.drop_front(length);
  if (after.starts_with(".") && !after.starts_with(".."))
    length += 1 + countDigits(after.drop_front());
  after = text.drop_front(length);
  if (after.consume_front("e") || after.consume_front("E")) {
    size_t sign = after.starts_with("-") || after.starts_with("+");
    size_t digits = countDigits(after.drop_front(sign));
    length += digits ? 1 + sign + digits : 0;
  }
  return length;
}

static size_t tokenLength(StringRef text) {
  static constexpr StringRef longer[] = {"->", "...", "==", "!=", "<=", ">="};
  if (text.empty())
    return 0;
  if (llvm::isDigit(text[0]))
    return numberLength(text);
  if (llvm::isAlpha(text[0]) || text[0] == '_')
    return text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
        .size();
  if (text[0] == '\'') {
    size_t end = text.find('\'', 1);
    return end == StringRef::npos ? 1 : end + 1;
  }
  const auto *found = llvm::find_if(
      longer, [&](StringRef sign) { return text.starts_with(sign); });
  return found == std::end(longer) ? 1 : found->size();
}

void StatementReader::advance() {
  rest = rest.ltrim(lines == Lines::AreSpace ? " \t\r\n\v\f" : " \t\r");
  token = rest.take_front(tokenLength(rest));
  rest = rest.drop_front(token.size());
}

bool StatementReader::consume(StringRef expected) {
  if (token != expected)
    return false;
  advance();
  return true;
}

void StatementReader::expect(StringRef expected) {
  if (!consume(expected))
    fail("'" + expected + "'");
}

void StatementReader::fail(const llvm::Twine &expected) {
  if (!failed)
    refuse(token.empty() ? all.size() - rest.size() : token.data() - all.data(),
           expected);
  failed = true;
  token = rest = "";
}

bool StatementReader::isName() const {
  return !token.empty() && (llvm::isAlpha(token[0]) || token[0] == '_') &&
         token != "_";
}

std::string StatementReader::name(StringRef what) {
  if (!isName()) {
    fail(what);
    return "";
  }
  std::string result = token.str();
  advance();
  return result;
}
