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

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RULEPROOF_INTERNAL_RULEMODEL_H
