//===- RuleReading.h - From the text of a rule to its tables ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RULES_INTERNAL_RULEREADING_H
#define ONNXFOLD_ONNX_TRANSFORMS_RULES_INTERNAL_RULEREADING_H

#include "onnxfold/onnx/transforms/rules/Rule.h"
#include "onnx/onnx_pb.h"

namespace onnxfold {

struct FunctionText;

/// A text, and the first thing that is wrong with it.
class RuleText {
public:
  RuleText(llvm::StringRef text, llvm::StringRef file)
      : text(text), file(file) {}

  /// Notes an error at a byte of the text, unless there is one.
  void fail(size_t offset, const llvm::Twine &what);
  void fail(unsigned line, unsigned column, const llvm::Twine &what);
  bool hasFailed() const { return !problem.empty(); }
  llvm::Error takeError() const;

  /// Line and column, from 1 on.
  std::pair<unsigned, unsigned> position(size_t offset) const;
  /// Where `name =` stands among the nodes, or else the function begins.
  size_t placeOf(const FunctionText &function, llvm::StringRef name) const;

  llvm::StringRef text, file;

private:
  std::string problem;
  unsigned line = 0, column = 0;
};

/// One function of a text.
struct FunctionText {
  onnx::FunctionProto proto;
  size_t begin, end;
};

/// The rule that a function states; text.hasFailed() if it states none.
std::unique_ptr<RewriteRule> readRule(const FunctionText &function,
                                      RuleText &text,
                                      mlir::MLIRContext &context);

/// Fails if the parts of a rule do not fit each other, and sets its roots.
void checkRule(RewriteRule &rule, const FunctionText &function, RuleText &text);

/// Sets the opsets that have the nodes of the rule, from its first one on;
/// `findsFirst`: from the earliest. The proof tells whether they mean the same in
/// all.
void findOpsets(RewriteRule &rule, bool findsFirst);

/// Reads the statements of a rule's doc_string, which stand at `offset`.
void readRuleHeader(RewriteRule &rule, llvm::StringRef header, size_t offset,
                    RuleText &text);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RULES_INTERNAL_RULEREADING_H
