//===- Patterns.cpp - The list of the patterns ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/Patterns.h"
#include "onnxfold/onnx/transforms/patterns/Rewrites.inc"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "onnxfold/onnx/transforms/rules/RuleBytes.h"
#include "onnxfold/onnx/transforms/rules/RuleMatch.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

/// The rules of one name, which are read when the first operator is met that
/// looks like one.
template <typename Family> static const RewriteRule &ruleOf(unsigned index) {
  static const std::vector<RewriteRule> rules = [] {
    std::vector<RewriteRule> all;
    for (StringRef bytes : Family::rules)
      all.push_back(unpackRule(bytes));
    return all;
  }();
  return rules[index];
}

template <typename Family, int level>
static Value matchFamily(const CleanUpContext &cx) {
  static_assert(Family::level == level);
  for (const RuleGlance &glance : Family::glances)
    if (Value found = matchGlance(glance, cx, [&](bool isSwapped) {
          return matchPattern(ruleOf<Family>(glance.rule), glance.pattern,
                              isSwapped, cx);
        }))
      return found;
  return {};
}

ArrayRef<CleanUpPattern> onnxfold::cleanUpPatterns() {
  static constexpr CleanUpPattern all[] = {
#define PATTERN(function, name, roots, algebra)                                \
  {name, algebra, roots, patterns::function},
#define REWRITE(function, name, level, roots, algebra)                         \
  {name, algebra, roots, patterns::function, level, /*makesNodes=*/true},
#define INPUTS(function, name, level, roots, algebra)                          \
  {name,                                                                       \
   algebra,                                                                    \
   roots,                                                                      \
   nullptr,                                                                    \
   level,                                                                      \
   /*makesNodes=*/false,                                                       \
   patterns::function},
#define TRANSFORM(constant, name, algebra)
#define RULES(family, name, level)                                             \
  {name,                                                                       \
   rewriterules::family::algebra,                                              \
   rewriterules::family::roots,                                                \
   matchFamily<rewriterules::family, level>,                                   \
   level,                                                                      \
   rewriterules::family::makesNodes},
#include "onnxfold/onnx/transforms/rewrite/CleanUps.def"
#undef RULES
#undef PATTERN
#undef REWRITE
#undef INPUTS
#undef TRANSFORM
  };
  return all;
}

Value patterns::inputAlike(const CleanUpContext &cx, unsigned i) {
  return cx.isLike(cx.op.input(i)) ? cx.op.input(i) : Value();
}

bool patterns::mayMultiply(const CleanUpContext &cx, float factor) {
  constexpr int broadcastsAll = 7; // Mul, of itself
  constexpr float most = 1e4;
  float size = std::fabs(factor);
  return factor == 1 || (cx.nodes.sinceOf("Mul").value_or(0) >= broadcastsAll &&
                         size <= most && size >= 1 / most);
}

Value patterns::times(const CleanUpContext &cx, Value value, float factor) {
  return factor == 1
             ? value
             : cx.nodes.create(
                   "Mul", {value, cx.nodes.number(factor, cx.typeOf(value))});
}

/// Elements keep their order: with the shape, all is the same.
bool patterns::keepsOrder(Operator op) {
  return op.is("Reshape") || op.is("Flatten") || op.is("Squeeze") ||
         op.is("Unsqueeze");
}
