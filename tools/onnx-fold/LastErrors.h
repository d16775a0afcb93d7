//===- LastErrors.h - Errors that no function can return --------*- C++ -*-===//
//
// Memory that is not there, a thread that cannot be made: LLVM would end the
// process with SIGABRT, or an exception would pass through code that knows
// none. Instead the tool says what it is, with the file and the node that is
// being computed, removes its temporary files and ends with status 1. Where the
// output has its name already, and nothing else was asked for, it ends with 0.
// Only memory that was put aside for this is allocated here.
//
// Thread safety: the first thread in which such an error occurs ends the
// process.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_LASTERRORS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_LASTERRORS_H

#include "llvm/ADT/StringRef.h"

namespace onnxfold {

/// From now on. Once in a process.
void installLastErrors();

/// What a run reads, for messages; `isOutputAll`: beside its output nothing is
/// to be written.
void noteRun(llvm::StringRef input, bool isOutputAll);

/// From now on in the form of --messages=json.
void writeLastErrorsAsJson();

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_LASTERRORS_H
