//===- BatchFront.cpp - The batch becomes dimension 0 ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/BatchFront.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

Type BatchFront::typeOf(Value value) const { return types.typeOf(value); }

std::string BatchFront::nameOfDimension(Value value, int64_t axis) const {
  onnx::TypeProto proto;
  types.fill(value, proto);
  return proto.has_tensor_type() &&
                 axis < proto.tensor_type().shape().dim_size()
             ? proto.tensor_type().shape().dim(axis).dim_param()
             : "";
}

bool BatchFront::isBatch(Value value, int64_t axis) const {
  return !batch.empty() && nameOfDimension(value, axis) == batch;
}

/// The dimensions of a type that are open.
static SmallVector<int64_t> openDims(RankedTensorType type) {
  SmallVector<int64_t> open;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      open.push_back(i);
  return open;
}

std::optional<SampledTensor> BatchFront::tensor(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  auto type = dyn_cast<RankedTensorType>(types.typeOf(value));
  if (!type)
    return std::nullopt;
  SampledTensor made;
  SmallVector<int64_t> open = openDims(type);
  if (open.size() > 1 || (open.size() == 1 && !isBatch(value, open[0])))
    return std::nullopt;
  llvm::append_range(made.dims, type.getShape());
  if (!open.empty()) {
    made.samples = SamplePlace{open[0]};
    made.dims[open[0]] = 1;
  }
  return known[value] = made;
}

std::optional<Shape> BatchFront::ints(Value value) const {
  auto constant = value ? value.getDefiningOp<OnnxConstantOp>() : nullptr;
  Elements elements =
      constant ? fromAttribute(constant.getValue()) : Elements();
  if (!elements || (elements.type() != DataType::Int64 &&
                    elements.type() != DataType::Int32))
    return std::nullopt;
  return Shape(elements.ints());
}

//===----------------------------------------------------------------------===//
// New nodes
//===----------------------------------------------------------------------===//

Value BatchFront::constant(ArrayRef<int64_t> values) {
  Elements elements =
      Elements::fromValues<int64_t>({int64_t(values.size())}, values);
  auto type =
      RankedTensorType::get({int64_t(values.size())}, builder.getI64Type());
  return OnnxConstantOp::create(builder, current->getLoc(),
                                toAttribute(elements, type), "", std::nullopt);
}

Value BatchFront::scaled(Value value, double by, Type element) {
  if (by == 1)
    return value;
  Elements number =
      ops::cast(Elements::splat(Shape(), by), toDataType(element));
  auto type = RankedTensorType::get({}, element);
  Value factor = OnnxConstantOp::create(
      builder, current->getLoc(), toAttribute(number, type), "", std::nullopt);
  return node("Mul", {value, factor});
}

Value BatchFront::node(StringRef opType, ValueRange inputs,
                       ArrayRef<NamedAttribute> attributes) {
  int64_t latest = latestOpset("");
  int64_t opset = std::min(importedOpset(current, "").value_or(latest), latest);
  if (!builder.getContext()->isMultithreadingEnabled())
    registerOperator(*builder.getContext(), "", opType);
  Operator made = Operator::create(
      builder, current->getLoc(),
      {"", opType, resolveSince("", opType, opset).value_or(1)}, inputs,
      OnnxUnknownType::get(builder.getContext()), attributes);
  if (Operator op = Operator::from(current))
    made.setNodeName(nodeLabel(op));
  return made->getResult(0);
}

Operator BatchFront::copy(Operator op, ArrayRef<Value> inputs,
                          ArrayRef<NamedAttribute> changed) {
  Operation *made = builder.clone(*op.getOperation());
  made->setOperands(inputs);
  for (const NamedAttribute &one : changed)
    made->setAttr(one.getName(), one.getValue());
  for (Value result : made->getResults())
    if (!isa<NoneType>(result.getType()))
      result.setType(OnnxUnknownType::get(builder.getContext()));
  return Operator::from(made);
}

NamedAttribute BatchFront::attribute(StringRef name, int64_t value) {
  return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
}

NamedAttribute BatchFront::textAttribute(StringRef name, StringRef text) {
  return builder.getNamedAttr(name, builder.getStringAttr(text));
}

NamedAttribute BatchFront::attribute(StringRef name, ArrayRef<int64_t> values) {
  return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
}

Value BatchFront::shaped(Value value, ArrayRef<int64_t> dims) {
  Shape shape = {0}; // the same size
  llvm::append_range(shape, dims);
  return node("Reshape", {value, constant(shape)});
}

Value BatchFront::sizesWithBatch(ArrayRef<int64_t> before, int64_t each,
                                 ArrayRef<int64_t> after) {
  Value count = node("Gather", {node("Shape", rows), constant({0})});
  if (each != 1)
    count = node("Mul", {count, constant({each})});
  SmallVector<Value> parts;
  if (!before.empty())
    parts.push_back(constant(before));
  parts.push_back(count);
  if (!after.empty())
    parts.push_back(constant(after));
  return parts.size() == 1
             ? count
             : node("Concat", parts, attribute("axis", int64_t(0)));
}

Value BatchFront::front(Value value, int64_t rank) {
  SampledTensor given = *tensor(value);
  if (!given.samples)
    return value;
  auto found = fronts.find(value);
  Value made = found != fronts.end() ? found->second : Value();
  int64_t more = std::max<int64_t>(rank - given.rank(), 0);
  if (made && more == 0)
    return made;
  Shape dims(more, 1);
  llvm::append_range(dims, given.dims);
  return shaped(made ? made : value, dims);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void BatchFront::give(Operator op, unsigned i, Value value,
                      const SampledTensor &made) {
  Value result = op->getResult(i);
  isChanged = true;
  known[result] = made;
  fronts[result] = value;
  if (!made.samples->areRows())
    return;
  Value plain = shaped(value, ArrayRef<int64_t>(made.dims).drop_front());
  known[plain] = made;
  fronts[plain] = value;
  if (Operator maker = Operator::from(plain.getDefiningOp()))
    maker.setOutputNames(op.outputName(i));
  result.replaceAllUsesWith(plain);
}

void BatchFront::replace(Operator op, unsigned i, Value value) {
  isChanged = true;
  known[value] = *tensor(op->getResult(i));
  op->getResult(i).replaceAllUsesWith(value);
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

/// The name of the first open dimension 0, else of the first open dimension.
void BatchFront::findBatch() {
  for (bool isAnyDim : {false, true})
    for (Value argument : function.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || !batch.empty())
        continue;
      SmallVector<int64_t> open = openDims(type);
      if (open.size() == 1 && (isAnyDim || open[0] == 0))
        batch = nameOfDimension(argument, open[0]);
    }
}

/// What read the input reads it with its batch where it was.
void BatchFront::addOldForm(Value argument, const SampledTensor &given) {
  SmallVector<int64_t> back;
  for (int64_t i = 1; i < given.rank(); ++i)
    back.push_back(i);
  back.insert(back.begin() + given.samples->axis, 0);
  Value old = node("Transpose", argument, attribute("perm", back));
  Operator::from(old.getDefiningOp()).setOutputNames(valueName(argument));
  argument.replaceAllUsesExcept(old, old.getDefiningOp());
  known[old] = given;
  fronts[old] = shaped(argument, given.dims);
  known.erase(argument);
}

/// The input gets its batch as dimension 0.
void BatchFront::moveInput(unsigned i) {
  BlockArgument argument = cast<BlockArgument>(Value(function.getArgument(i)));
  std::optional<SampledTensor> given = tensor(argument);
  if (!given || !given->samples)
    return;
  if (int64_t axis = given->samples->axis; axis != 0) {
    auto type = cast<RankedTensorType>(argument.getType());
    Shape dims(type.getShape());
    std::rotate(dims.begin(), dims.begin() + axis, dims.begin() + axis + 1);
    SmallVector<StringRef> names(dims.size(), "");
    names[0] = batch;
    argument.setType(type.clone(dims));
    function.setArgAttr(i, dimsAttrName, builder.getStrArrayAttr(names));
    addOldForm(argument, *given);
    moved.inputs[i] = axis;
    isChanged = true;
  }
  if (!rows && !argument.use_empty())
    rows = argument;
}

/// Existing lowerings do with samples that are rows, but for places that are
/// counted over all samples.
bool BatchFront::needsRule(Operator op) {
  auto hasSamples = [&](unsigned i) {
    std::optional<SampledTensor> known =
        op.hasInput(i) ? tensor(op.input(i)) : std::nullopt;
    return known && known->samples;
  };
  if (op.isAny({"Gather", "GatherND"}) && hasSamples(0) && hasSamples(1))
    return true;
  auto isMoved = [&](Value value) {
    auto found = known.find(value);
    return found != known.end() && found->second.samples &&
           !found->second.samples->areRows();
  };
  for (unsigned i = 0; i < op.numInputs(); ++i)
    if (op.hasInput(i) && isMoved(op.input(i)))
      return true;
  return llvm::any_of(op->getResults(), [&](Value result) {
    auto type = dyn_cast<RankedTensorType>(types.typeOf(result));
    if (!type || result.use_empty())
      return false;
    SmallVector<int64_t> open = openDims(type);
    return open.size() > 1 ||
           (open.size() == 1 && (open[0] != 0 || !isBatch(result, 0)));
  });
}

void BatchFront::moveOutputs() {
  Operation *end = function.getFunctionBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    auto found = fronts.find(operand.get());
    if (found == fronts.end())
      continue;
    SampledTensor made = *tensor(operand.get());
    if (made.samples->areRows() || made.samples->each() != 1)
      continue;
    current = end;
    builder.setInsertionPoint(end);
    Shape dims = made.dims;
    dims.erase(dims.begin() + made.samples->axis);
    moved.outputs[operand.getOperandNumber()] = made.samples->axis;
    operand.set(shaped(found->second, dims));
    isChanged = true;
  }
}

bool BatchFront::run() {
  findBatch();
  if (batch.empty())
    return false;
  Block &block = function.getFunctionBody().front();
  current = &block.front();
  builder.setInsertionPointToStart(&block);
  if (importedOpset(current, "").value_or(0) < 5) // Reshape by an input
    return false;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    moveInput(i);
  if (!rows)
    return false;
  SmallVector<Operation *> nodes;
  for (Operation &op : block)
    nodes.push_back(&op); // new ones are not visited
  for (Operation *one : nodes) {
    Operator op = Operator::from(one);
    if (!op || op->use_empty() || !needsRule(op))
      continue;
    current = one;
    builder.setInsertionPoint(one);
    applyFrontRule(op, *this);
  }
  moveOutputs();
  if (isChanged)
    updateType(function);
  return isChanged;
}
