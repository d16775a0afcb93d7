//===- CollectedConstants.cpp - What nodes read, and all constants --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/internal/ReportCollector.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace onnxfold;
using namespace mlir;

/// The outputs of a function or a body, by the names in the file.
static llvm::SmallVector<StringRef> outputsOf(Region &region) {
  llvm::SmallVector<StringRef> names;
  if (auto function = dyn_cast<FunctionOpInterface>(region.getParentOp()))
    for (unsigned i = 0; i != function.getNumResults(); ++i) {
      auto name = function.getResultAttrOfType<StringAttr>(i, nameAttrName);
      names.push_back(name ? name.getValue() : StringRef());
    }
  else
    for (Value value : region.front().getTerminator()->getOperands())
      names.push_back(valueName(value));
  return names;
}

void ReportCollector::noteInput(ModuleOp module) {
  if (!report.wantsNodes)
    return;
  before.clear();
  graphsBefore.clear();
  module->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if ((node && node.node()) || isa<OnnxConstantOp>(op))
      before[op] = texts.namesOf(op->getOperands());
    for (Region &region : op->getRegions())
      if (op != module && !region.empty()) {
        Graph &graph = graphsBefore[&region];
        graph.inputs = texts.namesOf(region.getArguments());
        graph.outputs = texts.keepAll(outputsOf(region));
      }
  });
}

/// Notes the operands and results of a node that is left. The names of values
/// do not change when they become constants.
void ReportCollector::noteAfter(Node &node, Operation *op,
                                const CleanUp &cleanUp) {
  if (auto it = before.find(op); it != before.end())
    node.inputs = it->second;
  if (!cleanUp.session().isRewired(op))
    return;
  Operator onnxOp = Operator::from(op);
  node.inputsAfter = texts.namesOf(op->getOperands());
  if (!onnxOp)
    return;
  llvm::SmallVector<StringRef, 2> outputs;
  for (unsigned i = 0; i < onnxOp.numOutputs(); ++i)
    outputs.push_back(onnxOp.outputName(i));
  if (llvm::ArrayRef(outputs) != node.outputs)
    node.outputsAfter = texts.keepAll(outputs);
}

/// A node that a rewrite made.
void ReportCollector::addNew(Operation *op, const CleanUp &cleanUp) {
  Operator made = Operator::from(op);
  Node node;
  node.graph = graphName(op, cleanUp.session().moved());
  node.name = texts.keep(made.nodeName());
  node.op = texts.save(made.opType());
  node.domain = texts.save(made.domain());
  node.since = made.since();
  llvm::SmallVector<StringRef, 2> outputs;
  for (unsigned i = 0; i < made.numOutputs(); ++i)
    outputs.push_back(made.outputName(i));
  node.outputs = texts.keepAll(outputs);
  node.inputs = texts.namesOf(op->getOperands());
  report.newNodes.push_back(node);
}

/// "f32", as in tensor<2xf32>.
StringRef ReportCollector::typeText(Type type) {
  auto [it, isNew] = typeTexts.try_emplace(type);
  if (isNew) {
    std::string text;
    llvm::raw_string_ostream out(text);
    type.print(out);
    it->second = texts.save(text);
  }
  return it->second;
}

void ReportCollector::addConstant(Value value, StringRef graph, StringRef name,
                                  const FoldPlan &plan,
                                  const Evaluation &evaluation,
                                  Constant::State state) {
  const Elements &elements = evaluation.state(value).value;
  if (!elements)
    return;
  Constant constant;
  constant.graph = graph;
  constant.name = texts.keep(name);
  if (auto type = dyn_cast<ShapedType>(value.getType()))
    constant.type = typeText(type.getElementType());
  constant.shape = texts.keepShape(elements.shape());
  constant.bytes = plan.bytesOf(value);
  constant.state = state;
  report.constants.push_back(constant);
}

/// An initializer, a Constant node, or what becomes constant of a node.
void ReportCollector::collectConstant(Operation *op, const FoldPlan &plan,
                                      const CleanUp &cleanUp,
                                      const Evaluation &evaluation,
                                      bool isDropped) {
  const RewriteSession &session = cleanUp.session();
  if (auto constant = dyn_cast<OnnxConstantOp>(op)) {
    bool wasThere = before.contains(op);
    bool isKept = !isDropped && plan.action(op) == FoldPlan::Action::Kept;
    if (!wasThere && !isKept)
      return;
    StringRef name = session.nameInFile(op);
    addConstant(constant.getResult(), graphName(op, session.moved()),
                name.empty() ? valueName(constant.getResult()) : name, plan,
                evaluation,
                !wasThere ? Constant::State::Added
                : isKept  ? Constant::State::Kept
                          : Constant::State::Removed);
    return;
  }
  if (isDropped || plan.action(op) != FoldPlan::Action::Folded)
    return;
  for (Value result : op->getResults())
    if (frontier.contains(result))
      addConstant(result, graphName(op, session.moved()), valueName(result),
                  plan, evaluation, Constant::State::Added);
}

/// Drops all references to operations, which are about to be erased.
void ReportCollector::forgetIr() {
  bytes.clear();
  sources.clear();
  waiting.clear();
  before.clear();
  graphsBefore.clear();
  graphNames.clear();
  owners.clear();
  typeTexts.clear();
  frontier.clear();
}
