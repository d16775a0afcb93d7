//===- CommandLine.h - What main() of the small tools share -----*- C++ -*-===//
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

inline llvm::Error usageError(llvm::StringRef program,
                              const llvm::Twine &text) {
  return llvm::createStringError(text + " (see " + program + " --help)");
}

/// A message for a terminal. Lines of a list, which two spaces begin, stay.
inline std::string printableMessage(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, "\n  ");
  std::vector<std::string> printable(lines.size());
  llvm::transform(lines, printable.begin(), printableText);
  return llvm::join(printable, "\n  ");
}

/// Says why, and gives the exit status.
inline int fail(llvm::StringRef program, llvm::Error error) {
  llvm::errs() << program << ": error: "
               << printableMessage(llvm::toString(std::move(error))) << "\n";
  return 1;
}

inline void warn(llvm::StringRef program, llvm::StringRef text) {
  llvm::errs() << program << ": warning: " << printableMessage(text) << "\n";
}

/// Ends the program for --help and --version.
inline llvm::Error parseCommandLine(int argc, char **argv,
                                    llvm::StringRef program,
                                    llvm::StringRef overview,
                                    llvm::cl::OptionCategory &category) {
  // A full disk or a closed pipe is an error to report, not a death.
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
  text = text.split("  Try: ").first.rtrim(".!"); // usageError() says it
  // That an option has no value LLVM has said itself.
  return usageError(program, text.empty() ? "an option is wrong" : text);
}

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_SUPPORT_COMMANDLINE_H
