//===- RunProgram.h - The parts of main() in small tools --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Parses the command line of a tool by the table of options, and prints its
// errors and warnings.
//
//   static llvm::Expected<int> run(const CommandLine &line);
//   int main(int argc, char **argv) {
//     return runProgram(ProgramId::OnnxToDml, argc, argv, run);
//   }
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_SUPPORT_RUNPROGRAM_H
#define ONNXFOLD_TOOLS_SUPPORT_RUNPROGRAM_H

#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/options/CommandLine.h"
#include "onnxfold/tools/support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

namespace onnxfold {

/// Calls `run` with the command line, and returns the exit status. Prints what
/// --help and --version ask for, and errors.
inline int
runProgram(ProgramId program, int argc, char **argv,
           llvm::function_ref<llvm::Expected<int>(const CommandLine &)> run) {
  // A full disk or a closed pipe is reported as an error; without this a signal
  // would kill the program.
  spellSettingsAsOptions();
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  CommandLine line(program, argc, argv);
  if (line.printInfo(llvm::outs()))
    return 0;
  if (llvm::Error error = line.check())
    return fail(line.program(), std::move(error));
  llvm::Expected<int> status = run(line);
  llvm::outs().flush();
  return status ? *status : fail(line.program(), status.takeError());
}

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_SUPPORT_RUNPROGRAM_H
