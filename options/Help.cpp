//===- Help.cpp - What --help and --version print -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/options/internal/OptionTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace onnxfold;
using llvm::StringRef;

namespace {

/// Of a subcommand, or of a program that has none.
struct HelpText {
  ProgramId program;
  StringRef subcommand, head, examples, statuses;
};
constexpr HelpText helpTexts[] = {
#define HELP_TEXT(program, subcommand, head, examples, statuses)               \
  {ProgramId::program, subcommand, head, examples, statuses},
#include "onnxfold/options/Help.inc"
#undef HELP_TEXT
};

struct HelpGroup {
  OptionId id;
  StringRef name, title;
};
constexpr HelpGroup helpGroups[] = {
#define HELP_GROUP(name, title) {OPT_##name, #name, title},
#include "onnxfold/options/Help.inc"
#undef HELP_GROUP
};

struct HelpOption {
  ProgramId program;
  OptionId option;
  StringRef brief, full;
};
constexpr HelpOption helpOptions[] = {
#define HELP_OPTION(program, option, brief, full)                              \
  {ProgramId::program, OPT_##option, brief, full},
#include "onnxfold/options/Help.inc"
#undef HELP_OPTION
};

/// Prints help for a program and one of its subcommands.
class Help {
public:
  Help(ProgramId program, StringRef subcommand, llvm::raw_ostream &os)
      : program(program), subcommand(subcommand), os(os) {}

  void printShort() const;
  void printAll() const;
  /// False if there is no such subject.
  bool print(StringRef subject) const;
  std::vector<StringRef> subjects() const;

private:
  using Choice = llvm::function_ref<bool(const HelpOption &)>;

  const HelpText &text() const;
  bool isListed(const HelpOption &entry, const HelpGroup &group) const;
  /// `ruled`: the option whose rules are printed too.
  void printGroups(bool isBrief, Choice isChosen, StringRef ruled = "") const;
  void printRules(OptionId option) const;

  ProgramId program;
  StringRef subcommand;
  llvm::raw_ostream &os;
};

} // namespace

const HelpText &Help::text() const {
  return *llvm::find_if(helpTexts, [&](const HelpText &one) {
    return one.program == program && one.subcommand == subcommand;
  });
}

bool Help::isListed(const HelpOption &entry, const HelpGroup &group) const {
  return entry.program == program &&
         optionTable().getOptionGroupID(entry.option) == group.id &&
         (subcommand.empty() || isOptionOf(entry.option, subcommand));
}

void Help::printGroups(bool isBrief, Choice isChosen, StringRef ruled) const {
  for (const HelpGroup &group : helpGroups) {
    bool isFirst = true;
    for (const HelpOption &entry : helpOptions) {
      if (!isListed(entry, group) || !isChosen(entry))
        continue;
      if (isFirst)
        os << "\n" << group.title << ":\n";
      isFirst = false;
      os << (isBrief ? entry.brief : entry.full);
      if (nameOf(entry.option) == ruled)
        printRules(entry.option);
    }
  }
}

static bool isCommon(const HelpOption &entry) {
  return optionTable().getOption(entry.option).hasFlag(Common);
}

void Help::printShort() const {
  // What has few options has one help.
  bool hasMore = llvm::any_of(helpOptions, [&](const HelpOption &entry) {
    return entry.program == program && !isCommon(entry);
  });
  if (!hasMore || (!subcommand.empty() && subcommand != "fold"))
    return printAll();
  os << text().head << text().examples;
  printGroups(/*isBrief=*/true, isCommon);
  os << text().statuses;
}

void Help::printAll() const {
  os << text().head << text().examples;
  printGroups(/*isBrief=*/false, [](const HelpOption &) { return true; });
  os << text().statuses;
}

/// What goes with the option, and what does not.
void Help::printRules(OptionId option) const {
  auto print = [&](StringRef words, OptionId other, StringRef more) {
    os.indent(28) << words << CommandLine::spelling(other) << more << "\n";
  };
  for (const OptionRule &rule : optionRules()) {
    if (rule.first != option && rule.second != option)
      continue;
    OptionId other = rule.first == option ? rule.second : rule.first;
    if (rule.kind == RuleKind::Excludes)
      print("not with ", other, "");
    else if (rule.kind == RuleKind::ExcludesValue && rule.first == option)
      print("not with ", other,
            ((other == OPT_level ? "" : "=") + rule.value).str());
    else if (rule.kind == RuleKind::Needs)
      print(rule.first == option ? "only with " : "goes with ", other, "");
  }
}

/// "cache" is a word of "cache-size".
static bool hasWords(StringRef name, StringRef words) {
  return ("-" + name + "-").str().find(("-" + words + "-").str()) !=
         std::string::npos;
}

/// "--max_growth=1M" as "max-growth", and "-O2" as "O".
static std::string subjectOf(StringRef given) {
  std::string name = given.split('=').first.ltrim('-').str();
  std::replace(name.begin(), name.end(), '_', '-');
  if (name.size() == 2 && name[0] == 'O' && llvm::isDigit(name[1]))
    name.pop_back();
  return name;
}

bool Help::print(StringRef given) const {
  std::string subject = subjectOf(given);
  bool isFound = false;
  if (subject == "all") {
    printAll();
    return true;
  }
  if (llvm::is_contained(subcommandsOf(program), subject)) {
    Help(program, subject, os).printAll();
    isFound = true;
  }
  const HelpGroup *group = llvm::find_if(
      helpGroups, [&](const HelpGroup &one) { return one.name == subject; });
  bool isWhole = isFound || group != std::end(helpGroups);
  printGroups(/*isBrief=*/false,
              [&](const HelpOption &entry) {
                StringRef name = nameOf(entry.option);
                bool isChosen =
                    name == subject || (!isWhole && hasWords(name, subject)) ||
                    (group != std::end(helpGroups) && isListed(entry, *group));
                isFound |= isChosen;
                return isChosen;
              },
              subject);
  return isFound;
}

std::vector<StringRef> Help::subjects() const {
  std::vector<StringRef> names = subcommandsOf(program);
  names.push_back("all");
  for (const HelpGroup &group : helpGroups)
    if (llvm::any_of(helpOptions, [&](const HelpOption &entry) {
          return isListed(entry, group);
        }))
      names.push_back(group.name);
  return names;
}

bool CommandLine::printInfo(llvm::raw_ostream &os) const {
  if (has(OPT_version)) {
    os << program() << " " ONNXFOLD_VERSION "\n";
    return true;
  }
  if (!has(OPT_help))
    return false;
  Help help(id, command, os);
  if (StringRef subject = value(OPT_help); !subject.empty())
    return help.print(subject);
  help.printShort();
  return true;
}

llvm::Error CommandLine::checkSubject() const {
  StringRef subject = value(OPT_help);
  Help help(id, command, llvm::nulls());
  if (subject.empty() || help.print(subject))
    return llvm::Error::success();
  std::vector<StringRef> names = help.subjects();
  std::string expected = "an option, or " + llvm::join(names, ", ");
  for (const HelpOption &entry : helpOptions)
    if (entry.program == id)
      names.push_back(nameOf(entry.option));
  return wrongValue(OPT_help, subject,
                    expected + meant(nearestName(subjectOf(subject), names)));
}
