//===- BatchTable.h - What became of several models -------------*- C++ -*-===//
//
// Reads what the run of one model said as JSON lines, passes it on, and keeps
// what the table at the end needs.
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

/// `lines`: all that a run printed. `wait`: how it ended, as waitpid has it.
/// `problem`: why it was ended from outside; empty: it was not. What it said is
/// printed in the form of `messages`.
BatchOutcome readOutcome(const BatchJob &job, llvm::ArrayRef<std::string> lines,
                         int wait, llvm::StringRef problem,
                         const Options &options, const Messages &messages);

/// The line is about how far a run is.
bool isProgressLine(llvm::StringRef line);
/// A line of JSON, with the model that it is about.
void passOn(const BatchJob &job, llvm::StringRef line);

/// As text on standard error, or a JSON line.
void printTable(llvm::ArrayRef<BatchJob> jobs,
                llvm::ArrayRef<BatchOutcome> outcomes, const Options &options,
                const Messages &messages);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_BATCHTABLE_H
