//===- TokenReader.h - The tokens of a script ------------------*- C++ -*-===//
//
// What a parser by recursive descent needs: looking ahead, taking, expecting.
// Tokens are read when somebody looks, so that those of a long script are never
// all there. The first mistake is kept; from then on every token is the end, so
// that each function of the parser just returns.
//
// Thread safety: none. Errors: `problem`, "a.dml:3:7: expected ')', found 'x'".
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_TOKENREADER_H
#define ONNXFOLD_DML_INTERNAL_TOKENREADER_H

#include "onnxfold/dml/internal/Lexer.h"
#include "llvm/ADT/Twine.h"

namespace onnxfold::dml {

/// Words that no variable, function or parameter may be called.
bool isReserved(llvm::StringRef name);

class TokenReader {
public:
  /// `file`: its name in messages.
  TokenReader(llvm::StringRef text, llvm::StringRef file);

  /// Valid until the next call.
  LLVM_ATTRIBUTE_ALWAYS_INLINE const Token &peek(size_t ahead = 0) const {
    return LLVM_LIKELY(at + ahead < tokens.size()) ? tokens[at + ahead]
                                                   : readTo(ahead);
  }
  LLVM_ATTRIBUTE_ALWAYS_INLINE bool isNext(llvm::StringRef sign) const {
    return peek().isSign(sign);
  }
  bool isWord(llvm::StringRef word) const { return peek().isName(word); }
  /// Not at the end, nor after a mistake.
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
  mutable std::vector<Token> tokens; ///< some that were taken, those ahead
  mutable size_t at = 0;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_TOKENREADER_H
