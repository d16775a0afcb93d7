//===- LastErrors.h - Errors that no function can return --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Handles a failed allocation, or a thread that cannot be created. LLVM would
// end the process with SIGABRT, or an exception would pass through code that is
// not exception-safe. Instead the tool prints the error, with the file and the
// node that is being computed, removes its temporary files and exits with
// status 1. If the output has its name already, it exits with 0. The handler allocates only from memory that was reserved for it.
//
// Thread safety: the first thread in which such an error occurs ends the
// process.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_LASTERRORS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_LASTERRORS_H

#include "llvm/ADT/StringRef.h"

namespace onnxfold {

/// Installs the handlers. Call it once in a process.
void installLastErrors();

/// `input`: the file that the run reads, for messages.
void noteRun(llvm::StringRef input);

/// Notes that the output gets its name next, and whether it is another model
/// than the input.
void noteComplete(bool isChanged);

/// Prints later errors in the form of --messages=json.
void writeLastErrorsAsJson();

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_LASTERRORS_H
