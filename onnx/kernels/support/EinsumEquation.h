//===- EinsumEquation.h - Equations of Einstein summations ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Parses equations such as "ij, jk -> ik" to the labels of each input and those
// of the result.
//
// Definition: the ONNX operator Einsum, after numpy.einsum. Thread safety: pure
// functions.
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

/// The equation in `text`, in which an ellipsis is one label, also in an
/// implied result; nothing if the text is not an equation.
std::optional<EinsumEquation> parseEinsumEquation(std::string text);

/// Gives each dimension of the inputs a label, those of an ellipsis too;
/// the dimensions of a label in different inputs are equal or 1. A reason if
/// the inputs do not fit, or inference says another size. REQUIRES: as many terms as inputs.
Reason labelInputs(FoldContext &cx, EinsumEquation &equation);
/// The same for shapes, in which a negative dimension equals only the same
/// negative number.
Reason labelShapes(llvm::ArrayRef<Shape> shapes, EinsumEquation &equation);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_EINSUMEQUATION_H
