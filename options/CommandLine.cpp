//===- CommandLine.cpp - The command line of a program --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/options/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

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

/// Flags of options (OptionClasses.td).
enum : unsigned {
  Common = 1u << 4,
  Repeatable = 1u << 5,
  OneModel = 1u << 6,
  SeveralModels = 1u << 7
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

/// The texts of --help and --help-all.
struct Help {
  ProgramId program;
  StringRef subcommand, text, all;
};
constexpr Help helps[] = {
#define HELP(program, subcommand, text, all)                                   \
  {ProgramId::program, subcommand, text, all},
#include "onnxfold/options/Help.inc"
#undef HELP
};

enum class RuleKind { Excludes, ExcludesValue, Needs };
struct Rule {
  RuleKind kind;
  OptionId first, second;
  StringRef value, text;
};
constexpr Rule rules[] = {
#define RULE(kind, first, second, value, text)                                 \
  {RuleKind::kind, OPT_##first, OPT_##second, value, text},
#include "onnxfold/options/Rules.inc"
#undef RULE
};

} // namespace

static const Table &table() {
  static const Table result;
  return result;
}

static StringRef nameOf(OptionId option) {
  return table().getOptionName(option).rtrim("=");
}

static llvm::opt::Visibility visibilityOf(ProgramId program) {
  return llvm::opt::Visibility(2u << unsigned(program));
}

static bool isSubcommand(StringRef word) {
  return llvm::any_of(table().getSubCommands(), [&](const auto &subcommand) {
    return word == subcommand.Name;
  });
}

std::string CommandLine::spelling(OptionId option) {
  StringRef name = nameOf(option);
  return ((name.size() > 1 ? "--" : "-") + name).str();
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static llvm::opt::InputArgList parse(llvm::BumpPtrAllocator &allocator,
                                     ProgramId program, int argc,
                                     const char *const *argv, unsigned &index,
                                     unsigned &count) {
  llvm::SmallVector<const char *> words(argv + std::min(argc, 1), argv + argc);
  llvm::StringSaver saver(allocator);
  llvm::cl::ExpandResponseFiles(saver, llvm::cl::TokenizeGNUCommandLine, words);
  return table().ParseArgs(words, index, count, visibilityOf(program));
}

CommandLine::CommandLine(ProgramId program, int argc, const char *const *argv)
    : id(program), arguments(parse(allocator, program, argc, argv, missingIndex,
                                   missingCount)) {
  for (const llvm::opt::Arg *arg : arguments.filtered(OPT_INPUT))
    positional.push_back(arg->getValue());
  if (program != ProgramId::OnnxFold)
    return;
  command = "fold";
  if (isSubcommand(input())) {
    command = positional.front();
    positional.erase(positional.begin());
  }
}

StringRef CommandLine::program() const { return commands[unsigned(id)]; }

StringRef CommandLine::input() const {
  return positional.empty() ? StringRef() : positional.front();
}

StringRef CommandLine::value(OptionId option, StringRef otherwise) const {
  const llvm::opt::Arg *arg = arguments.getLastArgNoClaim(option);
  return !arg                       ? otherwise
         : arg->getNumValues() == 0 ? StringRef()
                                    : StringRef(arg->getValue());
}

std::vector<std::string> CommandLine::values(OptionId option) const {
  return arguments.getAllArgValues(option);
}

std::vector<CommandLine::Given> CommandLine::given() const {
  std::vector<Given> result;
  for (const llvm::opt::Arg *arg : arguments) {
    auto option = OptionId(arg->getOption().getID());
    if (option != OPT_INPUT && option != OPT_UNKNOWN)
      result.push_back(
          {option, nameOf(option), arg->getNumValues() ? arg->getValue() : ""});
  }
  return result;
}

std::vector<std::string>
CommandLine::without(llvm::ArrayRef<OptionId> options) const {
  llvm::opt::ArgStringList words;
  for (const llvm::opt::Arg *arg : arguments)
    if (!llvm::is_contained(options, arg->getOption().getID()))
      (arg->getAlias() ? arg->getAlias() : arg)->render(arguments, words);
  return {words.begin(), words.end()};
}

bool CommandLine::printInfo(llvm::raw_ostream &os) const {
  if (has(OPT_version)) {
    os << program() << " " ONNXFOLD_VERSION "\n";
    return true;
  }
  if (!has(OPT_help) && !has(OPT_help_all))
    return false;
  for (const Help &help : helps)
    if (help.program == id && help.subcommand == command)
      os << (has(OPT_help_all) ? help.all : help.text);
  return true;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

llvm::Error CommandLine::withReference(OptionId option,
                                       llvm::Error error) const {
  return withHint(option == OPT_INVALID ? "" : spelling(option),
                  std::move(error), " (see " + program() + " --help)");
}

llvm::Error CommandLine::error(OptionId option, const llvm::Twine &text,
                               const llvm::Twine &expected) const {
  std::string wanted = expected.str();
  return withReference(
      option, llvm::make_error<OptionError>(
                  option == OPT_INVALID ? "" : spelling(option),
                  (text + (wanted.empty() ? "" : ", expected ") + wanted).str(),
                  "", wanted));
}

llvm::Error CommandLine::wrongValue(OptionId option, StringRef has,
                                    const llvm::Twine &expected) const {
  return withReference(option, wrongOption(spelling(option), has, expected));
}

/// "text or json".
static std::string listed(StringRef values) {
  llvm::SmallVector<StringRef> names;
  values.split(names, ',');
  std::string last = names.pop_back_val().str();
  return names.empty() ? last : llvm::join(names, ", ") + " or " + last;
}

llvm::Error CommandLine::unknownOption(StringRef word) const {
  std::string name, nearest;
  StringRef given = word.split('=').first;
  unsigned distance = table().findNearest(word, nearest, visibilityOf(id));
  if (nearest.size() > 2 && nearest[1] != '-' && nearest[2] != '=')
    nearest.insert(0, "-");
  std::string expected = "an option";
  if (table().findExact(given, name, visibilityOf(id)))
    expected = name + " without a value";
  else if (id == ProgramId::OnnxFold && isSubcommand(given.ltrim('-')))
    expected = ("'onnx-fold " + given.ltrim('-') + "'").str();
  else if (distance <= word.size() / 3)
    expected = "an option such as " + nearest;
  return llvm::make_error<OptionError>(word.str(),
                                       ("'" + word +
                                        "' is not known, expected " + expected +
                                        " (see " + program() + " --help)")
                                           .str(),
                                       ("'" + word + "'").str(), expected);
}

llvm::Error CommandLine::checkUnknown() const {
  for (const llvm::opt::Arg *arg : arguments) {
    auto option = OptionId(arg->getOption().getID());
    if (option == OPT_UNKNOWN)
      return unknownOption(arg->getSpelling());
    if (id == ProgramId::OnnxFold && option != OPT_INPUT &&
        !table().isValidForSubCommand(&optionInfos[option - 1], command))
      return error(option,
                   spelling(option) + " is not an option of 'onnx-fold " +
                       command + "'",
                   "one of 'onnx-fold " + command + " --help'");
  }
  if (missingCount == 0)
    return llvm::Error::success();
  std::string word = arguments.getArgString(missingIndex);
  return withReference(
      OPT_INVALID, llvm::make_error<OptionError>(
                       word, word + " is given without a value, expected one",
                       "no value", "one"));
}

llvm::Error CommandLine::checkRepeated() const {
  for (const Given &one : given()) {
    if (table().getOption(one.option).hasFlag(Repeatable))
      continue;
    for (const std::string &other : values(one.option))
      if (other != one.value) {
        std::string has = ("'" + one.value + "' and '" + other + "'").str();
        return withReference(one.option, llvm::make_error<OptionError>(
                                             spelling(one.option),
                                             spelling(one.option) + " is " +
                                                 has + ", expected one value",
                                             has, "one value"));
      }
  }
  return llvm::Error::success();
}

llvm::Error CommandLine::checkValues() const {
  for (const llvm::opt::Arg *arg : arguments) {
    auto option = OptionId(arg->getOption().getID());
    const char *values = optionInfos[option - 1].Values;
    // --fold-quantization alone has a value that is not written.
    bool isAlone = arg->getAlias() && arg->getAlias()->getOption().getKind() ==
                                          llvm::opt::Option::FlagClass;
    if (!values || isAlone)
      continue;
    llvm::SmallVector<StringRef> names;
    StringRef(values).split(names, ',');
    if (!llvm::is_contained(names, arg->getValue()))
      return wrongValue(option, arg->getValue(), listed(values));
  }
  return llvm::Error::success();
}

llvm::Error CommandLine::checkRules() const {
  for (const Rule &rule : rules) {
    if (!has(rule.first))
      continue;
    std::string first = spelling(rule.first), second = spelling(rule.second);
    if (rule.kind == RuleKind::Needs && !has(rule.second))
      return error(rule.first,
                   llvm::Twine(first) + " is given without " + second, "both");
    if (rule.kind == RuleKind::ExcludesValue && has(rule.second) &&
        value(rule.second) == rule.value)
      return error(rule.first,
                   llvm::Twine(first) + " is given with " + second +
                       (second == "-O" ? "" : "=") + rule.value,
                   rule.text);
    if (rule.kind == RuleKind::Excludes && has(rule.second))
      return error(rule.first,
                   llvm::Twine(first) + " and " + second + " are given",
                   llvm::Twine("one of them") +
                       (rule.text.empty() ? "" : ": ") + rule.text);
  }
  return llvm::Error::success();
}

llvm::Error CommandLine::checkModels(StringRef several) const {
  for (const Given &one : given()) {
    llvm::opt::Option option = table().getOption(one.option);
    if (!several.empty() && option.hasFlag(OneModel))
      return error(one.option,
                   several + " and " + spelling(one.option) + " are given",
                   llvm::Twine("one model") +
                       (one.option == OPT_output ? ", or --output-dir" : ""));
    if (several.empty() && option.hasFlag(SeveralModels))
      return error(one.option,
                   spelling(one.option) + " is given with one model",
                   "several");
  }
  return llvm::Error::success();
}

llvm::Error CommandLine::check(StringRef several) const {
  for (auto check : {&CommandLine::checkUnknown, &CommandLine::checkRepeated,
                     &CommandLine::checkValues})
    if (llvm::Error error = (this->*check)())
      return error;
  if (llvm::Error error = checkModels(several))
    return error;
  return checkRules();
}
