//===- NodeNumbers.h - Which node of the model this was ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A module that was read from a written file has the numbers of the nodes in
// that file. For a comparison with the original model, its nodes get the
// numbers of the nodes in the module that was written.
//
//   takeNodeNumbers(*written->module, *folded); // before verify()
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_NODENUMBERS_H
#define ONNXFOLD_ONNX_VERIFY_NODENUMBERS_H

#include "mlir/IR/BuiltinOps.h"

namespace onnxfold {

/// Operators are the same if they are in the same function and body and have
/// outputs of the same names. Operators of `written` that `folded` does not
/// have get no number.
void takeNodeNumbers(mlir::ModuleOp written, mlir::ModuleOp folded);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_NODENUMBERS_H
