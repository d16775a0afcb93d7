//===- RuleMatch.h - A rule at an operator ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Matches the patterns of a rule above an operator, tests its conditions, and
// makes its replacement. What a value of the rule stands for is its binding.
//
//   CleanUpPattern pattern{.rule = &rule, .matchRule = matchRule, ...};
//
// The proof (RuleProof.h) makes bindings of its own, and both sides of them.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RULES_RULEMATCH_H
#define ONNXFOLD_ONNX_TRANSFORMS_RULES_RULEMATCH_H

#include "onnxfold/onnx/transforms/rules/Rule.h"

namespace onnxfold {

/// The values and attributes that a rule is bound to.
struct RuleBindings {
  explicit RuleBindings(const RewriteRule &rule)
      : values(rule.values.size()), isBound(rule.values.size()),
        operations(rule.nodes.size()), attributes(rule.attributes.size()),
        hasAttribute(rule.attributes.size()) {}

  void bind(unsigned value, mlir::Value to) {
    values[value].assign(1, to);
    isBound[value] = true;
  }
  /// The only value that it stands for; null for one that is not given.
  mlir::Value valueOf(unsigned value) const {
    return values[value].size() == 1 ? values[value].front() : mlir::Value();
  }

  /// Several values for variadic parameters, none for missing ones.
  llvm::SmallVector<llvm::SmallVector<mlir::Value, 1>, 8> values;
  llvm::SmallVector<bool, 8> isBound;
  llvm::SmallVector<mlir::Operation *, 8> operations; ///< of the nodes
  llvm::SmallVector<mlir::Attribute, 2> attributes;   ///< null: not given
  llvm::SmallVector<bool, 2> hasAttribute;
};

/// Whether a condition holds at run time.
enum class RuleTruth { No, Unknown, Yes };

/// Sets the attributes that the header computes. `isOnce`: whether a value has
/// no other readers.
RuleTruth testConditions(const RewriteRule &rule, RuleBindings &bindings,
                         const Evaluation &evaluation, DimExprs &exprs,
                         llvm::function_ref<bool(unsigned value)> isOnce);

/// Binds the patterns that were not matched to the result of the one that was.
void bindPatterns(const RewriteRule &rule, mlir::Value result,
                  RuleBindings &bindings);

/// Makes what a value is computed from, as far as it is not bound, and returns
/// it; null, and nothing was made, if the opset lacks an operator.
mlir::Value makeValue(const RewriteRule &rule, unsigned value,
                      RuleBindings &bindings, const Evaluation &evaluation,
                      NodeBuilder &nodes);

/// The value that replaces the result of an operator if it matches the pattern,
/// of RewriteRule::patterns, in this order of its operands, or null. REQUIRES:
/// the glance at the pattern says that it may (mayMatch).
mlir::Value matchPattern(const RewriteRule &rule, unsigned pattern,
                         bool isSwapped, const CleanUpContext &cx);

/// The value that replaces the result of an operator, or null.
mlir::Value matchRule(const RewriteRule &rule, const CleanUpContext &cx);

/// The elements that a Constant with this attribute of a rule has.
Elements elementsOfAttribute(mlir::Attribute attribute);

/// The attribute that elementsOfAttribute makes these elements of; null if there
/// is none.
mlir::Attribute attributeOf(const Elements &value, bool isList,
                            mlir::MLIRContext *context);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RULES_RULEMATCH_H
