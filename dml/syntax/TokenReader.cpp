//===- TokenReader.cpp - The tokens of a script, one after the other ------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/syntax/internal/TokenReader.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold::dml;
using llvm::StringRef;

TokenReader::TokenReader(StringRef text, StringRef file)
    : file(file), lexer(text, texts) {}

static bool isLast(const Token &token) {
  return token.kind == Token::Kind::End || token.kind == Token::Kind::Bad;
}

/// That token, or the last one. Reads some more, unless there are none.
const Token &TokenReader::readTo(size_t ahead) const {
  constexpr size_t atOnce = 256;
  if (tokens.empty() || !isLast(tokens.back())) {
    tokens.erase(tokens.begin(), tokens.begin() + at);
    at = 0;
    do
      tokens.push_back(lexer.next());
    while (tokens.size() < ahead + atOnce && !isLast(tokens.back()));
  }
  return tokens[std::min(at + ahead, tokens.size() - 1)];
}

void TokenReader::fail(Place place, const llvm::Twine &text) {
  if (!problem.empty())
    return;
  problem = (file + ":" + llvm::Twine(place.line) + ":" +
             llvm::Twine(place.column) + ": " + text)
                .str();
  tokens.assign(1, {Token::Kind::End, "", 0, false, place});
  at = 0;
}

static std::string described(const Token &token) {
  switch (token.kind) {
  case Token::Kind::End:
    return "the end of the file";
  case Token::Kind::Text:
    return "a string";
  case Token::Kind::Number:
    return numberText(token.number);
  case Token::Kind::Bad:
    return token.text.str();
  default:
    return ("'" + token.text + "'").str();
  }
}

void TokenReader::failExpected(const llvm::Twine &what) {
  const Token &found = peek();
  if (found.kind == Token::Kind::Bad)
    return fail(found.place, found.text);
  fail(found.place, "expected " + what + ", found " + described(found));
}

Token TokenReader::take() {
  Token token = peek();
  if (goesOn())
    ++at;
  return token;
}

bool TokenReader::takeIf(StringRef sign) {
  if (!isNext(sign))
    return false;
  ++at;
  return true;
}

void TokenReader::expect(StringRef sign) {
  if (!takeIf(sign))
    failExpected("'" + sign + "'");
}

bool onnxfold::dml::isReserved(StringRef name) {
  static constexpr StringRef words[] = {
      "Boolean", "Double",   "FALSE",   "Inf",    "Int",
      "Integer", "NaN",      "String",  "TRUE",   "Unknown",
      "as",      "boolean",  "double",  "else",   "externalFunction",
      "for",     "function", "if",      "ifdef",  "implemented",
      "in",      "int",      "integer", "parfor", "pi",
      "return",  "setwd",    "source",  "string", "unknown",
      "while"};
  return llvm::any_of(words, [&](StringRef word) {
    return word.size() == name.size() && word[0] == name[0] && word == name;
  });
}

static bool isPlainName(const Token &token) {
  return token.kind == Token::Kind::Name && !isReserved(token.text) &&
         token.text.find_first_of(".:$") == StringRef::npos;
}

std::string TokenReader::newName(StringRef what) {
  if (!isPlainName(peek())) {
    failExpected(what);
    return "";
  }
  return take().text.str();
}
