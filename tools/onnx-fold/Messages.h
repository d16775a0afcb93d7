//===- Messages.h - What the tool says on standard error --------*- C++ -*-===//
//
// Warnings, errors, progress and the report: texts for people, or with
// --messages=json one JSON object a line for programs (docs/report.md has the
// contract):
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

#include "onnxfold/onnx/driver/FoldReport.h"
#include "llvm/Support/JSON.h"

namespace onnxfold {

class Messages {
public:
  bool isJson = false;
  /// JSON lines are for a process of ours that speaks of several models, as
  /// text: what only a text has is a line too (printed()).
  bool isRelayed = false;
  /// The files of the run: the text of an error begins with one of them.
  std::vector<std::string> files;

  void warn(llvm::StringRef text) const;
  /// Another run holds the output.
  void waits(llvm::StringRef output) const;
  void verified(const VerifyResult &result, bool all) const;
  /// A line of JSON only: how far the run is.
  void progress(llvm::json::Object fields) const;
  /// A line of JSON only.
  void report(const FoldReport &report) const;
  /// A line of JSON only, for who prints the text.
  void printed(llvm::StringRef text) const;
  /// A line of JSON only: what became of several models.
  void table(llvm::json::Array models) const;
  /// A line of JSON only, the last one of a run.
  void end(int status, bool isChanged) const;
  /// `code`: usage, failed, differs.
  /// `model`: of several; JSON says which.
  void fail(llvm::StringRef code, llvm::StringRef text,
            llvm::StringRef model = "") const;

private:
  void print(llvm::StringRef kind, llvm::json::Object fields) const;
};

/// What a message says, in the words of our messages ("a.onnx: initializer 'w'
/// has 23 bytes of raw_data, expected 24"): file, node, attribute, initializer,
/// has, expected; only those that it names. `files`: those it may begin with.
llvm::json::Object fieldsOf(llvm::StringRef message,
                            llvm::ArrayRef<std::string> files);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_MESSAGES_H
