//===- CommandLine.h - The parts of main() in small tools -------*- C++ -*-===//
//
// Parses the command line of a tool, and prints its errors and warnings.
//
//   int main(int argc, char **argv) {
//     Flags flags; // cl::opt members
//     if (llvm::Error error = parseCommandLine(argc, argv, "onnx-to-dml",
//                                              "writes ...", flags.category))
//       return fail("onnx-to-dml", std::move(error));
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_SUPPORT_COMMANDLINE_H
#define ONNXFOLD_TOOLS_SUPPORT_COMMANDLINE_H

#include "onnxfold/onnx/io/IoError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

namespace onnxfold {

/// An error with a text that refers to the program's --help.
inline llvm::Error usageError(llvm::StringRef program,
                              const llvm::Twine &text) {
  return llvm::createStringError(text + " (see " + program + " --help)");
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

/// Prints the error, and returns the exit status.
inline int fail(llvm::StringRef program, llvm::Error error) {
  llvm::errs() << program << ": error: "
               << printableMessage(llvm::toString(std::move(error))) << "\n";
  return 1;
}

/// Prints a warning.
inline void warn(llvm::StringRef program, llvm::StringRef text) {
  llvm::errs() << program << ": warning: " << printableMessage(text) << "\n";
}

/// Parses the options of the command line. Returns an error for a wrong one,
/// and ends the program for --help and --version.
inline llvm::Error parseCommandLine(int argc, char **argv,
                                    llvm::StringRef program,
                                    llvm::StringRef overview,
                                    llvm::cl::OptionCategory &category) {
  // A full disk or a closed pipe is reported as an error; without this a signal
  // would kill the program.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::SetVersionPrinter([program](llvm::raw_ostream &out) {
    out << program << " " ONNXFOLD_VERSION "\n";
  });
  std::string problem;
  llvm::raw_string_ostream problems(problem);
  if (llvm::cl::ParseCommandLineOptions(
          argc, argv, (program + ": " + overview + "\n").str(), &problems))
    return llvm::Error::success();
  llvm::StringRef text = llvm::StringRef(problem).split('\n').first;
  text.consume_front((program + ": ").str());
  text = text.split("  Try: ").first.rtrim(".!"); // usageError() adds that
  // LLVM prints by itself that an option lacks its value.
  return usageError(program, text.empty() ? "an option is wrong" : text);
}

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_SUPPORT_COMMANDLINE_H
