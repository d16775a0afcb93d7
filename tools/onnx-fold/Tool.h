//===- Tool.h - onnx-fold as a function -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One run of the tool, from its command line to its exit status, for main() and
// the server of the tests (tests/lib/fold-server). It uses the process's
// standard streams, may end the process (--help), and does not free the memory
// of the model. So call it once in a process.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_TOOL_H
#define ONNXFOLD_TOOLS_ONNXFOLD_TOOL_H

namespace onnxfold {

/// Returns the exit status (docs/reference.md).
int runTool(int argc, char **argv);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_TOOL_H
