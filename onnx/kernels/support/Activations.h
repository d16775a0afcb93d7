//===- Activations.h - Activation functions of recurrent cells --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_ACTIVATIONS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_ACTIVATIONS_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/nn/Recurrence.h"

namespace onnxfold {

/// Attributes `activations`, `activation_alpha` and `activation_beta` of RNN,
/// GRU and LSTM.
using Activations = llvm::SmallVector<ops::Activation, 3>;

/// The functions of `directions` directions; `defaults` names those of one.
///
/// Values of alpha and beta are "consumed in the order of activation
/// functions": by those that have such a parameter. If there are too few, the
/// default of the ONNX operator of that name is used. If there are too many,
/// the model means something else (some converters write one for each function,
/// whether it has the parameter or not), so it is refused.
ReasonOr<Activations> readActivations(FoldContext &cx,
                                      llvm::ArrayRef<llvm::StringRef> defaults,
                                      int64_t directions);

/// The function of that name with these parameters (alpha, beta); nothing if
/// there is no such function or it has another number of parameters.
std::optional<ops::Activation>
activationNamed(llvm::StringRef name, llvm::ArrayRef<float> parameters);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_ACTIVATIONS_H
