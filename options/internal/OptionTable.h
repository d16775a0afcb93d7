//===- OptionTable.h - The table of options as C++ has it -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What llvm-tblgen and tools/options make of Options.td, and its look-ups.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_OPTIONS_INTERNAL_OPTIONTABLE_H
#define ONNXFOLD_OPTIONS_INTERNAL_OPTIONTABLE_H

#include "onnxfold/options/CommandLine.h"
#include "llvm/Option/Option.h"

namespace onnxfold {

/// Flags of options (OptionClasses.td).
enum OptionFlag : unsigned {
  Common = 1u << 4,
  Repeatable = 1u << 5,
  OneModel = 1u << 6,
  SeveralModels = 1u << 7
};

enum class RuleKind { Excludes, ExcludesValue, Needs };
struct OptionRule {
  RuleKind kind;
  OptionId first, second;
  llvm::StringRef value, text;
};

const llvm::opt::GenericOptTable &optionTable();
llvm::ArrayRef<OptionRule> optionRules();
/// "" for an option of any value.
llvm::StringRef valuesOf(OptionId option);
bool isOptionOf(OptionId option, llvm::StringRef subcommand);

/// What an option of another tool is called here, or "".
llvm::StringRef spellingHere(llvm::StringRef elsewhere);
/// Of the option of another tool that is spelled most like the word.
llvm::StringRef nearSpellingHere(llvm::StringRef word);

/// Without dashes.
llvm::StringRef nameOf(OptionId option);
llvm::StringRef commandOf(ProgramId program);
llvm::opt::Visibility visibilityOf(ProgramId program);
bool isSubcommand(llvm::StringRef word);
/// Those of onnx-fold; of other programs there are none.
std::vector<llvm::StringRef> subcommandsOf(ProgramId program);

/// The name that differs least from the word, if it may have been meant; else
/// "".
llvm::StringRef nearestName(llvm::StringRef word,
                            llvm::ArrayRef<llvm::StringRef> names);

/// "; did you mean NAME?", or "" without a name.
std::string meant(llvm::StringRef name);

} // namespace onnxfold

#endif // ONNXFOLD_OPTIONS_INTERNAL_OPTIONTABLE_H
