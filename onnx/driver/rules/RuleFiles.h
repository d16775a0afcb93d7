//===- RuleFiles.h - --rules and check-rules --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads the files of --rules, and proves each rule before it is used. What was
// proved is kept by the hash of the rule and of the program
// (FoldOptions::proofFolder).
//
// Thread safety: that of MLIRContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_RULES_RULEFILES_H
#define ONNXFOLD_ONNX_DRIVER_RULES_RULEFILES_H

#include "onnxfold/onnx/driver/prepare/RunScope.h"
#include "onnxfold/onnx/transforms/rules/Rule.h"

namespace onnxfold {

/// Adds the rules of options.rules. An error names file, line and column, or
/// says in which case a rule does not hold. Changed: there are rules.
llvm::Expected<StepResult> loadRules(const FoldOptions &options, RuleSet &rules,
                                     RunScope &run);

/// The rewrites of onnx-fold that the rules of the run undo, and so leave out.
llvm::StringSet<> rewritesUndone(const FoldOptions &options,
                                 const RuleSet &rules);

/// The result of `onnx-fold check-rules`.
struct RuleCheck {
  bool holds = true;
  int64_t rules = 0;
};

/// Proves all rules of a file, and prints a line for each; a counterexample is
/// printed as a model with its inputs, which are also written to `folder`,
/// unless that is empty: RULE.onnx, and NAME.npy for each input in the folder
/// RULE.inputs. `prints`: also what holds.
llvm::Expected<RuleCheck> checkRuleFile(llvm::StringRef file,
                                        llvm::StringRef folder,
                                        llvm::raw_ostream &out, bool prints);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_RULES_RULEFILES_H
