//===- RuleGlance.h - Whether a rule may match an operator ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Most operators match no rule, which one look at their operands tells: what
// makes them, whether they are this number, whether the result is like them. For
// it nothing is bound or allocated, and rules of onnx-fold stay packed.
//
//   if (Value found = matchGlance(glance, cx, [&](bool isSwapped) {
//         return matchPattern(rule, glance.pattern, isSwapped, cx);
//       })) ...
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RULES_RULEGLANCE_H
#define ONNXFOLD_ONNX_TRANSFORMS_RULES_RULEGLANCE_H

#include "onnxfold/onnx/transforms/rewrite/CleanUpPattern.h"

namespace onnxfold {

struct RewriteRule;

/// What the last node of a pattern asks of its operands. The texts live as long.
struct RuleGlance {
  struct Input {
    enum Kind : uint8_t {
      Any,
      Given,
      Constant,
      Number, ///< all elements are `number`
      Made    ///< by an `opType`
    };
    Kind kind = Any;
    bool isLike = false; ///< the result must have its shape and type
    double number = 0;
    llvm::StringRef opType = {};
  };
  /// Of later operands nothing is asked.
  static constexpr unsigned mostInputs = 3;

  unsigned rule = 0;    ///< in its family
  unsigned pattern = 0; ///< of RewriteRule::patterns
  llvm::StringRef root;
  bool isCommutative = false;
  bool hasMore = false; ///< operands behind `numInputs`, or variadic ones
  unsigned numInputs = 0;
  Input inputs[mostInputs] = {};
};

/// The glance at a pattern, whose texts are those of the rule.
RuleGlance glanceOf(const RewriteRule &rule, unsigned pattern);

/// The operands, the two of a commutative operator swapped or not, may match.
bool mayMatch(const RuleGlance &glance, const CleanUpContext &cx,
              bool isSwapped);

/// The value has this number in all elements, whatever its shape is.
bool isAllNumber(const CleanUpContext &cx, mlir::Value value, double number);

/// What `match` finds of the orders of the operands that may match, or null.
template <typename Function>
mlir::Value matchGlance(const RuleGlance &glance, const CleanUpContext &cx,
                        Function match) {
  if (!cx.op.is(OperatorName(glance.root)))
    return {};
  for (bool isSwapped : {false, true})
    if ((glance.isCommutative || !isSwapped) && mayMatch(glance, cx, isSwapped))
      if (mlir::Value found = match(isSwapped))
        return found;
  return {};
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RULES_RULEGLANCE_H
