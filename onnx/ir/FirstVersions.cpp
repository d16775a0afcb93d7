//===- FirstVersions.cpp - Shapes of first versions of operators ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/InferenceAdditions.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;

/// Operators whose first result has the shape of their first operand. Those of
/// two operands broadcast the second one to the first; Max, Mean, Min and Sum
/// take operands of one shape.
static bool hasShapeOfFirst(llvm::StringRef opType) {
  static const llvm::StringSet<> names = {
      "Abs",       "Add",     "BatchNormalization",
      "Ceil",      "Cast",    "Clip",
      "Div",       "Dropout", "Elu",
      "Exp",       "Floor",   "HardSigmoid",
      "LeakyRelu", "Log",     "InstanceNormalization",
      "Max",       "Mean",    "MeanVarianceNormalization",
      "Min",       "Mul",     "Neg",
      "PRelu",     "Relu",    "Reciprocal",
      "Selu",      "Sigmoid", "Sqrt",
      "Sub",       "Sum",     "Tanh"};
  return names.contains(opType);
}

void onnxfold::addFirstVersionShapes(Operator op,
                                     llvm::ArrayRef<InferenceInput> inputs,
                                     InferredTypes &types) {
  const onnx::OpSchema *schema = op.schema();
  bool isInferred = !schema || schema->has_type_and_shape_inference_function();
  if (isInferred || !op.domain().empty() || !hasShapeOfFirst(op.opType()))
    return;
  const onnx::TypeProto *first = inputs.empty() ? nullptr : inputs[0].type;
  if (types.empty() || !first || !first->has_tensor_type() ||
      !first->tensor_type().has_shape())
    return;
  onnx::TypeProto &type = types[0];
  bool isOther = type.value_case() != onnx::TypeProto::VALUE_NOT_SET &&
                 !type.has_tensor_type();
  if (isOther || (type.has_tensor_type() && type.tensor_type().has_shape()))
    return;
  *type.mutable_tensor_type()->mutable_shape() = first->tensor_type().shape();
  onnx::TensorProto::DataType to;
  if (op.is("Cast") &&
      onnx::TensorProto::DataType_Parse(op.getString("to", "").str(), &to))
    type.mutable_tensor_type()->set_elem_type(to);
}
