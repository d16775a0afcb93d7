//===- CommandLine.cpp - The command line of a program --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "llvm/Support/CommandLine.h"
#include "onnxfold/options/internal/OptionTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

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
  return optionTable().ParseArgs(words, index, count, visibilityOf(program));
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

StringRef CommandLine::program() const { return commandOf(id); }

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

/// What may be meant by an option that is not known: as it is typed, or "".
std::string CommandLine::nearestOption(StringRef word) const {
  std::string name = word.split('=').first.str(), nearest;
  std::replace(name.begin() + 1, name.end(), '_', '-');
  StringRef here = spellingHere(name);
  if (!here.empty() && isKnown(here.split(' ').first))
    return here.str();
  std::string whole = name + word.substr(name.size()).str();
  unsigned distance =
      optionTable().findNearest(whole, nearest, visibilityOf(id));
  if (nearest.size() > 2 && nearest[1] != '-' && nearest[2] != '=')
    nearest.insert(0, "-");
  if (distance <= name.size() / 3)
    return nearest;
  std::string longer = longerOption(StringRef(name).ltrim('-'));
  here = nearSpellingHere(name);
  return !longer.empty() || !isKnown(here.split(' ').first) ? longer
                                                            : here.str();
}

/// The only option that begins with these letters, or "".
std::string CommandLine::longerOption(StringRef letters) const {
  llvm::StringSet<> longer;
  for (unsigned option = 1; option <= optionTable().getNumOptions(); ++option)
    if (optionTable().getOption(option).hasVisibilityFlag(visibilityOf(id)) &&
        letters.size() > 1 && nameOf(OptionId(option)).starts_with(letters))
      longer.insert(nameOf(OptionId(option)));
  return longer.size() == 1 ? "--" + longer.begin()->first().str() : "";
}

bool CommandLine::isKnown(StringRef word) const {
  unsigned index, count;
  std::string copy = word.str();
  const char *words[] = {copy.c_str()};
  return !optionTable()
              .ParseArgs(words, index, count, visibilityOf(id))
              .hasArgNoClaim(OPT_UNKNOWN);
}

llvm::Error CommandLine::unknownOption(StringRef word) const {
  std::string name, nearest = nearestOption(word);
  StringRef given = word.split('=').first;
  std::string expected = "an option";
  if (optionTable().findExact(given, name, visibilityOf(id)))
    expected = name + " without a value";
  else if (id == ProgramId::OnnxFold && isSubcommand(given.ltrim('-')))
    expected = ("'onnx-fold " + given.ltrim('-') + "'").str();
  else if (!nearest.empty())
    expected = nearest;
  std::string has = ("'" + word + "'").str();
  bool isMeant = expected == nearest;
  return withReference(OPT_INVALID,
                       llvm::make_error<OptionError>(
                           word.str(),
                           has + " is not known, " +
                               (isMeant ? "did you mean " + nearest + "?"
                                        : "expected " + expected),
                           has, expected));
}

llvm::Error CommandLine::checkInput() const {
  std::vector<StringRef> names = subcommandsOf(id);
  bool hasSubcommands = !names.empty();
  names.insert(names.end(), {"help", "version"});
  StringRef name = nearestName(input(), names);
  if (name.empty() || llvm::sys::fs::exists(input()))
    return llvm::Error::success();
  std::string meant =
      isSubcommand(name) ? (program() + " " + name).str() : ("--" + name).str();
  return error(OPT_INVALID, "'" + input() + "' is no file" +
                                (hasSubcommands ? " and no subcommand" : "") +
                                ", did you mean '" + meant + "'?");
}

llvm::Expected<std::string> CommandLine::oneInput(StringRef what,
                                                  StringRef output) const {
  if (positional.empty())
    return error(OPT_INVALID, "no " + what + " is given");
  if (positional.size() > 1)
    return error(OPT_INVALID, "'" + positional[1] + "' is given too",
                 "one " + what + "; '" + output + positional[1] +
                     "' names an output");
  if (llvm::Error error = checkInput())
    return error;
  return positional.front();
}

llvm::Error CommandLine::checkUnknown() const {
  for (const llvm::opt::Arg *arg : arguments) {
    auto option = OptionId(arg->getOption().getID());
    if (option == OPT_UNKNOWN)
      return unknownOption(arg->getSpelling());
    if (id == ProgramId::OnnxFold && option != OPT_INPUT &&
        !isOptionOf(option, command))
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
    if (optionTable().getOption(one.option).hasFlag(Repeatable))
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
    StringRef values = valuesOf(option);
    // --fold-quantization alone has a value that is not written.
    bool isAlone = arg->getAlias() && arg->getAlias()->getOption().getKind() ==
                                          llvm::opt::Option::FlagClass;
    if (values.empty() || isAlone)
      continue;
    llvm::SmallVector<StringRef> names;
    values.split(names, ',');
    StringRef value = arg->getValue();
    if (!llvm::is_contained(names, value))
      return wrongValue(option, value,
                        listed(values) + meant(nearestName(value, names)));
  }
  return llvm::Error::success();
}

llvm::Error CommandLine::checkRules() const {
  for (const OptionRule &rule : optionRules()) {
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
    llvm::opt::Option option = optionTable().getOption(one.option);
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
  for (auto check : {&CommandLine::checkSubject, &CommandLine::checkUnknown,
                     &CommandLine::checkRepeated, &CommandLine::checkValues})
    if (llvm::Error error = (this->*check)())
      return error;
  if (llvm::Error error = checkModels(several))
    return error;
  return checkRules();
}
