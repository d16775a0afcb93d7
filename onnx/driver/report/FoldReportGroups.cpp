//===- FoldReportGroups.cpp - Why nodes are kept, and what to do about it -===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/FoldReport.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Command lines
//===----------------------------------------------------------------------===//

/// As a shell takes it for one word.
static std::string shellWord(StringRef text) {
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
std::string FoldReport::commandWith(StringRef option) const {
  std::string command = "onnx-fold";
  // Options that may be repeated name something before ':' or '='.
  StringRef flag = option.split(' ').first.split('=').first;
  bool isRepeated =
      flag == "--dim" || flag == "--input-shape" || flag == "--bind";
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef given = arguments[i];
    bool isOption = given.consume_front("--") || given.consume_front("-");
    if (!isOption || isRepeated || given.split('=').first != flag.ltrim('-'))
      command += " " + shellWord(arguments[i]);
    else if (!given.contains('=') && flag != "--fold-quantization")
      ++i; // its value is an argument of its own
  }
  if (arguments.empty())
    command += " " + shellWord(input);
  return command + " " + option.str();
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// The number behind `what` in a reason: "takes 20000 iterations, ...".
static std::optional<double> numberBehind(StringRef what, StringRef text) {
  size_t at = text.find(what);
  double number;
  if (at == StringRef::npos ||
      text.drop_front(at + what.size())
          .take_until([](char c) { return c == ' ' || c == ','; })
          .getAsDouble(number))
    return std::nullopt;
  return number;
}

/// Bytes of the result whose shape a reason states, at most; of an element type
/// of 64 bits, unless the node says another.
static std::optional<double> statedBytes(StringRef text, Operation *op) {
  constexpr StringRef start = "the result has shape [";
  size_t at = text.find(start);
  if (at == StringRef::npos)
    return std::nullopt;
  double bytes = 8;
  if (op->getNumResults() == 1)
    if (auto tensor = dyn_cast<ShapedType>(op->getResult(0).getType());
        tensor && tensor.getElementType().isIntOrFloat())
      bytes = (tensor.getElementTypeBitWidth() + 7) / 8;
  llvm::SmallVector<StringRef> sizes;
  text.drop_front(at + start.size())
      .take_until([](char c) { return c == ']'; })
      .split(sizes, ',', -1, /*KeepEmpty=*/false);
  for (StringRef size : sizes) {
    double number;
    if (size.trim().getAsDouble(number))
      return std::nullopt;
    bytes *= number;
  }
  return bytes;
}

/// What an option would have to say for this node to fold; nothing where no
/// value of it helps, or none that a machine can bear.
static std::optional<uint64_t> neededFor(ReasonCode code, StringRef text,
                                         Operation *op, uint64_t limit) {
  // 1 TB; a day at 0.1 ns; loops of a day.
  constexpr double mostBytes = 0x1p40, mostWork = 1e15, mostTrips = 1e11;
  std::optional<double> needed;
  if (code == ReasonCode::ResultLimit) {
    needed = statedBytes(text, op);
    return needed && *needed <= mostBytes ? std::optional(uint64_t(*needed))
                                          : std::nullopt;
  }
  needed = numberBehind("takes ", text);
  // Where a body stopped nobody knows how much is missing.
  if (!needed && (text.contains("more work than") ||
                  text.contains("more iterations than")))
    needed = 0;
  double most = code == ReasonCode::TripLimit ? mostTrips : mostWork;
  if (!needed || *needed > most)
    return std::nullopt;
  return uint64_t(std::max(*needed, std::min(10 * double(limit) + 10, most)));
}

/// The value in this run of the limit that a reason is about, if there is one.
static std::optional<uint64_t> limitOf(ReasonCode code,
                                       const FoldLimits &limits) {
  switch (code) {
  case ReasonCode::ResultLimit:
    return limits.maxResultBytes;
  case ReasonCode::WorkLimit:
    return limits.maxWork;
  case ReasonCode::TripLimit:
    return limits.maxTripCount;
  default:
    return std::nullopt;
  }
}

/// Whether what the node computes depends on the sizes of inputs.
static bool isSymbolic(Operation *op, const Evaluation &evaluation) {
  auto isOpen = [&](Value value) {
    return evaluation.state(value).isSymbolic();
  };
  return llvm::any_of(op->getOperands(), isOpen) ||
         llvm::any_of(op->getResults(), isOpen);
}

void FoldReport::countKept(const Node &node, Operation *op,
                           const FoldPlan &plan, const Evaluation &evaluation) {
  const Reason &reason = plan.reason(op);
  if (reason.code == ReasonCode::Constant || reason.code == ReasonCode::None ||
      node.op == "Constant")
    return;
  Tally &tally = tallies[reason.code];
  ++tally.nodes;
  if (reason.code == ReasonCode::InputNotConstant) {
    tally.symbolic += isSymbolic(op, evaluation);
    tally.waiting += waiting.contains(op);
  }
  if (reason.code == ReasonCode::Growth)
    for (Value result : op->getResults())
      if (evaluation.state(result).value)
        tally.bytes += plan.bytesOf(result);
  auto limit = limitOf(reason.code, evaluation.evaluationOptions().limits);
  if (!limit)
    return;
  if (auto needed = neededFor(reason.code, reason.text, op, *limit))
    tally.needed = std::max(tally.needed, *needed);
  else
    ++tally.hopeless;
}

/// Nodes of the main graph that would be constants if inputs with an
/// initializer were.
void FoldReport::noteWaiting(const Evaluation &evaluation,
                             const FoldPlan &plan) {
  if (overridable.empty())
    return;
  llvm::DenseMap<Value, StringRef> names;
  Block &block = mainBlock(cast<ModuleOp>(evaluation.root()));
  for (Value argument : block.getArguments())
    if (auto found = overridable.find(valueName(argument));
        found != overridable.end())
      names[argument] = found->first();
  for (Operation &op : block.without_terminator()) {
    if (op.getNumRegions() != 0 ||
        plan.reason(&op).code != ReasonCode::InputNotConstant)
      continue;
    StringRef name;
    bool isOnlyThat = llvm::all_of(op.getOperands(), [&](Value operand) {
      if (name.empty())
        name = names.lookup(operand);
      const ValueState &state = evaluation.state(operand);
      return names.contains(operand) || state.absent || state.known();
    });
    if (!isOnlyThat || name.empty())
      continue;
    waiting[&op] = name;
    for (Value operand : op.getOperands())
      if (isa<BlockArgument>(operand) && names.contains(operand))
        waitedFor.insert(names.lookup(operand));
    for (Value result : op.getResults())
      names[result] = name;
  }
}

/// A composite name, such as "past + 1", has no size of its own.
static bool isPlainName(StringRef dim) {
  return dim.find_first_of("+*(") == StringRef::npos && !dim.contains(" - ") &&
         !dim.contains("//");
}

/// A size to try for an open dimension: 1 of a batch. A sequence of length 1
/// would be another model: masks and positions would be constants.
static StringRef exampleSize(StringRef dim, size_t axis) {
  constexpr StringRef lengths[] = {"seq",   "len",   "time",
                                   "token", "frame", "past"};
  std::string name = dim.lower();
  bool isLength = llvm::any_of(
      lengths, [&](StringRef word) { return StringRef(name).contains(word); });
  bool isBatch = StringRef(name).contains("batch") || (axis == 0 && !isLength);
  return isBatch ? "1" : "128";
}

/// The options that would fix what is open in the types of inputs.
void FoldReport::noteFreeInputs(Operation *root) {
  FunctionOpInterface graph;
  for (Region &region : root->getRegions())
    for (auto function : region.getOps<FunctionOpInterface>())
      if (!graph)
        graph = function;
  if (!graph || graph->hasAttr(domainAttrName))
    return;
  constexpr size_t most = 32;
  auto add = [&](std::string option) {
    if (freeInputs.size() < most && !llvm::is_contained(freeInputs, option))
      freeInputs.push_back(std::move(option));
  };
  llvm::StringSet<> named;
  for (auto [i, type] : llvm::enumerate(graph.getArgumentTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    auto name = graph.getArgAttrOfType<StringAttr>(i, nameAttrName);
    if (!name || !shaped || !shaped.hasRank() || shaped.hasStaticShape())
      continue;
    auto dims = graph.getArgAttrOfType<ArrayAttr>(i, dimsAttrName);
    std::string shape;
    bool hasUnnamed = false;
    for (auto [axis, size] : llvm::enumerate(shaped.getShape())) {
      StringRef dim = dims && axis < dims.size()
                          ? cast<StringAttr>(dims[axis]).getValue()
                          : StringRef();
      bool isUnnamed = ShapedType::isDynamic(size) && dim.empty();
      if (ShapedType::isDynamic(size) && !dim.empty() && isPlainName(dim) &&
          named.insert(dim).second)
        add("--dim=" + shellWord((dim + ":" + exampleSize(dim, axis)).str()));
      hasUnnamed |= isUnnamed;
      shape += axis ? "," : "";
      shape += isUnnamed ? exampleSize("", axis) : "?";
    }
    if (hasUnnamed)
      add("--input-shape=" + shellWord((name.getValue() + ":" + shape).str()));
  }
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

/// What does not fold because of inputs: some of them may be fixed.
FoldReport::KeptGroup FoldReport::groupOfInputs(KeptGroup group,
                                                const Tally &tally) const {
  std::vector<std::string> remedies, options;
  if (!freeInputs.empty() && tally.symbolic != 0) {
    remedies.push_back("fix the open dimensions of the inputs, if they are the "
                       "same in every run (these sizes are examples)");
    options = freeInputs;
  }
  if (tally.waiting != 0) {
    remedies.push_back(
        "make inputs that have an initializer constants, if no caller gives "
        "them other values (" +
        std::to_string(tally.waiting) +
        " of these nodes depend on them "
        "alone)");
    constexpr size_t most = 4;
    if (waitedFor.size() > most)
      options.push_back("--bind='*'");
    else
      for (StringRef name : waitedFor)
        options.push_back("--bind=" + shellWord(name));
  }
  if (remedies.empty())
    return group;
  group.remedy = llvm::join(remedies, "; ");
  group.option = llvm::join(options, " ");
  return group;
}

FoldReport::KeptGroup FoldReport::groupOf(ReasonCode code) const {
  const Tally &tally = tallies.at(code);
  KeptGroup group{code, tally.nodes, tally.bytes, remedyOf(code).str(), {}, {}};
  if (code == ReasonCode::InputNotConstant)
    group = groupOfInputs(std::move(group), tally);
  else if (tally.hopeless == tally.nodes)
    group.remedy = "nothing to do: they take more than any machine can give";
  else if (code == ReasonCode::ResultLimit)
    group.option = "--max-result=" + sizeOption(tally.needed);
  else if (code == ReasonCode::WorkLimit)
    group.option = "--max-work=" + std::to_string(tally.needed);
  else if (code == ReasonCode::TripLimit)
    group.option = "--max-trip-count=" + std::to_string(tally.needed);
  else if (code == ReasonCode::Growth)
    group.option = "--max-growth=" +
                   sizeOption(std::max<int64_t>(0, growth.limit.value_or(0)) +
                              tally.bytes);
  else if (code == ReasonCode::Quantization)
    group.option = "--fold-quantization=all";
  if (tally.hopeless != 0 && !group.option.empty())
    group.remedy += " (" + std::to_string(tally.hopeless) +
                    " of them take more than any machine can give)";
  if (!group.option.empty())
    group.command = commandWith(group.option);
  return group;
}

std::vector<FoldReport::KeptGroup> FoldReport::keptGroups() const {
  std::vector<KeptGroup> groups;
  for (const auto &[code, tally] : tallies)
    groups.push_back(groupOf(code));
  llvm::stable_sort(groups, [](const KeptGroup &a, const KeptGroup &b) {
    return a.nodes > b.nodes;
  });
  return groups;
}

//===----------------------------------------------------------------------===//
// The short form
//===----------------------------------------------------------------------===//

void FoldReport::printHighlights(llvm::raw_ostream &out, StringRef file) const {
  constexpr size_t most = 3;
  std::vector<std::pair<int64_t, StringRef>> gains;
  for (const auto &[op, counts] : ops)
    if (counts.first > counts.second)
      gains.emplace_back(counts.first - counts.second, op);
  llvm::stable_sort(gains, [](auto a, auto b) { return a.first > b.first; });
  if (!gains.empty()) {
    out << "largest gains: ";
    llvm::interleaveComma(
        llvm::ArrayRef(gains).take_front(most), out, [&](auto gain) {
          out << gain.first << " " << printableName(gain.second);
        });
    out << " fewer\n";
  }
  std::vector<KeptGroup> groups = keptGroups();
  for (const KeptGroup &group : llvm::ArrayRef(groups).take_front(most)) {
    out << "kept: " << group.nodes << " " << nameOf(group.code) << ": "
        << printableText(group.remedy);
    if (!group.option.empty())
      out << ": " << printableText(group.option);
    out << "\n";
  }
  out << (file.empty() ? "--report=html:FILE" : printableText(file))
      << " shows more\n";
}
