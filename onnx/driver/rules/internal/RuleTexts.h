//===- RuleTexts.h - What is said of rules ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_RULES_INTERNAL_RULETEXTS_H
#define ONNXFOLD_ONNX_DRIVER_RULES_INTERNAL_RULETEXTS_H

#include "onnxfold/onnx/driver/report/FoldReport.h"
#include "onnxfold/onnx/transforms/ruleproof/RuleProof.h"

namespace onnxfold {

/// The rules of a run, in the report.
struct RulesSection : ReportSection {
  static constexpr llvm::StringLiteral key = "rules";
  struct Rule {
    std::string name, file, says, proof;
    unsigned line = 0;
    int level = 1;
    int64_t cases = 0;
  };
  std::vector<Rule> rules;
  std::vector<std::string> undone; ///< rewrites that are left out for them

  void printJson(llvm::json::OStream &json) const override;
  void printSummary(llvm::raw_ostream &out) const override;
};

/// The error that a rule is not used, with its counterexample.
llvm::Error refusal(const RewriteRule &rule, const RuleProof &proof);

/// "FILE:LINE: NAME: ".
void printPlace(const RewriteRule &rule, llvm::raw_ostream &out);

/// A line, and the counterexample if there is one.
void printProof(const RewriteRule &rule, const RuleProof &proof,
                llvm::raw_ostream &out);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_RULES_INTERNAL_RULETEXTS_H
