//===- OptionTable.cpp - The table of options as C++ has it ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/options/internal/OptionTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using llvm::StringRef;

namespace {

using llvm::opt::DefaultVis;
#define PROGRAM(id, command)                                                   \
  constexpr unsigned id = 2u << unsigned(ProgramId::id);
#include "onnxfold/options/Programs.inc"
#undef PROGRAM

constexpr StringRef commands[] = {
#define PROGRAM(id, command) command,
#include "onnxfold/options/Programs.inc"
#undef PROGRAM
};

#define OPTTABLE_STR_TABLE_CODE
#include "onnxfold/options/Options.inc"
#undef OPTTABLE_STR_TABLE_CODE
#define OPTTABLE_PREFIXES_TABLE_CODE
#include "onnxfold/options/Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE
#define OPTTABLE_SUBCOMMAND_IDS_TABLE_CODE
#include "onnxfold/options/Options.inc"
#undef OPTTABLE_SUBCOMMAND_IDS_TABLE_CODE
#define OPTTABLE_SUBCOMMANDS_CODE
#include "onnxfold/options/Options.inc"
#undef OPTTABLE_SUBCOMMANDS_CODE

constexpr llvm::opt::OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "onnxfold/options/Options.inc"
#undef OPTION
};

class Table : public llvm::opt::GenericOptTable {
public:
  Table()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos,
                        /*IgnoreCase=*/false, OptionSubCommands,
                        OptionSubCommandIDsTable) {
    setDashDashParsing(true);
  }
};

constexpr OptionRule rules[] = {
#define RULE(kind, first, second, value, text)                                 \
  {RuleKind::kind, OPT_##first, OPT_##second, value, text},
#include "onnxfold/options/Rules.inc"
#undef RULE
};

constexpr std::pair<StringRef, StringRef> elsewhere[] = {
#define ELSEWHERE(there, here) {there, here},
#include "onnxfold/options/Elsewhere.inc"
#undef ELSEWHERE
};

} // namespace

const llvm::opt::GenericOptTable &onnxfold::optionTable() {
  static const Table result;
  return result;
}

llvm::ArrayRef<OptionRule> onnxfold::optionRules() { return rules; }

StringRef onnxfold::valuesOf(OptionId option) {
  const char *values = optionInfos[option - 1].Values;
  return values ? values : "";
}

bool onnxfold::isOptionOf(OptionId option, StringRef subcommand) {
  return optionTable().isValidForSubCommand(&optionInfos[option - 1],
                                            subcommand);
}

StringRef onnxfold::spellingHere(StringRef word) {
  for (const auto &[there, here] : elsewhere)
    if (there == word)
      return here;
  return "";
}

StringRef onnxfold::nearSpellingHere(StringRef word) {
  std::vector<StringRef> names;
  for (const auto &[there, here] : elsewhere)
    names.push_back(there);
  return spellingHere(nearestName(word, names));
}

StringRef onnxfold::nameOf(OptionId option) {
  return optionTable().getOptionName(option).rtrim("=");
}

StringRef onnxfold::commandOf(ProgramId program) {
  return commands[unsigned(program)];
}

llvm::opt::Visibility onnxfold::visibilityOf(ProgramId program) {
  return llvm::opt::Visibility(2u << unsigned(program));
}

bool onnxfold::isSubcommand(StringRef word) {
  return llvm::is_contained(subcommandsOf(ProgramId::OnnxFold), word);
}

std::vector<StringRef> onnxfold::subcommandsOf(ProgramId program) {
  std::vector<StringRef> names;
  if (program == ProgramId::OnnxFold)
    for (const auto &subcommand : optionTable().getSubCommands())
      names.push_back(subcommand.Name);
  return names;
}

StringRef onnxfold::nearestName(StringRef word,
                                llvm::ArrayRef<StringRef> names) {
  StringRef nearest;
  // Two letters in the wrong order are a distance of 2.
  unsigned least =
      std::max<unsigned>(word.size() > 3 ? 2 : 1, word.size() / 3) + 1;
  for (StringRef name : names) {
    unsigned distance = word.edit_distance_insensitive(name, true, least);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string onnxfold::meant(StringRef name) {
  return name.empty() ? "" : ("; did you mean " + name + "?").str();
}
