//===- RuleProof.h - Whether a rule holds -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs both sides of a rule in our kernels: for every element type that the
// operators take, small shapes (sizes 0 and 1 among them), attributes, numbers
// at the limits of types and random ones, in each opset in which an operator of
// the rule has another version. Where the pattern is defined and the conditions
// hold, the replacement must give the same: bit by bit at level 1 (of a NaN,
// that it is one), within its bound at level 2.
//
//   RuleProof proof = proveRule(rule, context, {});
//   if (!proof.holds()) ... proof.counterexample ... proof.problem ...
//
// It is a test of many cases, and no deduction: RATIONALE.md says what it may
// miss. The same rule gives the same cases on every machine.
// Thread safety: none. REQUIRES: addOnnxFolding was called on the context.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RULEPROOF_RULEPROOF_H
#define ONNXFOLD_ONNX_TRANSFORMS_RULEPROOF_RULEPROOF_H

#include "onnxfold/onnx/transforms/rules/Rule.h"

namespace onnxfold {

struct RuleProofOptions {
  int64_t mostInstances = 1500; ///< of types, shapes and attributes, a pattern
  unsigned rounds = 6;          ///< the fewest, of numbers for each
  uint64_t seed = 20261129;
  std::function<bool()> isCancelled; ///< asked at each instance; may be empty
};

/// A case in which the sides differ.
struct Counterexample {
  int64_t opset = 0;
  std::string pattern;    ///< the result of the rule
  std::string difference; ///< "at [0]: -0 and 0 (1 ulp; ...)"
  /// Values of the parameters, and what the sides give; null where one gives
  /// nothing.
  std::vector<std::pair<std::string, Elements>> inputs;
  Elements before, after;
  std::vector<std::pair<std::string, std::string>> attributes;
  /// An ONNX model of both sides with these inputs: its results are `before`
  /// and `after`. Empty if ONNX cannot say it.
  std::string model, modelText;
};

struct RuleProof {
  int64_t instances = 0; ///< that were defined and met the conditions
  int64_t cases = 0;     ///< of these with numbers
  int64_t undefined = 0; ///< instances in which the pattern gives nothing
  int64_t unmet = 0;     ///< or in which the conditions do not hold
  int64_t exhausted = 0; ///< types of 8 and 16 bits of which all numbers were
  std::vector<DataType> types;
  std::vector<int64_t> opsets;
  std::optional<Counterexample> counterexample;
  /// Models of each pattern that holds, in which a run meets the rule: whether
  /// the run ends is the reader's to try.
  std::vector<std::string> samples;
  std::string problem; ///< nothing could be compared, and why

  bool holds() const { return !counterexample && problem.empty(); }
};

RuleProof proveRule(const RewriteRule &rule, mlir::MLIRContext &context,
                    const RuleProofOptions &options);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RULEPROOF_RULEPROOF_H
