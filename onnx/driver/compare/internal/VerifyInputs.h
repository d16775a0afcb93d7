//===- VerifyInputs.h - --verify-inputs -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Values of inputs in files, one set for each trial of a verification:
//
//   inputs.npz                 one set; arrays are called as inputs
//   folder/x.npy, ...          one set
//   folder/*.npz               a set each
//   folder/input_0.pb, ...     one set: ONNX's test data, by the names in the
//                              messages, or by the order of the inputs
//   folder/test_data_set_0/... a set each
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_VERIFYINPUTS_H
#define ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_VERIFYINPUTS_H

#include "onnxfold/onnx/verify/Verify.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

/// Reads values for the inputs of the main graph. `bound` has the names of
/// former inputs that were replaced by constants; values for them are ignored.
/// An error names the file: it cannot be read, has a value for a name that is
/// no input, or a value that does not fit the input's type.
llvm::Expected<std::vector<GivenInputs>>
readVerifyInputs(llvm::StringRef path, mlir::ModuleOp module,
                 const llvm::StringSet<> &bound);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_VERIFYINPUTS_H
