//===- StandardTypes.cpp - Types that ONNX's own functions infer ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/internal/StandardTypes.h"
#include "google/protobuf/arena.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/folding/SymbolicShapes.h"
#include "onnxfold/onnx/folding/internal/PlainTypes.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/DisputedSizes.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "onnxfold/onnx/ir/Types.h"

using namespace onnxfold;
using namespace mlir;

/// Inference functions look at the values of small tensors only.
static constexpr int64_t mostInferenceElements = 1024;

namespace {

/// The memory of what inference is told about the operands. It is asked about
/// every node, and its messages are small: most need no other memory.
class OperandMessages {
public:
  template <class Message> Message &make() {
    return *google::protobuf::Arena::CreateMessage<Message>(&arena);
  }

private:
  google::protobuf::ArenaOptions options() {
    google::protobuf::ArenaOptions result;
    result.initial_block = reinterpret_cast<char *>(space);
    result.initial_block_size = sizeof space;
    return result;
  }

  uint64_t space[256];
  google::protobuf::Arena arena{options()};
};

} // namespace

static void setDimension(onnx::TensorShapeProto::Dimension &dimension,
                         DimExpr symbol, DimExprs &exprs) {
  if (std::optional<int64_t> value = exprs.valueOf(symbol))
    dimension.set_dim_value(*value);
  else
    dimension.set_dim_param(exprs.text(symbol));
}

Type onnxfold::declaredOrInferred(Value value, const ValueTypes &types) {
  return isa<OnnxUnknownType>(value.getType()) ? types.of(value)
                                               : value.getType();
}

static InferenceInput describe(const ValueState &state, Type type,
                               DimExprs &exprs, OperandMessages &messages) {
  InferenceInput input;
  if (state.absent)
    return input;
  auto &described = messages.make<onnx::TypeProto>();
  if (state.type == DataType::Undefined) {
    if (toTypeProto(type, described))
      input.type = &described;
    return input;
  }
  auto *tensor = described.mutable_tensor_type();
  tensor->set_elem_type(int32_t(state.type));
  input.type = &described;
  if (!state.shape)
    return input;
  for (DimExpr d : *state.shape)
    setDimension(*tensor->mutable_shape()->add_dim(), d, exprs);
  tensor->mutable_shape();
  if (!state.value || state.value.size() > mostInferenceElements ||
      state.value.rank() > 1)
    return input;
  if (state.isSymbolic()) {
    if (!isInteger(state.type))
      return input;
    auto &symbolic = messages.make<onnx::TensorShapeProto>();
    for (DimExpr d : state.value.values<DimExpr>())
      setDimension(*symbolic.add_dim(), d, exprs);
    input.symbolic = &symbolic;
  } else if (state.type != DataType::String) {
    auto &data = messages.make<onnx::TensorProto>();
    data.set_data_type(int32_t(state.type));
    for (int64_t d : state.value.shape())
      data.add_dims(d);
    std::string *raw = data.mutable_raw_data();
    raw->resize(state.value.bytes());
    state.value.read(0, state.value.size(), raw->data());
    input.data = &data;
  }
  return input;
}

/// Inference says all that can be said of shapes.
static bool isComplete(const InferredTypes &types) {
  return llvm::all_of(types, [](const onnx::TypeProto &type) {
    if (!type.has_tensor_type())
      return type.value_case() != onnx::TypeProto::VALUE_NOT_SET;
    return type.tensor_type().has_shape() &&
           llvm::all_of(type.tensor_type().shape().dim(), [](const auto &d) {
             return d.has_dim_value() ||
                    (d.has_dim_param() && !d.dim_param().empty());
           });
  });
}

/// A type in the engine's terms. Dimensions that are named stand for what the
/// name stands for; those that are not, for what `derived` has.
static ValueState stateOfTypeProto(const onnx::TypeProto &proto,
                                   const std::optional<SymbolicShape> &derived,
                                   DimExprs &exprs) {
  ValueState state;
  if (!proto.has_tensor_type())
    return state;
  const auto &tensor = proto.tensor_type();
  // Inference takes an attribute's number as it is (output_datatype).
  if (isDataType(tensor.elem_type()))
    state.type = DataType(tensor.elem_type());
  if (!tensor.has_shape()) {
    state.shape = derived;
    return state;
  }
  state.shape.emplace();
  bool isSameRank =
      derived && int(derived->size()) == tensor.shape().dim_size();
  for (const auto &[i, d] : llvm::enumerate(tensor.shape().dim())) {
    if (d.has_dim_value() && d.dim_value() >= 0)
      state.shape->push_back(exprs.constant(d.dim_value()));
    else if (d.has_dim_param() && !d.dim_param().empty())
      state.shape->push_back(exprs.named(d.dim_param()));
    else if (isSameRank)
      state.shape->push_back((*derived)[i]);
    else
      state.shape->push_back(exprs.freshDimension());
  }
  return state;
}

Type onnxfold::kindOf(const onnx::TypeProto &proto, MLIRContext *context) {
  if (proto.has_tensor_type())
    return {};
  onnx::TypeProto kind = proto;
  for (onnx::TypeProto *inner = &kind; inner;) {
    if (inner->has_sequence_type())
      inner = inner->mutable_sequence_type()->mutable_elem_type();
    else if (inner->has_optional_type())
      inner = inner->mutable_optional_type()->mutable_elem_type();
    else if (inner->has_tensor_type())
      inner->mutable_tensor_type()->clear_shape(), inner = nullptr;
    else
      inner = nullptr;
  }
  return fromTypeProto(kind, context);
}

/// Types of what a graph gives, as far as they are known.
static InferredTypes typesOfYield(Region &graph, const ValueTypes &types) {
  InferredTypes result;
  if (!graph.empty() && !graph.front().empty())
    for (Value value : graph.front().back().getOperands())
      toTypeProto(declaredOrInferred(value, types), result.emplace_back());
  return result;
}

bool onnxfold::inferStandardTypes(Operator op,
                                  ArrayRef<const ValueState *> operands,
                                  MutableArrayRef<ValueState> results,
                                  DimExprs &exprs, ValueTypes &types) {
  if (std::optional<ValueState> plain = inferPlainly(op, operands, exprs)) {
    results[0] = std::move(*plain);
    return true;
  }
  OperandMessages messages;
  SmallVector<InferenceInput, 4> inputs;
  for (auto [i, state] : llvm::enumerate(operands))
    inputs.push_back(describe(
        *state, declaredOrInferred(op->getOperand(i), types), exprs, messages));
  auto inferGraph = [&](Region &graph, ArrayRef<const onnx::TypeProto *>,
                        ArrayRef<const onnx::TensorProto *>)
      -> llvm::Expected<InferredTypes> { return typesOfYield(graph, types); };
  llvm::Expected<InferredTypes> inferred =
      onnxfold::inferTypes(op, inputs, inferGraph);
  if (!inferred) {
    // The operator is wrong in some way; its kernel says in which.
    llvm::consumeError(inferred.takeError());
    return false;
  }
  DerivedShapes derived(inferred->size());
  bool isDisputed = !forgetDisputedSizes(op, inputs, *inferred).empty();
  if (!isDisputed && !isComplete(*inferred))
    derived = deriveShapes(op, operands, exprs);
  for (auto [i, type] : llvm::enumerate(*inferred)) {
    results[i] = stateOfTypeProto(type, derived[i], exprs);
    if (isa<OnnxUnknownType>(op->getResult(i).getType()))
      if (Type kind = kindOf(type, op->getContext()))
        types.set(op->getResult(i), kind);
  }
  return !isDisputed;
}

llvm::StringRef onnxfold::disputeOver(Operator op,
                                      const Evaluation &evaluation) {
  if (!mayDisputeSizes(op))
    return "";
  DimExprs numbers; // nothing is known of other sizes
  OperandMessages messages;
  SmallVector<InferenceInput, 4> inputs;
  for (Value operand : op->getOperands()) {
    ValueState state = evaluation.state(operand);
    if (state.isSymbolic())
      state.value = {};
    if (state.shape)
      for (DimExpr &d : *state.shape) {
        std::optional<int64_t> size = evaluation.exprs().valueOf(d);
        d = size ? numbers.constant(*size) : numbers.freshDimension();
      }
    inputs.push_back(describe(state, operand.getType(), numbers, messages));
  }
  auto inferGraph =
      [](Region &, ArrayRef<const onnx::TypeProto *>,
         ArrayRef<const onnx::TensorProto *>) -> llvm::Expected<InferredTypes> {
    return InferredTypes();
  };
  llvm::Expected<InferredTypes> inferred =
      onnxfold::inferTypes(op, inputs, inferGraph);
  if (!inferred) {
    llvm::consumeError(inferred.takeError());
    return "";
  }
  return forgetDisputedSizes(op, inputs, *inferred);
}
