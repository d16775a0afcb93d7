//===- EinsumEquation.h - Equations of Einstein summations ------*- C++ -*-===//
//
// "ij, jk -> ik" as labels: those of each input, and those of the result.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_EINSUMEQUATION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_EINSUMEQUATION_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Contraction.h"

namespace onnxfold {

struct EinsumEquation {
  llvm::SmallVector<ops::Labels, 3> terms;
  ops::Labels result;
};

/// An equation in which an ellipsis is one label, also in the result that is
/// implied; nothing if the text is none.
std::optional<EinsumEquation> parseEinsumEquation(std::string text);

/// Gives each dimension of the inputs a label, those of an ellipsis too;
/// dimensions of a label that stand in different inputs are equal or 1. A
/// reason if the inputs do not fit. REQUIRES: as many terms as inputs.
Reason labelInputs(FoldContext &cx, EinsumEquation &equation);
/// The same of shapes, in which a negative dimension is only like itself.
Reason labelShapes(llvm::ArrayRef<Shape> shapes, EinsumEquation &equation);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_EINSUMEQUATION_H
