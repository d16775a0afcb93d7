//===- SampleFlow.cpp - Where the samples of a batch are ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/batch/internal/SampleFlow.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

std::optional<Shape> SampleFlow::shapeOf(Value value) const {
  if (made.contains(value.getDefiningOp())) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return std::nullopt;
    Shape shape;
    for (int64_t size : type.getShape())
      shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
    return shape;
  }
  const ValueState &state = evaluation.state(value);
  if (!state.shape)
    return std::nullopt;
  Shape shape;
  for (DimExpr size : *state.shape)
    shape.push_back(evaluation.exprs().valueOf(size).value_or(-1));
  return shape;
}

std::optional<int64_t> SampleFlow::rankOf(Value value) const {
  std::optional<Shape> shape = shapeOf(value);
  return shape ? std::optional<int64_t>(shape->size()) : std::nullopt;
}

Elements SampleFlow::known(Value value) const {
  if (axes.contains(value)) // what is known holds for N samples only
    return {};
  if (auto constant = value.getDefiningOp<OnnxConstantOp>())
    return fromAttribute(constant.getValue());
  if (made.contains(value.getDefiningOp()))
    return {};
  const ValueState &state = evaluation.state(value);
  return state.isConstant() ? state.value : Elements();
}

std::optional<Shape> SampleFlow::knownInts(Value value) const {
  Elements elements = value ? known(value) : Elements();
  if (!elements || elements.size() > 64 ||
      (elements.type() != DataType::Int64 &&
       elements.type() != DataType::Int32))
    return std::nullopt;
  return Shape(elements.ints());
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

Value SampleFlow::constant(Operator before, const Elements &value) {
  OpBuilder builder(before.getOperation());
  auto type = RankedTensorType::get(
      value.shape(), toElementType(value.type(), builder.getContext()));
  auto op = OnnxConstantOp::create(builder, before->getLoc(),
                                   toAttribute(value, type),
                                   names.make("batch_constant"));
  made.insert(op);
  return op;
}

Value SampleFlow::node(Operator before, StringRef opType, ValueRange inputs,
                       Type type, ArrayRef<NamedAttribute> attributes) {
  OpBuilder builder(before.getOperation());
  registerOperator(*module.getContext(), "", opType);
  int64_t opset = importedOpset(before.getOperation(), "").value_or(0);
  OperatorId id{"", opType, resolveSince("", opType, opset).value_or(1)};
  Operator op =
      Operator::create(builder, before->getLoc(), id, inputs, type, attributes);
  std::string name = names.make("batch_" + opType.lower());
  op.setOutputNames({StringRef(name)});
  made.insert(op.getOperation());
  return op->getResult(0);
}

void SampleFlow::setOperand(Operator op, unsigned i, Value value) {
  op->setOperand(i, value);
  if (opened.rewired.insert(op.getOperation()).second)
    opened.nodes.push_back(nodeLabel(op).str());
}

void SampleFlow::setOperand(Operator op, unsigned i, const Elements &value) {
  setOperand(op, i, constant(op, value));
}

/// The new constant has the type of the operand.
void SampleFlow::setInts(Operator op, unsigned i, ShapeRef values) {
  Shape shape = {int64_t(values.size())};
  if (known(op.input(i)).type() == DataType::Int32) {
    SmallVector<int32_t> narrow(values.begin(), values.end());
    return setOperand(op, i, Elements::fromValues<int32_t>(shape, narrow));
  }
  setOperand(op, i, Elements::fromValues<int64_t>(shape, values));
}

bool SampleFlow::narrow(Operator op, unsigned i, int64_t axis) {
  constexpr int64_t mostElements = 1 << 22;
  Elements all = known(op.input(i));
  if (!all || axis >= all.rank() || all.size() > mostElements)
    return false;
  Elements one = all.slice(axis, 0, 1);
  for (int64_t row = 1; row < all.dim(axis); ++row)
    if (!all.slice(axis, row, 1).identicalTo(one))
      return false;
  if (all.dim(axis) != 1)
    setOperand(op, i, one.materialize());
  return true;
}

Value SampleFlow::sizesWithBatch(Operator before, ShapeRef sizes, int64_t at) {
  Builder builder(module.getContext());
  auto vector = [&](int64_t size) {
    return RankedTensorType::get({size}, builder.getI64Type());
  };
  int64_t rank = *rankOf(firstInput);
  Value shape = node(before, "Shape", firstInput, vector(rank));
  Value first = constant(before, Elements::fromValues<int64_t>({1}, {0}));
  Value number = node(before, "Gather", {shape, first}, vector(1));
  SmallVector<Value> parts;
  auto add = [&](ShapeRef some) {
    if (!some.empty())
      parts.push_back(constant(
          before, Elements::fromValues<int64_t>({int64_t(some.size())}, some)));
  };
  add(sizes.take_front(at));
  parts.push_back(number);
  add(sizes.drop_front(at + 1));
  if (parts.size() == 1)
    return number;
  return node(before, "Concat", parts, vector(sizes.size()),
              builder.getNamedAttr("axis", builder.getI64IntegerAttr(0)));
}

bool SampleFlow::repeat(Operator op, unsigned i, int64_t axis) {
  std::optional<Shape> shape = shapeOf(op.input(i));
  auto type = dyn_cast<RankedTensorType>(op.input(i).getType());
  if (!shape || !type || axis >= int64_t(shape->size()) ||
      (*shape)[axis] != size() ||
      importedOpset(op.getOperation(), "").value_or(0) < 8)
    return false;
  if (size() != 1 && !narrow(op, i, axis))
    return false;
  Value sizes = sizesWithBatch(op, Shape(shape->size(), 1), axis);
  SmallVector<int64_t> open(type.getShape());
  open[axis] = ShapedType::kDynamic;
  Value all = node(op, "Expand", {op.input(i), sizes}, type.clone(open));
  set(all, {axis, 1});
  setOperand(op, i, all);
  return true;
}
