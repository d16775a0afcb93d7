//===- BatchTable.h - The outcome of several models -------------*- C++ -*-===//
//
// Reads the JSON lines that the run of a model printed, passes them on, and
// keeps the numbers for the table at the end.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_BATCHTABLE_H
#define ONNXFOLD_TOOLS_ONNXFOLD_BATCHTABLE_H

#include "Batch.h"

namespace onnxfold {

struct BatchOutcome {
  int status = 1;
  bool isChanged = false, hasReport = false;
  uint64_t bytesBefore = 0, bytesAfter = 0;
  int64_t operatorsBefore = 0, operatorsAfter = 0;
  double seconds = 0;
};

/// `lines`: all lines that a run printed. `wait`: its status from waitpid.
/// Prints the lines in the form of `messages`.
BatchOutcome readOutcome(const BatchJob &job, llvm::ArrayRef<std::string> lines,
                         int wait, const Options &options,
                         const Messages &messages);

/// The line reports progress.
bool isProgressLine(llvm::StringRef line);
/// Prints a line of JSON with the name of its model added.
void passOn(const BatchJob &job, llvm::StringRef line);

/// Prints the table, as text on standard error or as a JSON line.
void printTable(llvm::ArrayRef<BatchJob> jobs,
                llvm::ArrayRef<BatchOutcome> outcomes, const Options &options,
                const Messages &messages);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_BATCHTABLE_H
