//===- OtherEngine.h - Verification by ONNX Runtime -------------*- C++ -*-===//
//
// Implements --verify-with=onnxruntime. ONNX Runtime is available in Python, so
// this process executes a Python module (python/onnx_fold/_onnxruntime.py). The
// module runs the tool with a temporary folder beside the output, compares the
// folded model with the original, and executes the tool again, which writes the
// output. The same input and options give the same bytes.
//
// The interpreter is that of ONNX_FOLD_PYTHON, else the one beside the tool (in
// a virtual environment), else the python3 of PATH.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_OTHERENGINE_H
#define ONNXFOLD_TOOLS_ONNXFOLD_OTHERENGINE_H

#include "Options.h"

namespace onnxfold {

/// Executes Python. Returns only if there is none. REQUIRES:
/// options.forOtherEngine.
llvm::Error verifyWithOnnxRuntime(const Options &options);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_OTHERENGINE_H
