//===- OtherEngine.h - Verification by ONNX Runtime -------------*- C++ -*-===//
//
// --verify-with=onnxruntime. ONNX Runtime is there in Python, so this process
// becomes one of Python's module (python/onnx_fold/_onnxruntime.py): that runs
// the tool into a temporary folder beside the output, compares what it finds
// there with the model, and becomes a run of the tool that writes the output.
// The same input and options give the same bytes.
//
// Python is that of ONNX_FOLD_PYTHON, else the one beside the tool (a virtual
// environment), else the python3 of PATH.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_OTHERENGINE_H
#define ONNXFOLD_TOOLS_ONNXFOLD_OTHERENGINE_H

#include "Options.h"

namespace onnxfold {

/// Returns only if there is no Python. REQUIRES: options.forOtherEngine.
llvm::Error verifyWithOnnxRuntime(const Options &options);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_OTHERENGINE_H
