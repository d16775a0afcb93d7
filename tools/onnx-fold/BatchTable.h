//===- BatchTable.h - The outcome of several models -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
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

/// Prints lines that a run printed in the form of `messages`, and notes what
/// they say.
void readLines(const BatchJob &job, llvm::ArrayRef<std::string> lines,
               const Options &options, const Messages &messages,
               BatchOutcome &outcome);
/// `wait`: the status of the run from waitpid.
void readStatus(const BatchJob &job, int wait, const Messages &messages,
                BatchOutcome &outcome);

/// The line of a run that is about to give its files their names, and waits
/// until what it said before is printed (Messages::confirm).
constexpr llvm::StringLiteral completeLine = "{\"kind\":\"complete\"}";

/// The line of a process that is done with a model begins with it; the exit
/// status follows.
constexpr llvm::StringLiteral doneLine = "{\"kind\":\"done\"} ";

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
