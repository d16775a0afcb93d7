//===- ModelCosts.cpp - What a run of a model costs -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/stats/internal/ModelCosts.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

static OperatorKey keyOf(Operator op) {
  return {op.domain().str(), op.opType().str()};
}

/// The importer makes operations of its own for what is no node.
static bool isNode(Operator op) { return op && op.domain() != "onnx-fold"; }

static std::string textOf(Operator op) {
  return (op.opType() + " '" + printableName(nodeLabel(op)) + "'").str();
}

//===----------------------------------------------------------------------===//
// Multiply-adds
//===----------------------------------------------------------------------===//

void ModelCosts::addUncounted(Operator op, const llvm::Twine &why) {
  Uncounted &entry = uncounted[{keyOf(op), why.str()}];
  if (entry.nodes++ == 0)
    entry.example = printableName(nodeLabel(op));
}

static Formula totalOf(const ModelCosts::ByOperator &costs) {
  Formula total;
  for (const auto &entry : costs)
    total += entry.second.macs;
  return total;
}

static void add(ModelCosts::ByOperator &into,
                const ModelCosts::ByOperator &other, const Formula &times) {
  for (const auto &[key, costs] : other) {
    ModelCosts::Costs &sum = into[key];
    sum.nodes += costs.nodes;
    sum.macs += costs.macs * times;
  }
}

/// Counts the nodes of both branches, and the multiply-adds of the dearer one.
ModelCosts::ByOperator ModelCosts::countIf(Operator op) {
  Region *branches[2] = {op.getGraph("then_branch"),
                         op.getGraph("else_branch")};
  ByOperator costs[2];
  for (int i : {0, 1})
    if (branches[i] && !branches[i]->empty())
      costs[i] = countBlock(branches[i]->front());
  Formula totals[2] = {totalOf(costs[0]), totalOf(costs[1])};
  std::optional<bool> condition = sizes.truthOf(op.input(0));
  bool takesThen = condition.value_or(totals[0].covers(totals[1]));
  bool isDecided = condition || takesThen || totals[1].covers(totals[0]);
  if (!isDecided)
    notes.insert("both branches of " + textOf(op) +
                 " are counted: which one has more multiply-adds depends on "
                 "sizes");
  ByOperator result;
  add(result, costs[0], Formula(isDecided && !takesThen ? 0 : 1));
  add(result, costs[1], Formula(isDecided && takesThen ? 0 : 1));
  return result;
}

/// The value that Identity nodes copy.
static Value withoutCopies(Value value) {
  while (Operator op = Operator::from(value.getDefiningOp()))
    if (op.is("Identity") && op.hasInput(0))
      value = op.input(0);
    else
      break;
  return value;
}

/// The limit of a Loop; unknown if there is none.
Formula ModelCosts::tripsOfLoop(Operator op) {
  constexpr int64_t endless = int64_t(1) << 31; // exporters write 2^63 - 1
  auto meaning = [&] { return "iterations of " + textOf(op); };
  std::optional<Formula> most;
  if (op.hasInput(0))
    most = sizes.elementOf(op.input(0), 0, meaning);
  if (!most || most->value().value_or(0) >= endless)
    return sizes.names().fresh(meaning);
  Region *body = op.getGraph("body");
  Value goesOn = body && !body->empty()
                     ? body->front().getTerminator()->getOperand(0)
                     : Value();
  auto passed =
      dyn_cast_or_null<BlockArgument>(goesOn ? withoutCopies(goesOn) : Value());
  bool isPassedOn = passed && passed.getOwner() == &body->front() &&
                    passed.getArgNumber() == 1 &&
                    (!op.hasInput(1) || sizes.truthOf(op.input(1)) == true);
  if (!goesOn || !(isPassedOn || sizes.truthOf(goesOn) == true))
    notes.insert(textOf(op) +
                 " may end early: it is counted with its largest trip count");
  return most->value().value_or(0) < 0 ? Formula() : *most;
}

/// How often the body of a loop runs.
Formula ModelCosts::tripsOf(Operator op) {
  auto meaning = [&] { return "iterations of " + textOf(op); };
  if (op.is("Loop"))
    return tripsOfLoop(op);
  NodeSizes node(op, sizes);
  std::optional<Formula> trips;
  int64_t scanned = op.getInt("num_scan_inputs", 0);
  if (op.is("Scan") && scanned > 0 && scanned <= op.numInputs()) {
    unsigned first = op.numInputs() - scanned;
    auto axes = op.getInts("scan_input_axes");
    bool isBatched = op.since() < 9; // [batch, step, ...]
    trips = node.inputSize(first, axes && !axes->empty() ? int(axes->front())
                                  : isBatched            ? 1
                                                         : 0);
    std::optional<Formula> batch = node.inputSize(first, 0);
    if (trips && batch && isBatched)
      trips = *trips * *batch;
  }
  return trips ? *trips : sizes.names().fresh(meaning);
}

void ModelCosts::countBodies(Operator op, ByOperator &into) {
  if (op.is("If"))
    return add(into, countIf(op), Formula(1));
  bool isLoop = op.isAny({"Loop", "Scan", "SequenceMap"});
  ByOperator bodies;
  for (Region &region : op->getRegions())
    if (!region.empty())
      add(bodies, countBlock(region.front()), Formula(1));
  if (!isLoop)
    addUncounted(op, "how often its body runs is not known");
  // A trip count without a use would have a name that says nothing.
  bool isFree = totalOf(bodies) == Formula();
  add(into, bodies, !isLoop || isFree ? Formula() : tripsOf(op));
}

/// Calls a function of the model, which was not inlined.
static bool isCall(Operator op) {
  return op.isCustom() &&
         op->getParentOfType<ModuleOp>().lookupSymbol(
             functionSymbol(op.domain(), op.opType(), op.overload()));
}

ModelCosts::ByOperator ModelCosts::countBlock(Block &block) {
  ByOperator result;
  for (Operation &op : block.without_terminator()) {
    if (auto constant = dyn_cast<OnnxConstantOp>(op)) {
      if (constant.getNode())
        ++result[{"", "Constant"}].nodes;
      continue;
    }
    Operator node = Operator::from(&op);
    if (!isNode(node))
      continue;
    Costs &costs = result[keyOf(node)];
    ++costs.nodes;
    bool isFlow = node.isAny({"If", "Loop", "Scan", "SequenceMap"});
    MacCount count = isFlow ? MacCount{Formula()} : macsOf(node, sizes);
    if (count.macs)
      costs.macs += *count.macs;
    else
      addUncounted(node, isCall(node) ? "its function was not looked into: "
                                        "calls are too many or too deep, or "
                                        "it is not certain which one runs"
                                      : count.why);
    if (op.getNumRegions() != 0)
      countBodies(node, result);
  }
  return result;
}

void ModelCosts::count(Block &block) { operators = countBlock(block); }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void PeakMemory::add(const Candidate &candidate) {
  constexpr size_t most = 32;
  if (llvm::any_of(candidates, [&](const Candidate &other) {
        return other.bytes.covers(candidate.bytes);
      }))
    return;
  llvm::erase_if(candidates, [&](const Candidate &other) {
    return candidate.bytes.covers(other.bytes);
  });
  isCut |= candidates.size() == most;
  if (candidates.size() < most)
    candidates.push_back(candidate);
}

/// Operators whose results are other ones in each run.
static bool isRandom(Operator op) {
  return op &&
         op.isAny({"Bernoulli", "Dropout", "Multinomial", "RandomNormal",
                   "RandomNormalLike", "RandomUniform", "RandomUniformLike"});
}

/// REQUIRES: what is above has been noted.
void ModelCosts::noteConstant(Operation &op) {
  Operator node = Operator::from(&op);
  auto isFixed = [&](Value value) {
    return isa<NoneType>(value.getType()) || fixed.contains(value);
  };
  // A custom operator may do anything.
  bool isConstant = isa<OnnxConstantOp>(op) ||
                    (node && node.domain() == "onnx-fold") ||
                    (isNode(node) && !node.isCustom() && !isRandom(node) &&
                     llvm::all_of(valuesReadBy(op), isFixed));
  if (isConstant)
    fixed.insert(op.result_begin(), op.result_end());
}

/// 0 for what needs no memory, and for what is in `unknownValues`.
Formula ModelCosts::bytesOf(Value value) {
  if (isa<NoneType>(value.getType()) || parameters.contains(value) ||
      fixed.contains(value))
    return Formula();
  if (std::optional<Formula> bytes = sizes.bytesOf(value))
    return *bytes;
  if (asked.insert(value).second)
    unknownValues.push_back(printableName(valueName(value)));
  return Formula();
}

/// The position in `block` after which each of its values is not read any more.
static llvm::DenseMap<Value, size_t> lastReaders(Block &block) {
  llvm::DenseMap<Value, size_t> last;
  for (auto [i, op] : llvm::enumerate(block.getOperations()))
    for (Value value : valuesReadBy(op))
      if (value.getParentBlock() == &block)
        last[value] = i;
  return last;
}

PeakMemory ModelCosts::peakOf(Block &block) {
  PeakMemory peak;
  Formula live;
  for (Value argument : block.getArguments())
    live += bytesOf(argument);
  peak.add({live, ""});
  llvm::DenseMap<Value, size_t> last = lastReaders(block);
  std::vector<std::vector<Value>> ending(block.getOperations().size());
  for (auto [value, position] : last)
    if (value.getDefiningOp())
      ending[position].push_back(value);
  for (auto [i, op] : llvm::enumerate(block.without_terminator())) {
    noteConstant(op);
    for (Value result : op.getResults())
      live += bytesOf(result);
    Operator node = Operator::from(&op);
    std::string label = node ? textOf(node) : "";
    if (isNode(node))
      peak.add({live, label});
    for (Region &region : op.getRegions())
      if (!region.empty())
        for (const PeakMemory::Candidate &inner :
             peakOf(region.front()).candidates)
          peak.add(
              {live + inner.bytes, inner.node.empty() ? label : inner.node});
    for (Value result : op.getResults())
      if (!last.contains(result))
        ending[i].push_back(result);
    for (Value value : ending[i])
      live = live - bytesOf(value);
  }
  return peak;
}
