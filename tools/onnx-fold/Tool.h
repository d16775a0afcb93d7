//===- Tool.h - onnx-fold as a function -------------------------*- C++ -*-===//
//
// What main() calls, and the server of the tests (tests/lib/fold-server): one
// run of the tool, from its command line to its exit status. It uses the
// process's standard streams, may end the process (--help), and leaves the
// memory of the model to the end of the process: call it once in a process.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_TOOL_H
#define ONNXFOLD_TOOLS_ONNXFOLD_TOOL_H

namespace onnxfold {

/// The exit status, see docs/reference.md.
int runTool(int argc, char **argv);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_TOOL_H
