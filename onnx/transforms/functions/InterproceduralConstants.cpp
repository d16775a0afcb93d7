//===- InterproceduralConstants.cpp - Lifts constants to calls ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/InterproceduralConstants.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/transforms/functions/internal/ConstantSources.h"
#include "onnxfold/onnx/transforms/functions/internal/LiftPlan.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// One run: what a plan says is done to the IR.
class Rewriter {
public:
  Rewriter(const CallGraph &graph, const FunctionInstances &instances,
           const LiftPlan &plan, const Evaluation &evaluation,
           NodeBuilder &nodes, const InterproceduralConstants::Host &host,
           GainedInputs &gained, LiftedConstants &lifted)
      : graph(graph), instances(instances), plan(plan), evaluation(evaluation),
        nodes(nodes), host(host), gained(gained), lifted(lifted) {}

  void run();
  /// Bytes of constants that nobody reads any more.
  int64_t bytesFreed() const { return freed; }

private:
  /// For each input of a function in future the number of the one that it is,
  /// or -1 - i for item i of the plan.
  using Layout = SmallVector<int>;
  using Key = std::pair<Operation *, unsigned>; // of a call: Item::index

  LiftedConstant originOf(const FunctionInstances::Instance &instance,
                          const LiftPlan::Item &item) const;
  void noteGiven();
  void makeGiven();
  void changeFunction(const LiftPlan::Function &changes);
  Value makeConstant(const LiftPlan::Function &changes,
                     const LiftPlan::Item &item);
  void removeReaders(const LiftPlan::Function &changes, BlockArgument argument);
  void giveInputs(const LiftPlan::Function &changes, const Layout &layout);
  void replace(const LiftPlan::Item &item, Value value);
  std::string nameOf(const LiftPlan::Function &changes,
                     const LiftPlan::Item &item);
  void changeCall(Operation *call, const LiftPlan::Function &changes);
  OnnxConstantOp createConstant(OpBuilder builder, Location location,
                                const Elements &value, StringRef name,
                                LiftedConstant origin);

  const CallGraph &graph;
  const FunctionInstances &instances;
  const LiftPlan &plan;
  const Evaluation &evaluation;
  NodeBuilder &nodes;
  const InterproceduralConstants::Host &host;
  GainedInputs &gained;
  LiftedConstants &lifted;
  SmallVector<LiftedConstant> given; ///< of those that are created
  llvm::DenseMap<Key, Value> passed;
  llvm::DenseMap<const LiftPlan::Function *, Layout> layouts;
  /// Items of the function at hand, in their order.
  SmallVector<Value> constants, inputs;
  SmallVector<std::string> names; ///< of `inputs`
  int64_t freed = 0;
};

} // namespace

OnnxConstantOp Rewriter::createConstant(OpBuilder builder, Location location,
                                        const Elements &value, StringRef name,
                                        LiftedConstant origin) {
  Elements narrow = value.narrowed();
  Type element = elementTypeOf(int32_t(narrow.type()), builder.getContext());
  auto type = RankedTensorType::get(narrow.shape(), element);
  auto constant = OnnxConstantOp::create(
      builder, location, toAttribute(narrow, type), name, std::nullopt);
  lifted[constant] = std::move(origin);
  return constant;
}

LiftedConstant Rewriter::originOf(const FunctionInstances::Instance &instance,
                                  const LiftPlan::Item &item) const {
  auto [innermost, value] = plan.leafAt(instance, item);
  Operation *from = value.getDefiningOp();
  return {from, ConstantSources(evaluation, lifted).of(from, innermost)};
}

/// A value of the top block keeps its name as an argument. (A name in a body of
/// it may be there several times.)
std::string Rewriter::nameOf(const LiftPlan::Function &changes,
                             const LiftPlan::Item &item) {
  Value value = plan.originOf(changes, item);
  StringRef name = valueName(value);
  bool isOnTop =
      value.getParentBlock() == &changes.function->op->getRegion(0).front();
  return isOnTop && !name.empty() ? name.str() : nodes.freshName(name);
}

/// Readers of the value of an item read this.
void Rewriter::replace(const LiftPlan::Item &item, Value value) {
  if (item.call) {
    passed[{item.call, item.index}] = value;
    return;
  }
  Value old = item.value;
  for (Operation *reader : old.getUsers())
    host.rewire(reader);
  old.replaceAllUsesWith(value);
}

/// A call gets the constant in front of all, an operation in its place.
Value Rewriter::makeConstant(const LiftPlan::Function &changes,
                             const LiftPlan::Item &item) {
  Operation *def = item.call ? nullptr : item.value.getDefiningOp();
  OpBuilder builder = def ? OpBuilder(def)
                          : OpBuilder::atBlockBegin(
                                &changes.function->op->getRegion(0).front());
  std::string name = def ? valueName(item.value).str() : nameOf(changes, item);
  Value value =
      createConstant(builder, def ? def->getLoc() : item.call->getLoc(),
                     plan.valueIn(changes, item), name,
                     originOf(*instances.of(changes.function).front(), item));
  replace(item, value);
  return value;
}

/// A remaining reader of an argument is replaced, and not evaluated with
/// another value in its place.
void Rewriter::removeReaders(const LiftPlan::Function &changes,
                             BlockArgument argument) {
  if (argument.use_empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
  Operator unknown = Operator::createCustom(
      builder, changes.function->op->getLoc(), {"onnx-fold", "Erased", 1}, {},
      OnnxUnknownType::get(builder.getContext()));
  argument.replaceAllUsesWith(unknown->getResult(0));
  host.markReplaced(unknown.getOperation());
}

void Rewriter::giveInputs(const LiftPlan::Function &changes,
                          const Layout &layout) {
  auto function = cast<FunctionOpInterface>(changes.function->op);
  Builder builder(function.getContext());
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  Block &body = function->getRegion(0).front();
  unsigned numBefore = body.getNumArguments();
  for (int place : layout) {
    Type type = OnnxUnknownType::get(function.getContext());
    DictionaryAttr described = builder.getDictionaryAttr(builder.getNamedAttr(
        nameAttrName,
        builder.getStringAttr(place < 0 ? names[-1 - place] : "")));
    if (place >= 0) {
      type = body.getArgument(place).getType();
      described = DictionaryAttr::get(function.getContext(),
                                      function.getArgAttrs(place));
    }
    types.push_back(type);
    attributes.push_back(described);
    Value argument = body.addArgument(type, function.getLoc());
    if (place >= 0)
      body.getArgument(place).replaceAllUsesWith(argument);
    else
      replace(changes.inputs[-1 - place], inputs[-1 - place] = argument);
  }
  for (unsigned i : changes.unread)
    removeReaders(changes, body.getArgument(i));
  body.eraseArguments(0, numBefore);
  function.setFunctionTypeAttr(
      TypeAttr::get(function.cloneTypeWith(types, function.getResultTypes())));
  function.setAllArgAttrs(attributes);
}

void Rewriter::changeFunction(const LiftPlan::Function &changes) {
  constants.clear();
  names.clear();
  inputs.assign(changes.inputs.size(), Value());
  for (const LiftPlan::Item &item : changes.constants)
    constants.push_back(makeConstant(changes, item));
  Block &body = changes.function->op->getRegion(0).front();
  Layout &layout = layouts[&changes];
  int next = 0, numItems = changes.inputs.size();
  for (unsigned i = 0; i < body.getNumArguments(); ++i)
    if (!llvm::is_contained(changes.unread, i))
      layout.push_back(i);
    else if (next < numItems)
      layout.push_back(-1 - next++);
  while (next < numItems)
    layout.push_back(-1 - next++);
  for (const LiftPlan::Item &item : changes.inputs)
    names.push_back(nameOf(changes, item));
  gained[changes.function->op].insert_range(names);
  if (!changes.inputs.empty() || !changes.unread.empty())
    giveInputs(changes, layout);
  for (const LiftPlan::Alias &alias : changes.aliases)
    replace(alias.item, (alias.isConstant ? constants : inputs)[alias.index]);
  // The report has them in the order of the body.
  changes.function->op->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!plan.isLifted(op))
      return WalkResult::advance();
    host.markReplaced(op);
    return WalkResult::skip();
  });
}

/// Notes their sources as long as the bodies are there as they were.
void Rewriter::noteGiven() {
  for (auto [i, one] : llvm::enumerate(plan.givenByMain()))
    if (plan.equal().firstOf(i) == i) {
      const LiftPlan::Function *called = plan.of(graph.calledBy(one.call));
      given.push_back(
          originOf(*instances.at(one.call), called->inputs[one.index]));
    }
}

/// Constants that calls in the main graph pass, each once.
void Rewriter::makeGiven() {
  OpBuilder builder =
      OpBuilder::atBlockBegin(&graph.mainGraph()->getRegion(0).front());
  ArrayRef<LiftPlan::Given> passes = plan.givenByMain();
  auto origin = given.begin();
  for (auto [i, one] : llvm::enumerate(passes)) {
    Value &value = passed[{one.call, one.index}];
    if (size_t first = plan.equal().firstOf(i); first != i) {
      value = passed.lookup({passes[first].call, passes[first].index});
      continue;
    }
    const LiftPlan::Function *called = plan.of(graph.calledBy(one.call));
    value = createConstant(builder, one.call->getLoc(), one.value,
                           nodes.freshName(valueName(plan.originOf(
                               *called, called->inputs[one.index]))),
                           std::move(*origin++));
  }
}

void Rewriter::changeCall(Operation *call, const LiftPlan::Function &changes) {
  SmallVector<Value> operands, before(call->getOperands());
  for (int place : layouts[&changes])
    operands.push_back(place < 0 ? passed.lookup({call, unsigned(-1 - place)})
                       : unsigned(place) < before.size() ? before[place]
                                                         : Value());
  while (!operands.empty() && !operands.back())
    operands.pop_back(); // what was left out at the end still is
  if (operands == before)
    return;
  nodes.begin(call);
  for (Value &operand : operands)
    if (!operand)
      operand = nodes.absent();
  Operator node = Operator::from(call);
  DeviceConfigurations configurations = deviceConfigurationsOf(node);
  call->setOperands(operands);
  if (!configurations.empty()) // they number operands
    setDeviceConfigurations(node, configurations);
  host.rewire(call);
  for (Value old : before)
    if (auto constant = old.getDefiningOp<OnnxConstantOp>();
        constant && constant->use_empty() && evaluation.mayChange(constant) &&
        !host.isErased(constant)) {
      freed += LiftPlan::bytesOf(evaluation.state(old).value);
      host.markReplaced(constant);
    }
}

void Rewriter::run() {
  nodes.begin(graph.mainGraph());
  llvm::SmallVector<const LiftPlan::Function *> changed;
  for (const CallGraph::Function *function : graph.calleesFirst())
    if (const LiftPlan::Function *changes = plan.of(function))
      changed.push_back(changes);
  noteGiven();
  for (const LiftPlan::Function *changes : changed)
    changeFunction(*changes);
  makeGiven();
  for (const LiftPlan::Function *changes : changed)
    for (Operation *call : changes->function->calls)
      changeCall(call, *changes);
}

bool InterproceduralConstants::run(const Evaluation &evaluation,
                                   NodeBuilder &nodes, const Host &host) {
  CallGraph graph(evaluation.root(), host.willBeErased);
  if (graph.calleesFirst().empty())
    return false;
  CallTypes types(graph.module(),
                  {[&](Operation *op) { return host.isErased(op); },
                   [&](Operation *op) { return evaluation.mayChange(op); }});
  FunctionInstances instances(graph, evaluation, types);
  LiftPlan plan(graph, instances, evaluation, host.isErased, gained, dropsIdle);
  std::optional<int64_t> left;
  if (budget)
    left = std::max<int64_t>(0, *budget - bytesAdded);
  plan.run(left);
  limited |= plan.isLimited();
  if (plan.isEmpty())
    return false;
  host.settle();
  Rewriter rewriter(graph, instances, plan, evaluation, nodes, host, gained,
                    made);
  rewriter.run();
  bytesAdded += plan.newBytes() - rewriter.bytesFreed();
  return true;
}
