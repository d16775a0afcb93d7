//===- TypeEditor.cpp - What the output says of types ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/emit/internal/TypeEditor.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/Support/DebugStringHelper.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

void TypeEditor::noteConflict(Value value, const onnx::ValueInfoProto &info) {
  Type declared = fromTypeProto(info.type(), value.getContext());
  found.push_back({info.name(), debugString(declared),
                   debugString(model.types.typeOf(value))});
}

/// Fills the type of an input or output that the model did not have: from what
/// the file says of the value, then from what was inferred.
TypeEdit TypeEditor::fillInterface(Value value, onnx::ValueInfoProto &info) {
  onnx::TypeProto &type = *info.mutable_type();
  auto find = [&](const std::vector<CutValue> &values) {
    for (const CutValue &known : values)
      if (known.isNew && known.name == info.name() &&
          type.value_case() == onnx::TypeProto::VALUE_NOT_SET &&
          toTypeProto(known.type, type) && !known.dimensions.empty())
        setDimensionNames(llvm::to_vector_of<StringRef>(known.dimensions),
                          type);
  };
  if (model.prepared.cut) {
    find(model.prepared.cut->inputs);
    find(model.prepared.cut->outputs);
  }
  if (model.types.contradicts(value, type)) {
    noteConflict(value, info);
    type.Clear();
  }
  if (type.value_case() == onnx::TypeProto::VALUE_NOT_SET)
    return model.types.fill(value, type) ? TypeEdit::Write : TypeEdit::Keep;
  model.types.refine(value, type);
  return TypeEdit::Write;
}

/// The shape that a loop's body states is what its result has if there is no
/// iteration.
static bool isOfLoop(Value value) {
  Operator owner = Operator::from(value.getParentBlock()->getParentOp());
  return owner && !owner.is("If");
}

/// An output without an element type or a shape gets what is known. One that
/// states both is the author's.
bool TypeEditor::completes(Value value, onnx::TypeProto &type) const {
  bool isStated = type.has_tensor_type()
                      ? type.tensor_type().elem_type() != 0 &&
                            type.tensor_type().has_shape()
                      : type.value_case() != onnx::TypeProto::VALUE_NOT_SET;
  return !isStated && !isOfLoop(value) &&
         !model.types.contradicts(value, type) &&
         model.types.refine(value, type);
}

/// Types a value that has no value_info in the file. Results of custom operators
/// cannot be inferred.
TypeEdit TypeEditor::fillNew(Value value, onnx::TypeProto &type) const {
  bool isWanted = options.shapes || model.session().copySources().isUnknown(
                                        value.getDefiningOp());
  return isWanted && model.types.fill(value, type) ? TypeEdit::Write
                                                   : TypeEdit::Keep;
}

/// A value that --convert changed has the new element type, and all else as the
/// file has it.
bool TypeEditor::convert(Value value, onnx::TypeProto &type) const {
  auto tensor = dyn_cast<mlir::TensorType>(value.getType());
  if (!model.conversion || !tensor || !type.has_tensor_type())
    return false;
  auto before = DataType(type.tensor_type().elem_type());
  auto after = DataType(onnxElementType(tensor.getElementType()));
  for (const TypePair &pair : model.conversion->pairs)
    if (pair.from == before && pair.to == after) {
      type.mutable_tensor_type()->set_elem_type(int32_t(after));
      return true;
    }
  return false;
}

TypeEdit TypeEditor::edit(Value value, TypePlace place,
                          onnx::ValueInfoProto &info) {
  bool isEdited = convert(value, *info.mutable_type());
  isEdited |= openBatch(value, info);
  if (place == TypePlace::BodyInput)
    return isEdited ? TypeEdit::Write : TypeEdit::Keep;
  TypeEdit known = editKnown(value, place, info);
  return isEdited && known == TypeEdit::Keep ? TypeEdit::Write : known;
}

/// Outputs of the graph only follow inputs that the user fixed.
TypeEdit TypeEditor::editKnown(Value value, TypePlace place,
                               onnx::ValueInfoProto &info) {
  onnx::TypeProto &type = *info.mutable_type();
  if (place == TypePlace::NewInterface)
    return fillInterface(value, info);
  if (!editsTypes(options))
    return TypeEdit::Keep;
  if (place == TypePlace::New)
    return fillNew(value, type);
  if (place == TypePlace::BodyOutput ||
      (place == TypePlace::Output && options.fixed.empty()))
    return options.shapes && completes(value, type) ? TypeEdit::Write
                                                    : TypeEdit::Keep;
  if (place == TypePlace::ValueInfo && model.types.isProtected(value))
    return TypeEdit::Keep;
  // A constant says its type itself.
  if (isa_and_nonnull<OnnxConstantOp>(value.getDefiningOp()) &&
      (options.isFiltered() || !model.types.contradicts(value, type)))
    return TypeEdit::Keep;
  if (model.types.contradicts(value, type)) {
    noteConflict(value, info);
    if (place == TypePlace::ValueInfo && !options.shapes)
      return TypeEdit::Remove;
    type.Clear();
    return model.types.fill(value, type) ? TypeEdit::Write : TypeEdit::Keep;
  }
  return model.types.refine(value, type) ? TypeEdit::Write : TypeEdit::Keep;
}

/// What the file says of a value that has the size of the batch. A value of the
/// same name in another body has another type.
bool TypeEditor::openBatch(Value value, onnx::ValueInfoProto &info) const {
  const std::shared_ptr<OpenedBatch> &batch = model.prepared.batch;
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (!batch || !tensor || !info.type().has_tensor_type())
    return false;
  onnx::TypeProto::Tensor &type = *info.mutable_type()->mutable_tensor_type();
  auto found = batch->values.find(info.name());
  if (found == batch->values.end() ||
      type.shape().dim_size() != tensor.getRank())
    return false;
  for (auto [axis, factor] : found->second) {
    if (axis >= tensor.getRank() || !tensor.isDynamicDim(axis))
      continue;
    auto &dim = *type.mutable_shape()->mutable_dim(axis);
    if (!dim.has_dim_value())
      continue;
    dim.set_dim_param((factor == 1 ? "" : std::to_string(factor) + "*") +
                      batch->dimension);
    return true;
  }
  return false;
}
