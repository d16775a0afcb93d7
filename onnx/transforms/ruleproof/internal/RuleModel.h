//===- RuleModel.h - A counterexample as a model ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RULEPROOF_INTERNAL_RULEMODEL_H
#define ONNXFOLD_ONNX_TRANSFORMS_RULEPROOF_INTERNAL_RULEMODEL_H

#include "onnxfold/onnx/transforms/ruleproof/RuleProof.h"
#include "onnxfold/onnx/transforms/rules/RuleMatch.h"

namespace onnxfold {

/// "x", or "x_1" of a variadic parameter.
std::string nameOfInput(const RewriteRule &rule, unsigned value,
                        unsigned index);

/// Sets the model of a counterexample: both sides, with the attributes of the
/// case. `bindings`: of the parameters and the numbers.
void addModel(const RewriteRule &rule, unsigned pattern,
              llvm::ArrayRef<mlir::Attribute> attributes,
              const RuleBindings &bindings, const Evaluation &known,
              Counterexample &found);

/// A model of a pattern in bytes, with result `side_before`. `hasOneInput`: all
/// parameters but the first are constants; else those of integers are. Empty if
/// ONNX cannot say it.
std::string sampleOf(const RewriteRule &rule, unsigned pattern,
                     const RuleBindings &bindings, const Evaluation &known,
                     int64_t opset, bool hasOneInput);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RULEPROOF_INTERNAL_RULEMODEL_H
