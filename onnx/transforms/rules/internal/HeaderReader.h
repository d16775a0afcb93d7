//===- HeaderReader.h - Reads the header of a rule --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   HeaderReader(rule, header, offset, text).read();
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RULES_INTERNAL_HEADERREADER_H
#define ONNXFOLD_ONNX_TRANSFORMS_RULES_INTERNAL_HEADERREADER_H

#include "onnxfold/onnx/ir/StatementReader.h"
#include "onnxfold/onnx/transforms/rules/internal/RuleReading.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

class HeaderReader : private StatementReader {
public:
  HeaderReader(RewriteRule &rule, llvm::StringRef header, size_t offset,
               RuleText &text)
      : StatementReader(header, Lines::EndInTokens), rule(rule), text(text),
        offset(offset) {}

  void read();

private:
  void refuse(size_t at, const llvm::Twine &expected) override;
  double number();
  int64_t integer(llvm::StringRef what);
  unsigned value(llvm::StringRef what);
  std::optional<unsigned> findAttribute(llvm::StringRef name) const;

  void statement();
  void bound();
  void range();
  void reused();
  void anyAttributes();
  void setting();
  void tries();
  Elements tensor();
  bool isDimension(llvm::StringRef name) const;
  void valueStatement(llvm::StringRef name);
  void types(RuleValue &value);
  void shape(RuleValue &value);

  RuleTerm disjunction();
  RuleTerm conjunction();
  RuleTerm negation();
  RuleTerm comparison();
  RuleTerm sum();
  RuleTerm product();
  RuleTerm factor();
  RuleTerm call(llvm::StringRef function);
  RuleTerm named(std::string name);
  RuleTerm make(RuleTerm::Kind kind, RuleTerm left, RuleTerm right);
  RuleTerm truth(RuleTerm term);
  RuleTerm numeric(RuleTerm term);

  RewriteRule &rule;
  RuleText &text;
  size_t offset;
  unsigned depth = 0, operators = 0;
  llvm::StringSet<> said; ///< of which a header has one
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RULES_INTERNAL_HEADERREADER_H
