//===- FusedGemm.cpp - Kernel of com.microsoft.FusedGemm ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// activation(alpha * A' * B' + beta * C). In double, rounded once. An
// activation whose parameters are not given is kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;

/// activation_alpha and activation_beta, as far as they are there.
static llvm::SmallVector<float> parametersOf(FoldContext &cx) {
  llvm::SmallVector<float> parameters;
  for (llvm::StringRef attribute : {"activation_alpha", "activation_beta"})
    if (std::optional<float> value = cx.real(attribute))
      parameters.push_back(*value);
  return parameters;
}

static FoldResult foldMicrosoftFusedGemm(FoldContext &cx) {
  if (Reason wrong = checkInputs(
          cx, {{floats}, {floats, 0}, {floats, 0, InputRule::Optional}}))
    return wrong;
  FoldResult product = runStandard(
      cx, "Gemm", 13,
      {unroundedInput(cx, 0), unroundedInput(cx, 1), unroundedInput(cx, 2)});
  if (!product)
    return product;
  ReasonOr<Elements> active =
      fusedActivation(cx, product.values()[0].tensor, parametersOf(cx));
  return active ? FoldResult(roundedResult(cx, *active))
                : FoldResult(active.reason());
}

namespace onnxfold {
void registerMicrosoftFusedGemm(KernelRegistry &registry) {
  registry.add("microsoft.FusedGemm", {1}, foldMicrosoftFusedGemm);
}
} // namespace onnxfold
