//===- UnknownNames.h - Operators that nothing knows ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   if (isUnknownName(node)) // "Reluu"
//     warn(faultOf(node).text);
//
// Thread safety: that of mlir::Operation.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_UNKNOWNNAMES_H
#define ONNXFOLD_ONNX_FOLDING_UNKNOWNNAMES_H

#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// A node of ai.onnx (or another domain of the standard) whose name is that of
/// no operator in any opset known here, of no function of the model or of a
/// library, and of no schema: the name is most likely misspelled. REQUIRES:
/// addOnnxFolding() was called in its context.
bool isUnknownName(Operator op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_UNKNOWNNAMES_H
