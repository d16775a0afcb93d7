//===- ReducedFiles.h - What a reduction leaves -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCEDFILES_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCEDFILES_H

#include "onnxfold/onnx/driver/reduce/internal/InterestTest.h"

namespace onnxfold {

/// The file beside the model with another extension: ".npz", ".py".
std::string companionOf(llvm::StringRef output, llvm::StringRef extension);

/// An error if a file that a reduction writes is one of `inputs`, or another one
/// than of an earlier reduction.
llvm::Error checkOutputs(const std::string &output,
                         llvm::ArrayRef<std::string> inputs);

/// Bytes of all tensors, wherever they are.
uint64_t tensorBytes(const onnx::ModelProto &model);

/// Writes the model; the data that it refers to is copied. `temporary`: a file
/// in the folder of the data.
llvm::Error writeReduced(const Base &best, const std::string &output,
                         const std::string &temporary, ReduceReport &report);

/// Writes the inputs and the script. What cannot be made is a warning.
llvm::Error writeCompanions(const Base &best, const TestCommand &command,
                            const std::string &output, ReduceReport &report);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCEDFILES_H
