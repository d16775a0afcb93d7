//===- ReportCollector.cpp - A report of evaluation and plan --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/internal/ReportCollector.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/functions/CallGraph.h"
#include "onnxfold/onnx/transforms/rewrite/CarriedAnnotations.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using namespace mlir;

/// "main_graph", a function's name, or "path of the node/attribute".
static std::string graphPath(Region *innermost, const MovedNodes &moved) {
  std::string path;
  for (Region *region = innermost; region;) {
    Operation *parent = region->getParentOp();
    Operator node = Operator::from(parent);
    if (!node) {
      auto name =
          parent->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      std::string base = name ? name.getValue().str() : std::string();
      return path.empty() ? base : llvm::join_items("/", base, path);
    }
    std::string part =
        (nodeLabel(node) + "/" + node.graphName(region->getRegionNumber()))
            .str();
    path = path.empty() ? part : llvm::join_items("/", part, path);
    region = moved.firstRegion(parent);
  }
  return path;
}

StringRef ReportCollector::graphName(Operation *op, const MovedNodes &moved) {
  Region *region = moved.firstRegion(op);
  auto [it, isNew] = graphNames.try_emplace(region);
  if (!isNew)
    return it->second;
  Graph graph;
  if (auto found = graphsBefore.find(region); found != graphsBefore.end())
    graph = found->second;
  it->second = graph.name = texts.save(graphPath(region, moved));
  Operation *owner = region->getParentOp();
  if (auto number = owners.find(owner); number != owners.end())
    graph.node = number->second;
  else if (auto domain = owner->getAttrOfType<StringAttr>(domainAttrName))
    graph.domain = texts.save(domain.getValue());
  else if (auto title = owner->getAttrOfType<StringAttr>(nameAttrName))
    graph.title = texts.save(title.getValue());
  report.graphs.push_back(graph);
  return graph.name;
}

/// A node in the terms of the model file; nothing for what is no node there
/// (initializers, terminators).
std::optional<FoldReport::Node>
ReportCollector::describe(Operation *op, const CleanUp &cleanUp) {
  Node node;
  llvm::SmallVector<StringRef, 2> outputs;
  if (auto constant = dyn_cast<OnnxConstantOp>(op)) {
    if (!constant.getNode())
      return std::nullopt;
    node.op = "Constant";
    if (report.wantsNodes)
      node.since =
          resolveSince("", "Constant", importedOpset(op, "").value_or(1))
              .value_or(1);
    if (report.wantsNodes) {
      StringRef before = cleanUp.session().nameInFile(op);
      outputs.push_back(before.empty() ? constant.getOutput().get() : before);
    }
  } else if (Operator onnxOp = Operator::from(op); onnxOp && onnxOp.node()) {
    // A report that only counts nodes needs no name after the operation.
    node.name =
        report.wantsNodes ? texts.keep(onnxOp.nodeName()) : onnxOp.nodeName();
    node.op = report.wantsNodes ? texts.save(onnxOp.opType()) : onnxOp.opType();
    node.domain =
        report.wantsNodes ? texts.save(onnxOp.domain()) : onnxOp.domain();
    node.since = onnxOp.since();
    for (unsigned i = 0; report.wantsNodes && i < onnxOp.numOutputs(); ++i)
      outputs.push_back(cleanUp.session().outputName(onnxOp, i));
  } else {
    return std::nullopt;
  }
  if (report.wantsNodes) {
    node.graph = graphName(op, cleanUp.session().moved());
    node.outputs = texts.keepAll(outputs);
  }
  return node;
}

/// A new constant there is a Constant node, not an initializer.
static bool becomesNode(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return irVersion(op).value_or(0) < 4 ||
         (function && function->hasAttr(domainAttrName));
}

std::pair<int64_t, int64_t> &ReportCollector::countOf(StringRef domain,
                                                      StringRef op) {
  llvm::SmallString<64> name(domain);
  if (!domain.empty())
    name += '.';
  name += op;
  auto known = report.operators.find(name.str());
  return known != report.operators.end() ? known->second
                                         : report.operators[std::string(name)];
}

void ReportCollector::noteCut(const GraphCut &done) {
  // clang 14 does not find emplace()
  FoldReport::Cut &cut = report.cut.emplace(FoldReport::Cut());
  for (const CutValue &input : done.inputs)
    cut.inputs.push_back(input.name);
  for (const CutValue &output : done.outputs)
    cut.outputs.push_back(output.name);
  cut.nodes = done.erased().size();
  for (const auto &[domain, op] : done.erased())
    ++countOf(domain, op).first;
}

/// An operand with an unknown size that the value has too; null if there is
/// none.
static Value sameSizeIn(Operation *op, const ValueState &state,
                        const Evaluation &evaluation) {
  if (!state.shape)
    return {};
  for (Value operand : op->getOperands()) {
    const ValueState &before = evaluation.state(operand);
    for (DimExpr size : *state.shape)
      if (before.shape && !evaluation.exprs().valueOf(size) &&
          llvm::any_of(*before.shape,
                       [&](DimExpr other) { return other.id == size.id; }))
        return operand;
  }
  return {};
}

/// Why a Shape or Size is kept whose operand has a disputed size, of the node
/// before or one further up from which the size comes; or "".
static std::string disputeBehind(Operation *op, const Evaluation &evaluation) {
  Operator reader = Operator::from(op);
  if (!reader || reader.isCustom() ||
      !(reader.is("Shape") || reader.is("Size")))
    return "";
  constexpr unsigned most = 64; // nodes with results of the same size
  Value value = reader.input(0);
  for (unsigned i = 0; value && i < most; ++i) {
    Operator maker = Operator::from(value.getDefiningOp());
    if (!maker || !evaluation.has(maker.getOperation()))
      return "";
    if (StringRef why = disputeOver(maker, evaluation); !why.empty())
      return ("the size of '" + valueName(value) +
              "' is not agreed on: " + nodeText(maker) + ": " + why)
          .str();
    value =
        sameSizeIn(maker.getOperation(), evaluation.state(value), evaluation);
  }
  return "";
}

/// `isDropped`: it is in a function that is erased.
void ReportCollector::collectOne(Operation *op, const FoldPlan &plan,
                                 const CleanUp &cleanUp,
                                 const Evaluation &evaluation, bool isDropped) {
  bool isKept = !isDropped && plan.action(op) == FoldPlan::Action::Kept;
  std::optional<Node> node = describe(op, cleanUp);
  if (!node) {
    // One that a clean-up made; the node that it replaces is in the list. (The
    // importer's own become none.)
    if (Operator made = Operator::from(op);
        made && made.domain() != "onnx-fold" && isKept) {
      ++countOf(made.domain(), made.opType()).second;
      if (report.wantsNodes)
        addNew(op, cleanUp);
    } else if (isa<OnnxConstantOp>(op) && isKept && // no initializer there
               op->getParentOp()->hasAttr(domainAttrName))
      ++countOf("", "Constant").second;
    return;
  }
  auto &[before, after] = countOf(node->domain, node->op);
  ++before;
  after += isKept;
  if (isKept)
    countKept(*node, op, plan, evaluation);
  if (!report.wantsNodes)
    return;
  noteAfter(*node, op, cleanUp);
  if (op->getNumRegions() != 0)
    owners[op] = report.nodes.size();
  if (isDropped) {
    node->action = FoldPlan::Action::Removed;
    node->inputsAfter = node->outputsAfter = std::nullopt;
    node->reason = unusedNode; // of the program
    report.nodes.push_back(*node);
    return;
  }
  node->action = plan.action(op);
  const Reason &reason = plan.reason(op);
  node->code = reason.code;
  if (reason.code == ReasonCode::Growth)
    for (Value result : op->getResults())
      if (evaluation.state(result).value)
        node->bytesLeftOut += plan.bytesOf(result);
  StringRef pattern = cleanUp.session().patternOf(op);
  node->reason = texts.save(pattern.empty() ? StringRef(reason.text) : pattern);
  if (StringRef name = waiting.lookup(op); !name.empty() && pattern.empty())
    node->reason = texts.save("depends on initializer '" + name +
                              "', which is an input too, so that a caller may "
                              "give another value");
  if (reason.code == ReasonCode::InputNotConstant && pattern.empty())
    if (std::string why = disputeBehind(op, evaluation); !why.empty())
      node->reason = texts.save(why);
  node->bytes = bytes.lookup(op);
  llvm::SmallVector<StringRef> names;
  if (auto lifted = sources.find(op); lifted != sources.end())
    names.append(lifted->second.begin(), lifted->second.end());
  else if (node->bytes != 0)
    names = cleanUp.sourcesOf(op);
  for (StringRef &name : names)
    name = texts.save(name); // many nodes come from one constant
  node->sources = llvm::ArrayRef(names).copy(report.arena);
  node->isChanged = isKept ? cleanUp.session().isRewired(op)
                           : cleanUp.session().hasSuccessor(op);
  report.nodes.push_back(*node);
}

void ReportCollector::collect(const Evaluation &evaluation,
                              const FoldPlan &plan, const CleanUp &cleanUp,
                              bool dropsFunctions) {
  CallGraph calls(evaluation.root(), [&](Operation *op) {
    return plan.action(op) != FoldPlan::Action::Kept;
  });
  auto isDropped = [&](Operation *function) {
    const CallGraph::Function *found = calls.find(function);
    return dropsFunctions && found && found->calls.empty();
  };
  for (Value value : plan.frontier()) {
    Operation *op = value.getDefiningOp();
    if (report.wantsNodes) {
      bytes[op] += plan.bytesOf(value);
      frontier.insert(value);
    }
    if (becomesNode(op) &&
        !isDropped(op->getParentOfType<FunctionOpInterface>()))
      ++countOf("", "Constant").second;
  }
  if (report.wantsNodes)
    for (const auto &[constant, lifted] : cleanUp.lifted())
      if (plan.action(constant) == FoldPlan::Action::Kept) {
        bytes[lifted.from] += plan.bytesOf(constant->getResult(0));
        sources[lifted.from].insert_range(lifted.sources);
      }
  noteFreeInputs(evaluation.root());
  noteWaiting(evaluation, plan);
  bool inDropped = false;
  evaluation.root()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<FunctionOpInterface>(op))
      inDropped = isDropped(op);
    if (op == evaluation.root())
      return;
    collectOne(op, plan, cleanUp, evaluation, inDropped);
    if (report.wantsNodes)
      collectConstant(op, plan, cleanUp, evaluation, inDropped);
  });
  forgetIr();
}
