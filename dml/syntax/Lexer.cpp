//===- Lexer.cpp - The words of a DML script ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/syntax/internal/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>

using namespace onnxfold::dml;
using llvm::StringRef;

static bool startsName(char c) { return llvm::isAlpha(c); }
static bool isInName(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Columns count characters of UTF-8.
void Lexer::drop(size_t count) {
  for (char c : rest.take_front(count)) {
    if (c == '\n') {
      ++place.line;
      place.column = 1;
    } else if ((c & 0xC0) != 0x80) {
      ++place.column;
    }
  }
  rest = rest.drop_front(count);
}

/// Of plain characters of one line.
void Lexer::advance(size_t count) {
  place.column += count;
  rest = rest.drop_front(count);
}

void Lexer::skip() {
  while (!rest.empty()) {
    if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r') {
      advance(1);
    } else if (rest[0] == '\n') {
      drop(1);
    } else if (rest[0] == '#') {
      drop(std::min(rest.find('\n'), rest.size()));
    } else if (rest.starts_with("/*")) {
      size_t end = rest.find("*/", 2);
      if (end == StringRef::npos) {
        problem = "the comment that begins here has no end";
        return;
      }
      drop(end + 2);
    } else {
      return;
    }
  }
}

Token Lexer::bad(const llvm::Twine &why) {
  Token token;
  token.kind = Token::Kind::Bad;
  token.text = made.save(why);
  token.place = place;
  rest = "";
  return token;
}

/// Letters, digits and _; of as.scalar and its kin a point; a name of a module
/// and :: before.
Token Lexer::name() {
  Token token{Token::Kind::Name, "", 0, false, place};
  size_t end = 1;
  auto word = [&] {
    while (end < rest.size() && isInName(rest[end]))
      ++end;
  };
  auto goesOn = [&](StringRef sign) {
    return rest.substr(end).starts_with(sign) &&
           end + sign.size() < rest.size() &&
           startsName(rest[end + sign.size()]);
  };
  word();
  if (end < rest.size() && (rest[end] == '.' || rest[end] == ':')) {
    constexpr StringRef withPoint[] = {"as", "empty", "index",
                                       "is", "lower", "upper"};
    bool hasPoint = llvm::is_contained(withPoint, rest.take_front(end));
    if (StringRef sign = hasPoint ? "." : "::"; goesOn(sign)) {
      end += sign.size();
      word();
    }
  }
  token.text = rest.take_front(end);
  advance(end);
  return token;
}

/// 1 is an integer; 1. .5 1e-5 1e+5 are doubles.
Token Lexer::number() {
  Token token{Token::Kind::Number, "", 0, false, place};
  size_t end = 0;
  auto digits = [&] {
    size_t first = end;
    while (end < rest.size() && llvm::isDigit(rest[end]))
      ++end;
    return end > first;
  };
  digits();
  if (end < rest.size() && rest[end] == '.') {
    ++end;
    token.isReal = true;
    digits();
  }
  if (end < rest.size() && llvm::toLower(rest[end]) == 'e') {
    ++end;
    token.isReal = true;
    if (end < rest.size() && StringRef("+-").contains(rest[end]))
      ++end;
    if (!digits())
      return bad("a number has no digits after its e");
  }
  if (end < rest.size() && (isInName(rest[end]) || rest[end] == '.'))
    return bad("a number ends in '" + rest.substr(end, 1) + "'");
  constexpr size_t safely = 15; // digits of an integer below 2^53
  if (end <= safely && !token.isReal) {
    uint64_t value = 0;
    for (char digit : rest.take_front(end))
      value = value * 10 + (digit - '0');
    token.number = double(value);
    advance(end);
    return token;
  }
  std::string text = rest.take_front(end).str();
  llvm::erase(text, '+');
  const char *last = text.data() + text.size();
  std::from_chars_result read =
      std::from_chars(text.data(), last, token.number);
  if (read.ec != std::errc() || read.ptr != last)
    return bad("'" + rest.take_front(end) + "' is not a number of 64 bits");
  uint64_t exact;
  if (!token.isReal && (rest.take_front(end).getAsInteger(10, exact) ||
                        exact > uint64_t(1) << 53))
    return bad("the integer " + rest.take_front(end) + " is beyond 2^53");
  advance(end);
  return token;
}

Token Lexer::text() {
  Token token{Token::Kind::Text, "", 0, false, place};
  std::string resolved;
  char quote = rest[0];
  for (size_t i = 1; i < rest.size(); ++i) {
    char c = rest[i];
    if (c == quote) {
      token.text = made.save(resolved);
      drop(i + 1);
      return token;
    }
    if (c == '\\' && i + 1 < rest.size()) {
      constexpr StringRef letters = "btnfr\"'\\", meant = "\b\t\n\f\r\"'\\";
      size_t which = letters.find(rest[++i]);
      if (which == StringRef::npos)
        return bad("a string has the unknown escape '\\" + rest.substr(i, 1) +
                   "'");
      c = meant[which];
    }
    resolved += c;
  }
  return bad("the string that begins here has no end");
}

/// Of the operator or bracket that the text begins with; 0: there is none.
static size_t lengthOfSign(StringRef text) {
  char second = text.size() > 1 ? text[1] : '\0';
  switch (text[0]) {
  case '%':
    if (text.starts_with("%*%") || text.starts_with("%/%"))
      return 3;
    return second == '%' ? 2 : 0;
  case '<':
    return second == '-' || second == '=' ? 2 : 1;
  case '>':
  case '=':
  case '!':
  case '+':
    return second == '=' ? 2 : 1;
  case '&':
  case '|':
    return second == text[0] ? 2 : 1;
  case '-':
  case '*':
  case '/':
  case '^':
  case '(':
  case ')':
  case '[':
  case ']':
  case '{':
  case '}':
  case ',':
  case ';':
  case ':':
  case '.':
    return 1;
  default:
    return 0;
  }
}

Token Lexer::sign() {
  if (size_t length = lengthOfSign(rest)) {
    Token token{Token::Kind::Sign, rest.take_front(length), 0, false, place};
    advance(length);
    return token;
  }
  unsigned char c = rest[0];
  if (c < ' ' || c == 127)
    return bad("a character of code " + llvm::Twine(unsigned(c)));
  size_t end = 1;
  while (end < rest.size() && (rest[end] & 0xC0) == 0x80)
    ++end;
  return bad("the character '" + rest.take_front(end) + "'");
}

Token Lexer::next() {
  skip();
  if (!problem.empty())
    return bad(problem);
  if (rest.empty())
    return {Token::Kind::End, "", 0, false, place};
  char c = rest[0], second = rest.size() > 1 ? rest[1] : '\0';
  if (startsName(c) || (c == '$' && llvm::isAlnum(second)))
    return name();
  if (llvm::isDigit(c) || (c == '.' && llvm::isDigit(second)))
    return number();
  if (c == '"' || c == '\'')
    return text();
  return sign();
}
