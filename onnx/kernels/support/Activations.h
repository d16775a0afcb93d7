//===- Activations.h - Activation functions of recurrent cells --*- C++ -*-===//
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
/// functions": by those that have such a parameter. Where they do not suffice
/// the default of the ONNX operator of that name is taken. Too many show that
/// the model means something else (one for each function, whether it takes it
/// or not, as some converters write), so that is refused.
ReasonOr<Activations> readActivations(FoldContext &cx,
                                      llvm::ArrayRef<llvm::StringRef> defaults,
                                      int64_t directions);

/// The function of that name, if it is one, and takes so many parameters (alpha,
/// beta).
std::optional<ops::Activation>
activationNamed(llvm::StringRef name, llvm::ArrayRef<float> parameters);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_ACTIVATIONS_H
