//===- Lexer.h - The words of a DML script ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Splits a text into tokens, separated by blanks, line ends and comments. Text
// that SystemDS drops with a message, such as an unknown character, is an error
// here.
//
// Ownership: the text of a token is in the script, or in the allocator that the
// lexer is given; both must outlive it.
// Thread safety: none. Errors: a token of kind Bad, whose text says why.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SYNTAX_INTERNAL_LEXER_H
#define ONNXFOLD_DML_SYNTAX_INTERNAL_LEXER_H

#include "onnxfold/dml/syntax/Syntax.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/StringSaver.h"

namespace onnxfold::dml {

struct Token {
  enum class Kind {
    Name,   ///< "x", "as.scalar", "nn::forward", "$x", words of the language
    Number, ///< `number`, `isReal`
    Text,   ///< without quotes, escapes resolved
    Sign,   ///< an operator or a bracket
    End,
    Bad
  };
  Kind kind = Kind::End;
  llvm::StringRef text;
  double number = 0;
  bool isReal = false;
  Place place;

  /// A fast path, because most calls ask about signs of one character.
  LLVM_ATTRIBUTE_ALWAYS_INLINE bool isSign(llvm::StringRef sign) const {
    return kind == Kind::Sign && text.size() == sign.size() &&
           text[0] == sign[0] && (sign.size() == 1 || text == sign);
  }
  bool isName(llvm::StringRef name) const {
    return kind == Kind::Name && text == name;
  }
};

class Lexer {
public:
  Lexer(llvm::StringRef text, llvm::BumpPtrAllocator &made)
      : rest(text), made(made) {}
  Token next();

private:
  void skip();
  void drop(size_t count);
  void advance(size_t count);
  Token bad(const llvm::Twine &why);
  Token name();
  Token number();
  Token text();
  Token sign();

  llvm::StringRef rest;
  llvm::StringSaver made; ///< texts that are not in the script
  Place place = {1, 1};
  std::string problem; ///< a comment that has no end
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SYNTAX_INTERNAL_LEXER_H
