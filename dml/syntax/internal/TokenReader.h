//===- TokenReader.h - The tokens of a script ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The token stream of a recursive-descent parser: it peeks, takes and expects
// tokens. Tokens are read on demand, so that the tokens of a long script are
// never all in memory. The first mistake is kept. From then on every token is
// the end, so that each function of the parser just returns.
//
// Thread safety: none. Errors: `problem`, "a.dml:3:7: expected ')', found 'x'".
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SYNTAX_INTERNAL_TOKENREADER_H
#define ONNXFOLD_DML_SYNTAX_INTERNAL_TOKENREADER_H

#include "onnxfold/dml/syntax/internal/Lexer.h"
#include "llvm/ADT/Twine.h"

namespace onnxfold::dml {

/// The name is a word that no variable, function or parameter may have.
bool isReserved(llvm::StringRef name);

class TokenReader {
public:
  /// `file`: the name of the script in messages.
  TokenReader(llvm::StringRef text, llvm::StringRef file);

  /// The token `ahead` tokens from here, valid until the next call.
  LLVM_ATTRIBUTE_ALWAYS_INLINE const Token &peek(size_t ahead = 0) const {
    return LLVM_LIKELY(at + ahead < tokens.size()) ? tokens[at + ahead]
                                                   : readTo(ahead);
  }
  LLVM_ATTRIBUTE_ALWAYS_INLINE bool isNext(llvm::StringRef sign) const {
    return peek().isSign(sign);
  }
  bool isWord(llvm::StringRef word) const { return peek().isName(word); }
  /// The reader is not at the end, and there was no mistake.
  bool goesOn() const {
    return peek().kind != Token::Kind::End && peek().kind != Token::Kind::Bad;
  }
  Token take();
  bool takeIf(llvm::StringRef sign);
  void expect(llvm::StringRef sign);
  void fail(Place place, const llvm::Twine &text);
  void failExpected(const llvm::Twine &what);
  std::string newName(llvm::StringRef what);

  std::string problem; ///< the first mistake, or ""

private:
  const Token &readTo(size_t ahead) const;

  std::string file;
  llvm::BumpPtrAllocator texts;
  mutable Lexer lexer;
  mutable std::vector<Token> tokens; ///< some taken ones, and those ahead
  mutable size_t at = 0;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SYNTAX_INTERNAL_TOKENREADER_H
