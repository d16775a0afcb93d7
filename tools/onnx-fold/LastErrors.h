//===- LastErrors.h - Errors that no function can return --------*- C++ -*-===//
//
// Memory that is not there, a thread that cannot be made: LLVM would end the
// process with SIGABRT, or an exception would pass through code that knows
// none. Instead the tool says what it is, removes its temporary files and ends
// with status 1. Nothing here allocates.
//
// Thread safety: the first thread in which such an error occurs ends the
// process.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_LASTERRORS_H
#define ONNXFOLD_TOOLS_ONNXFOLD_LASTERRORS_H

namespace onnxfold {

/// From now on. Once in a process.
void installLastErrors();

/// From now on in the form of --messages=json.
void writeLastErrorsAsJson();

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_LASTERRORS_H
