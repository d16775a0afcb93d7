//===- Remedies.cpp - What to do about nodes that are kept ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/internal/Remedies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Command lines
//===----------------------------------------------------------------------===//

/// Quotes a text so that a shell takes it for one word.
static std::string commandWord(StringRef text) {
  auto isPlain = [](char c) {
    return llvm::isAlnum(c) || StringRef("_-+=./:,@%").contains(c);
  };
  if (!text.empty() && llvm::all_of(text, isPlain))
    return text.str();
  std::string word = "'";
  for (char c : text) {
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  }
  return word + "'";
}

/// The next round number of bytes, as options take it: "12M".
static std::string sizeOption(int64_t bytes) {
  for (auto [unit, shift] : {std::pair('K', 10), {'M', 20}, {'G', 30}}) {
    int64_t count = (bytes + (int64_t(1) << shift) - 1) >> shift;
    if (count < 1024 || unit == 'G')
      return std::to_string(std::max<int64_t>(1, count)) + unit;
  }
  return std::to_string(bytes);
}

/// The command line of this run with one option more, in place of the same one
/// if it was given.
static std::string commandWith(const FoldReport &report, StringRef option) {
  std::string command = "onnx-fold";
  // Options that may be repeated name something before ':' or '='.
  StringRef flag = option.split(' ').first.split('=').first;
  bool isRepeated =
      flag == "--dim" || flag == "--input-shape" || flag == "--bind";
  for (size_t i = 0; i < report.arguments.size(); ++i) {
    StringRef given = report.arguments[i];
    bool isOption = given.consume_front("--") || given.consume_front("-");
    if (!isOption || isRepeated || given.split('=').first != flag.ltrim('-'))
      command += " " + commandWord(report.arguments[i]);
    else if (!given.contains('=') && flag != "--fold-quantization")
      ++i; // its value is an argument of its own
  }
  if (report.arguments.empty())
    command += " " + commandWord(report.input);
  return command + " " + option.str();
}

//===----------------------------------------------------------------------===//
// Remedies
//===----------------------------------------------------------------------===//

static StringRef remedyOf(ReasonCode code) {
  switch (code) {
  case ReasonCode::None:
  case ReasonCode::Constant:
    return "nothing to do";
  case ReasonCode::InputNotConstant:
    return "they compute with the model's inputs: nothing to do, unless an "
           "input is the same in every run (--bind)";
  case ReasonCode::NoKernel:
    return "onnx-fold cannot compute these operators: give functions that do "
           "(--schemas), or replace them in the model";
  case ReasonCode::UnknownVersion:
    return "convert the model to an opset that is known here "
           "(--target-opset, to a later one), or use a newer onnx-fold";
  case ReasonCode::NotDeterministic:
    return "they are random in every run: nothing to do but to replace them "
           "in the model";
  case ReasonCode::Undefined:
    return "repair the model: what they compute is left open by the "
           "specification";
  case ReasonCode::Invalid:
    return "repair the model: these nodes break the specification";
  case ReasonCode::UnsupportedType:
    return "cast to another element type in the model";
  case ReasonCode::ResultLimit:
    return "raise the limit on the size of a result";
  case ReasonCode::MemoryLimit:
    return "raise the limit that the reason names, --max-memory or (for "
           "strings) --max-result";
  case ReasonCode::WorkLimit:
    return "raise the limit on work";
  case ReasonCode::TimeLimit:
    return "raise the limit that the reason names, --max-time or --max-work";
  case ReasonCode::Growth:
    return "raise the limit on growth";
  case ReasonCode::Filtered:
    return "leave out --only and --skip";
  case ReasonCode::Quantization:
    return "fold quantization too";
  case ReasonCode::ControlFlow:
    return "fix what their conditions and trip counts depend on, or unroll "
           "loops (--unroll)";
  case ReasonCode::NoTensor:
    return "save the model with IR version 4 or newer; sequences and optionals "
           "cannot be stored";
  case ReasonCode::TripLimit:
    return "raise the limit on iterations";
  case ReasonCode::Inconsistent:
    return "report it: a mistake of the model or of onnx-fold";
  }
  return "";
}

/// Nodes that inputs keep from folding: some inputs may be fixed.
static KeptGroup groupOfInputs(const FoldReport &report, KeptGroup group,
                               const FoldReport::KeptNodes &tally) {
  std::vector<std::string> remedies, options;
  if (!report.freeInputs.empty() && tally.symbolic != 0) {
    remedies.push_back("fix the open dimensions of the inputs, if they are the "
                       "same in every run (these sizes are examples)");
    for (const auto &[flag, value] : report.freeInputs)
      options.push_back(flag + "=" + commandWord(value));
  }
  if (tally.waiting != 0) {
    remedies.push_back(
        "make inputs that have an initializer constants, if no caller gives "
        "them other values (" +
        std::to_string(tally.waiting) +
        " of these nodes depend on them "
        "alone)");
    constexpr size_t most = 4;
    if (report.waitedFor.size() > most)
      options.push_back("--bind='*'");
    else
      for (StringRef name : report.waitedFor)
        options.push_back("--bind=" + commandWord(name));
  }
  if (remedies.empty())
    return group;
  group.remedy = llvm::join(remedies, "; ");
  group.option = llvm::join(options, " ");
  return group;
}

static KeptGroup groupOf(const FoldReport &report, ReasonCode code) {
  const FoldReport::KeptNodes &tally = report.kept.at(code);
  KeptGroup group{code, tally.nodes, tally.bytes, remedyOf(code).str(), {}, {}};
  if (code == ReasonCode::InputNotConstant)
    group = groupOfInputs(report, std::move(group), tally);
  else if (tally.hopeless == tally.nodes)
    group.remedy = "nothing to do: they take more than any machine can give";
  else if (code == ReasonCode::ResultLimit)
    group.option = "--max-result=" + sizeOption(tally.needed);
  else if (code == ReasonCode::WorkLimit)
    group.option = "--max-work=" + std::to_string(tally.needed);
  else if (code == ReasonCode::TripLimit)
    group.option = "--max-trip-count=" + std::to_string(tally.needed);
  else if (code == ReasonCode::Growth)
    group.option =
        "--max-growth=" +
        sizeOption(std::max<int64_t>(0, report.growth.limit.value_or(0)) +
                   tally.bytes);
  else if (code == ReasonCode::Quantization)
    group.option = "--fold-quantization=all";
  if (tally.hopeless != 0 && !group.option.empty())
    group.remedy += " (" + std::to_string(tally.hopeless) +
                    " of them take more than any machine can give)";
  if (!group.option.empty())
    group.command = commandWith(report, group.option);
  return group;
}

std::vector<KeptGroup> onnxfold::keptGroups(const FoldReport &report) {
  std::vector<KeptGroup> groups;
  for (const auto &[code, tally] : report.kept)
    groups.push_back(groupOf(report, code));
  llvm::stable_sort(groups, [](const KeptGroup &a, const KeptGroup &b) {
    return a.nodes > b.nodes;
  });
  return groups;
}
