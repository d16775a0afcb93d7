//===- Messages.h - Messages of the tool on standard error ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints warnings, errors, progress and the report: as text for people, or with
// --messages=json as JSON lines for programs, one object in each
// (docs/report.md has the contract):
//
//   Messages messages;
//   messages.isJson = true;
//   messages.warn("a.onnx: nodes are out of order");
//   // {"kind":"warning","text":"a.onnx: nodes are out of order"}
//
// Each line is one write, so those of several threads do not mix.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_MESSAGES_H
#define ONNXFOLD_TOOLS_ONNXFOLD_MESSAGES_H

#include "onnxfold/onnx/driver/report/FoldReport.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "llvm/Support/JSON.h"
#include <functional>

namespace onnxfold {

class Messages {
public:
  bool isJson = false;
  /// The JSON lines are for our own parent process, which prints text about
  /// several models. Messages that exist only as text become lines too
  /// (printed()).
  bool isRelayed = false;
  /// Asks our parent process, which shows the lines, whether it has shown them
  /// all; empty: there is none. The error says why it cannot.
  std::function<llvm::Error()> confirm;

  void warn(llvm::StringRef text) const;
  /// Says that another run holds the output.
  void waits(llvm::StringRef output) const;
  void verified(const VerifyResult &result, bool all) const;
  /// A line of JSON only: how far the run is.
  void progress(llvm::json::Object fields) const;
  /// A line of JSON only: the report.
  void report(const FoldReport &report) const;
  /// The same of a report that is a line of JSON already.
  void report(llvm::StringRef json) const;
  /// A line of JSON only, for a parent process that prints the text.
  void printed(llvm::StringRef text) const;
  /// A line of JSON only: the files that are about to get their names.
  void ready(llvm::ArrayRef<std::string> files) const;
  /// A line of JSON only: the outcome of several models.
  void table(llvm::json::Array models) const;
  /// A line of JSON only, the last one of a run.
  void end(int status, bool isChanged) const;
  /// `code`: usage, failed, differs.
  /// `model`: the one of several models, for JSON.
  void fail(llvm::StringRef code, const ModelFault &fault,
            llvm::StringRef model = "") const;

  /// A wrong command line.
  void failUsage(llvm::Error error) const;

private:
  void print(llvm::StringRef kind, llvm::json::Object fields) const;
};

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_MESSAGES_H
