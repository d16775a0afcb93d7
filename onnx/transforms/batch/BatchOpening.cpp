//===- BatchOpening.cpp - A fixed leading size becomes open ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/batch/BatchOpening.h"
#include "onnxfold/onnx/folding/AlwaysInline.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/batch/internal/SampleFlow.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// The place of the samples in results of calls; nothing for what is the same
/// for all.
using CallResults =
    llvm::DenseMap<Operation *, SmallVector<std::optional<BatchAxis>>>;

class BatchOpener {
public:
  BatchOpener(ModuleOp module, const Evaluation &evaluation,
              const CallResults &calls, OpenedBatch &opened)
      : function(mainGraph(module)), flow(module, evaluation, opened),
        calls(calls), opened(opened) {}

  /// `module`: of which the opener was made.
  llvm::Error run(ModuleOp module, const llvm::StringSet<> &fixed);

  std::optional<BatchAxis> axisOf(Value value) const {
    return flow.axisOf(value);
  }
  bool isSize(Value value) const { return sizes.contains(value); }
  const llvm::DenseMap<Value, BatchAxis> &all() const { return flow.all(); }

private:
  void openInputs(const llvm::StringSet<> &fixed);
  llvm::Error checkName();
  llvm::Error visitBlock(Block &block);
  llvm::Error visit(Operation &op);
  llvm::Error visitBodies(Operator op);
  llvm::Error freeze(Operator op);
  llvm::Error checkOutputs();
  void eraseUnread();
  void setTypes();

  FunctionOpInterface function;
  SampleFlow flow;
  const CallResults &calls;
  OpenedBatch &opened;
  /// Values that follow from the size of the batch, and from no sample.
  llvm::SetVector<Value> sizes;
};

} // namespace

static RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

void BatchOpener::openInputs(const llvm::StringSet<> &fixed) {
  for (Value argument : function.getArguments()) {
    RankedTensorType type = tensorOf(argument);
    if (!type || type.getRank() == 0 || type.getDimSize(0) != opened.size ||
        fixed.contains(valueName(argument)))
      continue;
    flow.set(argument, {0, 1});
    if (!flow.firstInput)
      flow.firstInput = argument;
    opened.inputs.push_back(valueName(argument).str());
  }
}

/// Operands that follow from the size of the batch get the value that they have
/// for a batch of N.
llvm::Error BatchOpener::freeze(Operator op) {
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Value operand = op->getOperand(i);
    if (!sizes.contains(operand))
      continue;
    Elements value = flow.known(operand);
    if (!value)
      return atNode(op).says("reads '" + valueName(operand) +
                             "', which follows from the size of the batch and "
                             "whose value is not known");
    flow.setOperand(op, i, value);
  }
  return llvm::Error::success();
}

llvm::Error BatchOpener::visit(Operation &operation) {
  Operator op = Operator::from(&operation);
  if (!op)
    return llvm::Error::success();
  auto isOpen = [&](Value value) { return flow.axisOf(value).has_value(); };
  auto isSize = [&](Value value) { return sizes.contains(value); };
  llvm::SetVector<Value> read = valuesReadBy(operation);
  bool readsSamples = llvm::any_of(read, isOpen);
  bool readsSizes = llvm::any_of(read, isSize);
  if (!readsSamples && !readsSizes)
    return llvm::Error::success();
  if (op->getNumRegions() != 0)
    return visitBodies(op);
  bool isAllKnown = llvm::all_of(op->getResults(), [&](Value result) {
    return isa<NoneType>(result.getType()) || flow.known(result);
  });
  if (op.isAny({"Shape", "Size"}) || (!readsSamples && isAllKnown)) {
    if (!isAllKnown)
      return atNode(op).says(
          "gives sizes that are not all known, so that what follows from that "
          "of the batch is not known");
    sizes.insert(op->result_begin(), op->result_end());
    return llvm::Error::success();
  }
  if (readsSizes)
    if (llvm::Error error = freeze(op))
      return error;
  if (!readsSamples)
    return llvm::Error::success();
  if (auto found = calls.find(&operation); found != calls.end()) {
    for (auto [result, axis] : llvm::zip(op->getResults(), found->second))
      if (axis)
        flow.set(result, *axis);
    return llvm::Error::success();
  }
  std::string why = applySampleRule(op, flow);
  if (why.empty())
    return llvm::Error::success();
  return atNode(op).says(why);
}

llvm::Error BatchOpener::visitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (llvm::Error error = visit(op))
      return error;
  return llvm::Error::success();
}

llvm::Error BatchOpener::visitBodies(Operator op) {
  if (llvm::Error error = freeze(op))
    return error;
  if (llvm::Error error =
          followBodies(op, flow, [&](Block &body) { return visitBlock(body); }))
    return error;
  for (Region &body : op->getRegions())
    for (Value value : body.front().getTerminator()->getOperands())
      if (sizes.contains(value))
        return atNode(op).says("has a body that gives a size of the batch");
  return llvm::Error::success();
}

llvm::Error BatchOpener::checkOutputs() {
  for (Value value : function.front().getTerminator()->getOperands()) {
    std::string name = valueName(value).str();
    if (sizes.contains(value))
      return ModelFault("output '" + name + "'")
          .says("gives a size of the batch");
    std::optional<BatchAxis> axis = flow.axisOf(value);
    if (!axis) {
      opened.shared.push_back(name);
      continue;
    }
    if (axis->factor != 1)
      return ModelFault("output '" + name + "'")
          .says("has the samples and " + Twine(axis->factor) +
                " elements of each in dimension " + Twine(axis->axis));
    opened.outputs.push_back(name);
  }
  return llvm::Error::success();
}

/// Nodes that computed sizes, and constants that another replaced.
void BatchOpener::eraseUnread() {
  llvm::DenseSet<Operation *> all(flow.made.begin(), flow.made.end());
  for (Value value : sizes)
    all.insert(value.getDefiningOp());
  SmallVector<Operation *> inOrder;
  function->walk([&](Operation *op) {
    if (all.contains(op))
      inOrder.push_back(op);
  });
  for (Operation *op : llvm::reverse(inOrder))
    if (op->use_empty())
      op->erase();
}

static void openDimension(Value value, int64_t axis) {
  RankedTensorType type = tensorOf(value);
  if (!type || axis >= type.getRank())
    return;
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = ShapedType::kDynamic;
  value.setType(type.clone(shape));
}

void BatchOpener::setTypes() {
  Builder builder(function.getContext());
  for (const auto &[value, axis] : flow.all()) {
    openDimension(value, axis.axis);
    auto &axes = opened.values[valueName(value)];
    if (!llvm::is_contained(axes, axis))
      axes.push_back(axis);
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &function.front())
      continue;
    SmallVector<StringRef> names(tensorOf(value).getRank(), "");
    unsigned number = argument.getArgNumber();
    if (auto list = function.getArgAttrOfType<ArrayAttr>(number, dimsAttrName))
      for (auto [name, known] : llvm::zip(names, list.getAsRange<StringAttr>()))
        name = known.getValue();
    names[0] = opened.dimension;
    function.setArgAttr(number, dimsAttrName, builder.getStrArrayAttr(names));
  }
  updateType(function);
}

/// A batch would get the numbers of one sample, or others than the samples.
static llvm::Error checkRandom(ModuleOp module) {
  Operator random;
  module->walk([&](Operation *operation) {
    Operator op = Operator::from(operation);
    if (!op || op.is("Dropout") || isDeterministic(op.domain(), op.opType()))
      return WalkResult::advance();
    random = op;
    return WalkResult::interrupt();
  });
  if (!random)
    return llvm::Error::success();
  return atNode(random).says(
      "is random, and not known to compute each sample for itself");
}

/// The new dimension may not have the name of another.
llvm::Error BatchOpener::checkName() {
  for (Value value : function.getArguments()) {
    auto argument = cast<BlockArgument>(value);
    auto list = function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                     dimsAttrName);
    RankedTensorType type = tensorOf(value);
    if (!list || !type)
      continue;
    for (auto [i, name] : llvm::enumerate(list.getAsRange<StringAttr>()))
      if (name.getValue() == opened.dimension && type.isDynamicDim(i))
        return ModelFault("input '" + valueName(value) + "'")
            .says("has the name '" + Twine(opened.dimension) +
                  "' for dimension " + Twine(i) + " (" +
                  setting("batch", "open:NAME") + " gives another)");
  }
  return llvm::Error::success();
}

llvm::Error BatchOpener::run(ModuleOp module, const llvm::StringSet<> &fixed) {
  openInputs(fixed);
  if (opened.inputs.empty())
    return ModelFault("every input with a dimension 0 has an initializer");
  if (llvm::Error error = checkName())
    return error;
  if (llvm::Error error = checkRandom(module))
    return error;
  if (llvm::Error error = visitBlock(function.front()))
    return error;
  if (llvm::Error error = checkOutputs())
    return error;
  eraseUnread();
  setTypes();
  return llvm::Error::success();
}

/// N; 0 if a dimension 0 is open, nothing if no input has one.
static std::optional<int64_t> findSize(FunctionOpInterface function,
                                       const llvm::StringSet<> &fixed) {
  std::optional<int64_t> size;
  for (Value argument : function.getArguments()) {
    RankedTensorType type = tensorOf(argument);
    if (!type || type.getRank() == 0 || fixed.contains(valueName(argument)))
      continue;
    if (type.isDynamicDim(0))
      return 0;
    if (!size)
      size = type.getDimSize(0);
  }
  return size;
}

static EvaluationOptions evaluationOptions(const FoldLimits &limits) {
  constexpr uint64_t mostBytes = 1 << 22, mostWork = 100'000'000;
  EvaluationOptions options = onnxEvaluationOptions();
  options.limits = limits;
  options.limits.maxResultBytes = std::min(limits.maxResultBytes, mostBytes);
  options.limits.maxWork = std::min(limits.maxWork, mostWork);
  return options;
}

//===----------------------------------------------------------------------===//
// Calls of functions
//===----------------------------------------------------------------------===//

/// The calls of the main graph and its bodies, in their order.
static SmallVector<Operation *> callsIn(ModuleOp module) {
  SmallVector<Operation *> calls;
  SymbolTable functions(module);
  mainGraph(module)->walk([&](Operation *operation) {
    Operator op = Operator::from(operation);
    if (op && op.isCustom() && calledFunction(op, &functions))
      calls.push_back(operation);
  });
  return calls;
}

namespace {
/// Follows the samples through functions, in a copy of the module in which their
/// calls are inlined. A function serves all its calls, so it has to stay as it
/// is.
class CallFollower {
public:
  CallFollower(ModuleOp module)
      : calls(callsIn(module)), copy(cast<ModuleOp>(module->clone())) {
    markResults();
    inlineAll();
  }

  llvm::Error run(const llvm::StringSet<> &fixed, const FoldLimits &limits,
                  OpenedBatch opened, CallResults &results);

private:
  void markResults();
  void inlineAll();
  llvm::Error checkFunctions(const BatchOpener &opener,
                             const OpenedBatch &opened) const;

  SmallVector<Operation *> calls; ///< of the model itself
  OwningOpRef<ModuleOp> copy;
  /// An Identity in the copy for each result of each call; null for one that is
  /// not there.
  SmallVector<SmallVector<Operation *>> marks;
  llvm::DenseSet<Operation *> inlined;
  llvm::DenseMap<Value, Type> stated; ///< values of functions
};
} // namespace

void CallFollower::markResults() {
  registerOperator(*copy->getContext(), "", "Identity");
  for (Operation *call : callsIn(*copy)) {
    OpBuilder builder(call->getContext());
    builder.setInsertionPointAfter(call);
    SmallVector<Operation *> &marked = marks.emplace_back();
    for (Value result : call->getResults()) {
      if (isa<NoneType>(result.getType())) {
        marked.push_back(nullptr);
        continue;
      }
      Operator mark =
          Operator::create(builder, call->getLoc(), {"", "Identity", 1}, result,
                           result.getType(), {});
      result.replaceAllUsesExcept(mark->getResult(0), mark.getOperation());
      marked.push_back(mark.getOperation());
    }
  }
}

void CallFollower::inlineAll() {
  inlineCalls(*copy, {mainGraph(*copy)},
              [&](const Operator &call, ArrayRef<Operation *> copies) {
                inlined.erase(call.getOperation());
                for (Operation *one : copies)
                  one->walk([&](Operation *inner) { inlined.insert(inner); });
              });
  for (Operation *op : inlined)
    for (Value result : op->getResults())
      if (tensorOf(result))
        stated[result] = result.getType();
}

llvm::Error CallFollower::checkFunctions(const BatchOpener &opener,
                                         const OpenedBatch &opened) const {
  std::string remedy =
      " (inline it in a run before: " + setting("inline-functions") + ")";
  for (Operation *op : opened.rewired)
    if (inlined.contains(op))
      return atNode(Operator::from(op))
          .says("is in a function, and would have to read other values" +
                remedy);
  for (const auto &[value, axis] : opener.all())
    if (Type type = stated.lookup(value); type && type != value.getType())
      return ModelFault("value '" + valueName(value) + "'")
          .says("is in a function, which states its size" + remedy);
  return llvm::Error::success();
}

llvm::Error CallFollower::run(const llvm::StringSet<> &fixed,
                              const FoldLimits &limits, OpenedBatch opened,
                              CallResults &results) {
  Evaluation evaluation(*copy, evaluationOptions(limits));
  evaluation.run();
  CallResults none;
  BatchOpener opener(*copy, evaluation, none, opened);
  if (llvm::Error error = opener.run(*copy, fixed))
    return error;
  if (llvm::Error error = checkFunctions(opener, opened))
    return error;
  for (auto [call, marked] : llvm::zip(calls, marks)) {
    auto &axes = results[call];
    for (Operation *mark : marked) {
      if (mark && opener.isSize(mark->getResult(0)))
        return atNode(Operator::from(call)).says("gives a size of the batch");
      axes.push_back(mark ? opener.axisOf(mark->getResult(0)) : std::nullopt);
    }
  }
  return llvm::Error::success();
}

llvm::Error onnxfold::openBatch(ModuleOp module, StringRef dimension,
                                const llvm::StringSet<> &fixed,
                                const FoldLimits &limits, OpenedBatch &opened) {
  std::optional<int64_t> size = findSize(mainGraph(module), fixed);
  if (!size)
    return ModelFault("no input has a dimension 0");
  opened.dimension = dimension.str();
  opened.size = *size;
  if (*size == 0)
    return llvm::Error::success();
  CallResults calls;
  if (!callsIn(module).empty())
    if (llvm::Error error =
            CallFollower(module).run(fixed, limits, opened, calls))
      return error;
  Evaluation evaluation(module, evaluationOptions(limits));
  evaluation.run();
  return BatchOpener(module, evaluation, calls, opened).run(module, fixed);
}
