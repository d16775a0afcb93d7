//===- Errors.h - The errors of all programs --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One form of errors for all programs, bad options included:
//
//   onnx-fold: error: a.onnx: initializer 'w' has 23 bytes, expected 24
//   {"kind":"error","code":"failed","file":"a.onnx","initializer":"w", ...}
//
//   if (llvm::Error error = work(options))
//     return fail("onnx-to-dml", std::move(error));
//   return usageError("onnx-to-dml", ModelFault("no model is given"));
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_SUPPORT_ERRORS_H
#define ONNXFOLD_TOOLS_SUPPORT_ERRORS_H

#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/options/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace onnxfold {

/// How an error is printed.
struct ErrorForm {
  bool isJson = false;             ///< as a line of --messages=json
  llvm::StringRef code = "failed"; ///< in JSON: failed, usage, differs, ...
  llvm::StringRef model = "";      ///< in JSON: the one of several models
};

/// An error that refers to the program's --help.
inline llvm::Error usageError(llvm::StringRef program, ModelFault fault) {
  return std::move(fault).says("(see " + program + " --help)");
}

/// An error of a library about an option.
inline llvm::Error usageError(const CommandLine &line, OptionId option,
                              llvm::Error error) {
  return error.isA<ModelError>()
             ? usageError(line.program(), takeFault(std::move(error)))
             : line.withReference(option, std::move(error));
}

/// A message for a terminal, with control characters escaped. Line breaks
/// before two spaces, which begin the lines of a list, are kept.
inline std::string printableMessage(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, "\n  ");
  std::vector<std::string> printable(lines.size());
  llvm::transform(lines, printable.begin(), printableText);
  return llvm::join(printable, "\n  ");
}

/// Prints an error on standard error, in one write.
inline void printError(llvm::StringRef program, const ModelFault &fault,
                       const ErrorForm &form = {}) {
  std::string line;
  llvm::raw_string_ostream out(line);
  if (form.isJson) {
    llvm::json::Object fields = fault.toJson();
    fields["kind"] = "error";
    fields["code"] = form.code;
    if (!form.model.empty())
      fields["model"] = llvm::json::fixUTF8(form.model);
    out << llvm::json::Value(std::move(fields)) << "\n";
  } else {
    out << program << ": error: " << printableMessage(fault.text()) << "\n";
  }
  llvm::errs() << line;
}

/// The fault of an error about a command line: that of the parser, which knows
/// no ModelFault, or one of a library.
inline ModelFault takeUsageFault(llvm::Error error) {
  if (!error.isA<OptionError>())
    return takeFault(std::move(error));
  ModelFault fault;
  llvm::handleAllErrors(std::move(error), [&](const OptionError &wrong) {
    fault = ModelFault(wrong.text)
                .noting(ModelFault::Field::Option, wrong.option)
                .noting(ModelFault::Field::Has, wrong.has)
                .noting(ModelFault::Field::Expected, wrong.expected);
  });
  return fault;
}

/// Prints an error after the results, and returns the exit status.
inline int fail(llvm::StringRef program, llvm::Error error) {
  llvm::outs().flush();
  printError(program, takeUsageFault(std::move(error)));
  return 1;
}

/// Prints a warning.
inline void warn(llvm::StringRef program, llvm::StringRef text) {
  llvm::errs() << program << ": warning: " << printableMessage(text) << "\n";
}

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_SUPPORT_ERRORS_H
