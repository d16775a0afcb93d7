//===- KeptNodes.cpp - Why nodes are kept, and what that depends on -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/internal/ReportCollector.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

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
      bytes = double(llvm::divideCeil(tensor.getElementTypeBitWidth(), 8));
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

/// The value of an option with which this node would fold; nothing where no
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
  // A body that was stopped does not say how much is missing.
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

void ReportCollector::countKept(const Node &node, Operation *op,
                                const FoldPlan &plan,
                                const Evaluation &evaluation) {
  const Reason &reason = plan.reason(op);
  if (reason.code == ReasonCode::Constant || reason.code == ReasonCode::None ||
      node.op == "Constant")
    return;
  FoldReport::KeptNodes &tally = report.kept[reason.code];
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
void ReportCollector::noteWaiting(const Evaluation &evaluation,
                                  const FoldPlan &plan) {
  if (overridable.empty())
    return;
  llvm::DenseMap<Value, StringRef> names;
  llvm::SetVector<StringRef> inputs;
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
        inputs.insert(names.lookup(operand));
    for (Value result : op.getResults())
      names[result] = name;
  }
  for (StringRef input : inputs)
    report.waitedFor.push_back(input.str());
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
void ReportCollector::noteFreeInputs(Operation *root) {
  FunctionOpInterface graph;
  for (Region &region : root->getRegions())
    for (auto function : region.getOps<FunctionOpInterface>())
      if (!graph)
        graph = function;
  if (!graph || graph->hasAttr(domainAttrName))
    return;
  constexpr size_t most = 32;
  auto add = [&](StringRef flag, const llvm::Twine &value) {
    std::pair option(flag.str(), value.str());
    if (report.freeInputs.size() < most &&
        !llvm::is_contained(report.freeInputs, option))
      report.freeInputs.push_back(std::move(option));
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
        add("--dim", dim + ":" + exampleSize(dim, axis));
      hasUnnamed |= isUnnamed;
      shape += axis ? "," : "";
      shape += isUnnamed ? exampleSize("", axis) : "?";
    }
    if (hasUnnamed)
      add("--input-shape", name.getValue() + ":" + shape);
  }
}
