//===- KnownTypes.cpp - Types that were inferred, for the file ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

void onnxfold::setDeclaredType(Value value, Type declared,
                               const Evaluation &evaluation) {
  Type computed = value.getType();
  value.setType(declared);
  const auto &note = evaluation.evaluationOptions().noteTypeConflict;
  if (note && computed != declared && !mergeTypes(declared, computed))
    note(value, computed);
}

/// The type without the sizes of dimensions that inference knows by names only:
/// LightGBM's converter declares one label, and a model whose inputs were opened
/// by hand keeps the sizes that it had.
static Type withOpenSizes(Type type, ArrayRef<std::string> names) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || size_t(tensor.getRank()) != names.size())
    return type;
  SmallVector<int64_t> sizes(tensor.getShape());
  for (auto [size, name] : llvm::zip_equal(sizes, names))
    if (!name.empty())
      size = ShapedType::kDynamic;
  return tensor.clone(sizes);
}

void KnownTypes::note(Value value, const Evaluation &evaluation, bool names) {
  const ValueState &state = evaluation.state(value);
  if (!names && isTypeOfState(value.getType(), state, evaluation.exprs()))
    return; // nearly always: inference has given it
  Type known = typeOfState(state, evaluation.exprs(), value.getContext());
  if (!known)
    return;
  // A contradiction was reported, and inference is right.
  Type merged = mergeTypes(value.getType(), known);
  if (Type type = merged ? merged : known; type != value.getType())
    types[value] = type;
  if (!names || !state.shape)
    return;
  auto &list = dimensions[value];
  for (DimExpr d : *state.shape)
    list.push_back(evaluation.exprs().nameOf(d).value_or("").str());
  if (Type type = withOpenSizes(typeOf(value), list); type != typeOf(value))
    types[value] = type;
}

void KnownTypes::collect(const Evaluation &evaluation, bool names) {
  evaluation.root()->walk([&](Operation *op) {
    // Constants say their types; ones that are new are not in the table.
    if (!Operator::from(op) || !evaluation.has(op))
      return;
    bool mayChange = evaluation.mayChange(op);
    for (Value result : op->getResults()) {
      if (!mayChange)
        untouched.insert(result);
      note(result, evaluation, names);
    }
  });
}

void KnownTypes::collectArguments(const Evaluation &evaluation) {
  evaluation.root()->walk([&](Operation *op) {
    if (!Operator::from(op) || !evaluation.has(op))
      return;
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        note(argument, evaluation, /*names=*/true);
  });
}

void KnownTypes::followElementTypes() {
  for (auto &[value, type] : types) {
    auto mine = dyn_cast<TensorType>(type);
    auto stated = dyn_cast<TensorType>(value.getType());
    if (mine && stated && mine.getElementType() != stated.getElementType())
      type = cast<Type>(mine.clone(stated.getElementType()));
  }
}

Type KnownTypes::typeOf(Value value) const {
  auto it = types.find(value);
  return it == types.end() ? value.getType() : it->second;
}

bool KnownTypes::contradicts(Value value,
                             const onnx::TypeProto &declared) const {
  Type known = typeOf(value);
  if (!isa<TensorType>(known) || !declared.has_tensor_type())
    return false;
  return !mergeTypes(fromTypeProto(declared, value.getContext()), known);
}

/// An argument of the main graph has its names in an attribute.
static SmallVector<StringRef> namesOfArgument(Value value) {
  SmallVector<StringRef> names;
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument
          ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
          : FunctionOpInterface();
  if (!function)
    return names;
  if (auto list = function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                       dimsAttrName))
    for (auto name : list.getAsRange<StringAttr>())
      names.push_back(name.getValue());
  return names;
}

bool KnownTypes::fill(Value value, onnx::TypeProto &type) const {
  if (!toTypeProto(typeOf(value), type))
    return false;
  SmallVector<StringRef> names = namesOfArgument(value);
  auto known = dimensions.find(value);
  if (known != dimensions.end())
    names.assign(known->second.begin(), known->second.end());
  bool fits = type.has_tensor_type() &&
              int(names.size()) == type.tensor_type().shape().dim_size();
  if (fits)
    setDimensionNames(names, type);
  return true;
}

bool KnownTypes::refine(Value value, onnx::TypeProto &type) const {
  onnx::TypeProto known;
  if (!fill(value, known))
    return false;
  if (type.value_case() == onnx::TypeProto::VALUE_NOT_SET) {
    type.MergeFrom(known); // it may have a denotation
    return true;
  }
  if (!type.has_tensor_type() || !known.has_tensor_type())
    return false;
  auto *mine = type.mutable_tensor_type();
  const auto &theirs = known.tensor_type();
  bool changed = false;
  if (mine->elem_type() == 0) {
    mine->set_elem_type(theirs.elem_type());
    changed = true;
  }
  if (!theirs.has_shape())
    return changed;
  if (!mine->has_shape()) {
    mine->mutable_shape()->CopyFrom(theirs.shape());
    return true;
  }
  if (mine->shape().dim_size() != theirs.shape().dim_size())
    return changed;
  for (int i = 0; i < mine->shape().dim_size(); ++i) {
    auto *d = mine->mutable_shape()->mutable_dim(i);
    const auto &other = theirs.shape().dim(i);
    if (!other.has_dim_value() ||
        (d->has_dim_value() && d->dim_value() == other.dim_value()))
      continue;
    d->set_dim_value(other.dim_value());
    changed = true;
  }
  return changed;
}
