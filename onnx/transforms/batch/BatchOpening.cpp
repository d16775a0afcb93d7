//===- BatchOpening.cpp - A fixed leading size becomes open ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/batch/BatchOpening.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/batch/internal/SampleFlow.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

class BatchOpener {
public:
  BatchOpener(ModuleOp module, const Evaluation &evaluation,
              OpenedBatch &opened)
      : function(mainGraph(module)), flow(module, evaluation, opened),
        opened(opened) {}

  /// `module`: of which the opener was made.
  llvm::Error run(ModuleOp module, const llvm::StringSet<> &fixed);

private:
  void openInputs(const llvm::StringSet<> &fixed);
  llvm::Error checkName();
  llvm::Error visit(Operation &op);
  llvm::Error freeze(Operator op);
  llvm::Error checkOutputs();
  void eraseUnread();
  void setTypes();

  FunctionOpInterface function;
  SampleFlow flow;
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
    return atNode(op).says("has a body, and --batch=open looks into none");
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
  std::string why = applySampleRule(op, flow);
  if (why.empty())
    return llvm::Error::success();
  return atNode(op).says(why);
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
  for (Operation *op : llvm::reverse(
           llvm::to_vector(llvm::make_pointer_range(function.front()))))
    if (all.contains(op) && op->use_empty())
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
    opened.values[valueName(value)] = axis;
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
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
                  "' for dimension " + Twine(i) +
                  " (--batch=open:NAME gives another)");
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
  for (Operation &op :
       llvm::make_early_inc_range(function.front().without_terminator()))
    if (llvm::Error error = visit(op))
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

llvm::Error onnxfold::openBatch(ModuleOp module, StringRef dimension,
                                const llvm::StringSet<> &fixed,
                                const FoldLimits &limits, OpenedBatch &opened) {
  constexpr uint64_t mostBytes = 1 << 22, mostWork = 100'000'000;
  std::optional<int64_t> size = findSize(mainGraph(module), fixed);
  if (!size)
    return ModelFault("no input has a dimension 0");
  opened.dimension = dimension.str();
  opened.size = *size;
  if (*size == 0)
    return llvm::Error::success();
  EvaluationOptions options = onnxEvaluationOptions();
  options.limits = limits;
  options.limits.maxResultBytes = std::min(limits.maxResultBytes, mostBytes);
  options.limits.maxWork = std::min(limits.maxWork, mostWork);
  Evaluation evaluation(module, options);
  evaluation.run();
  return BatchOpener(module, evaluation, opened).run(module, fixed);
}
