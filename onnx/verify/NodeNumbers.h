//===- NodeNumbers.h - Which node of the model this was ---------*- C++ -*-===//
//
// A module that was read from a written file numbers the nodes of that file. To
// compare it with the original model, its nodes get the numbers of those in the
// module that was written.
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

/// Operators are the same if functions, bodies and the names of their outputs
/// are; those of `written` that `folded` does not have get no number.
void takeNodeNumbers(mlir::ModuleOp written, mlir::ModuleOp folded);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_NODENUMBERS_H
