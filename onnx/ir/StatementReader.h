//===- StatementReader.h - Reads a short text token by token ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The base of readers by recursive descent: the forms of schemas that users
// write, the headers of rules. Tokens are names, numbers, 'texts' and signs.
// After the first problem there are no more tokens, so that readers need not ask
// after each.
//
//   struct Sum : StatementReader {
//     void read() { name("a number's name"); expect("+"); ... }
//     void refuse(size_t at, const llvm::Twine &expected) override { ... }
//   };
//
// Thread safety: none. The text must outlive the reader.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_STATEMENTREADER_H
#define ONNXFOLD_ONNX_IR_STATEMENTREADER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace onnxfold {

class StatementReader {
public:
  enum class Lines { AreSpace, EndInTokens }; // of "\n"

  virtual ~StatementReader() = default;

protected:
  StatementReader(llvm::StringRef text, Lines lines)
      : all(text), rest(text), lines(lines) {}

  /// Reads the first token, or the next.
  void advance();
  bool consume(llvm::StringRef expected);
  void expect(llvm::StringRef expected);
  /// Passes the first problem to `refuse`.
  void fail(const llvm::Twine &expected);
  bool hasFailed() const { return failed; }
  /// `_` alone is a sign.
  bool isName() const;
  /// The token, which `what` describes if it is none; then "".
  std::string name(llvm::StringRef what);

  /// The problem at a byte of the text; `token` is what stands there.
  virtual void refuse(size_t at, const llvm::Twine &expected) = 0;

  llvm::StringRef all, rest, token; ///< the token is empty at the end

private:
  Lines lines;
  bool failed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_STATEMENTREADER_H
