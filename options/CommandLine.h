//===- CommandLine.h - The command line of a program ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Parses the arguments of a program by the table of options (Options.td), on
// LLVM's Option library.
//
//   CommandLine line(ProgramId::OnnxRun, argc, argv);
//   if (line.printInfo(llvm::outs()))  // --help, --help=SUBJECT, --version
//     return 0;
//   if (llvm::Error error = line.check())
//     return fail(std::move(error));
//   if (line.has(OPT_print_limit)) ...
//
// Thread safety: none is needed; an object does not change.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_OPTIONS_COMMANDLINE_H
#define ONNXFOLD_OPTIONS_COMMANDLINE_H

#include "onnxfold/options/OptionError.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/StringSaver.h"

namespace onnxfold {

enum class ProgramId {
#define PROGRAM(id, command) id,
#include "onnxfold/options/Programs.inc"
#undef PROGRAM
};

/// OPT_ and the name of an option's record.
enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "onnxfold/options/Options.inc"
#undef OPTION
};

class CommandLine {
public:
  /// Parses the arguments; `argv` has the program's name in front. Nothing is
  /// reported before check().
  CommandLine(ProgramId program, int argc, const char *const *argv);
  CommandLine(const CommandLine &) = delete;
  CommandLine &operator=(const CommandLine &) = delete;

  /// Prints the help or the version. False if neither was asked for, or the
  /// subject of --help is not known, which check() says.
  bool printInfo(llvm::raw_ostream &os) const;

  /// The first of these errors: an unknown subject of --help, an unknown option, a missing or unknown value,
  /// a single-valued option with two values, an option that is for one model
  /// only or for several, options that exclude each other.
  /// `several` says what makes the models several; "": there is one.
  llvm::Error check(llvm::StringRef several = "") const;

  /// Only whether options exclude each other.
  llvm::Error checkRules() const;

  /// The program's name.
  llvm::StringRef program() const;

  /// The subcommand of onnx-fold: "fold" if none is given.
  llvm::StringRef subcommand() const { return command; }

  /// What is no option and no subcommand, in its order.
  llvm::ArrayRef<std::string> inputs() const { return positional; }
  /// The first one, or "".
  llvm::StringRef input() const;

  bool has(OptionId option) const { return arguments.hasArgNoClaim(option); }
  /// The value of an option that may be given once.
  llvm::StringRef value(OptionId option, llvm::StringRef otherwise = "") const;
  /// The values of an option that may be repeated.
  std::vector<std::string> values(OptionId option) const;

  /// A number from `least` to `most`.
  template <typename T>
  llvm::Error readNumber(OptionId option, T &number, T least, T most) const;

  struct Given {
    OptionId option;
    llvm::StringRef name;  ///< without dashes
    llvm::StringRef value; ///< empty for a switch
  };
  /// All options in their order.
  std::vector<Given> given() const;

  /// The command line without these options.
  std::vector<std::string> without(llvm::ArrayRef<OptionId> options) const;

  /// "--name", or "-n".
  static std::string spelling(OptionId option);

  /// An error about the option, or about none: `text` and a reference to the
  /// program's --help.
  llvm::Error error(OptionId option, const llvm::Twine &text,
                    const llvm::Twine &expected = "") const;
  /// The error with that reference. `option`: of an error that has none.
  llvm::Error withReference(OptionId option, llvm::Error error) const;
  /// "--name is 'has', expected ...".
  llvm::Error wrongValue(OptionId option, llvm::StringRef has,
                         const llvm::Twine &expected) const;

  /// An error if the first input is no file, but nearly a subcommand, "help" or
  /// "version".
  llvm::Error checkInput() const;
  /// The one file that a program reads. `what` is the word for it; `output`
  /// stands before the name of an output, as somebody may have meant a second
  /// file, which is never read.
  llvm::Expected<std::string> oneInput(llvm::StringRef what,
                                       llvm::StringRef output) const;

private:
  bool isKnown(llvm::StringRef word) const;
  std::string nearestOption(llvm::StringRef word) const;
  std::string longerOption(llvm::StringRef letters) const;
  llvm::Error checkSubject() const;
  llvm::Error unknownOption(llvm::StringRef word) const;
  llvm::Error checkUnknown() const;
  llvm::Error checkRepeated() const;
  llvm::Error checkValues() const;
  llvm::Error checkModels(llvm::StringRef several) const;

  ProgramId id;
  llvm::BumpPtrAllocator allocator;
  unsigned missingIndex = 0, missingCount = 0; // set with `arguments`
  llvm::opt::InputArgList arguments;
  std::string command;
  std::vector<std::string> positional;
};

template <typename T>
llvm::Error CommandLine::readNumber(OptionId option, T &number, T least,
                                    T most) const {
  if (!has(option))
    return llvm::Error::success();
  T read;
  if (value(option).getAsInteger(10, read) || read < least || read > most)
    return wrongValue(option, value(option),
                      "a number from " + llvm::Twine(least) + " to " +
                          llvm::Twine(most));
  number = read;
  return llvm::Error::success();
}

} // namespace onnxfold

#endif // ONNXFOLD_OPTIONS_COMMANDLINE_H
