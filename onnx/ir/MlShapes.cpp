//===- MlShapes.cpp - Shapes of operators of ai.onnx.ml -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/InferenceAdditions.h"
#include "llvm/Support/MathExtras.h"
#include <optional>
#include <utility>

using namespace onnxfold;
using onnx::TensorShapeProto;
using Dimension = TensorShapeProto::Dimension;

/// Null if the shape is not known.
static const TensorShapeProto *shapeOf(const InferenceInput &input) {
  if (!input.type || !input.type->has_tensor_type() ||
      !input.type->tensor_type().has_shape())
    return nullptr;
  return &input.type->tensor_type().shape();
}

static size_t countOf(Operator op, llvm::StringRef integers) {
  if (auto labels = op.getInts(integers); labels && !labels->empty())
    return labels->size();
  auto labels = op.getStrings("classlabels_strings");
  return labels ? labels->size() : 0;
}

/// The sum of sizes; nothing if one is negative or the sum has no 64 bits.
static std::optional<int64_t> sumOf(llvm::ArrayRef<int64_t> sizes) {
  int64_t sum = 0;
  for (int64_t size : sizes)
    if (size < 0 || llvm::AddOverflow(sum, size, sum))
      return std::nullopt;
  return sum;
}

/// Columns of the scores of SVMClassifier: one for each class, or for each pair
/// of more than two.
static int64_t svmScores(Operator op) {
  int64_t classes = countOf(op, "classlabels_ints");
  auto vectors = op.getInts("vectors_per_class");
  bool isByPairs =
      vectors && sumOf(*vectors).value_or(0) > 0 && !op.has("prob_a");
  return isByPairs && classes > 2 ? classes * (classes - 1) / 2 : classes;
}

/// All columns of FeatureVectorizer, or -1.
static int64_t vectorizedColumns(Operator op,
                                 llvm::ArrayRef<InferenceInput> inputs) {
  if (auto widths = op.getInts("inputdimensions"))
    return sumOf(*widths).value_or(-1);
  llvm::SmallVector<int64_t> widths;
  for (const InferenceInput &input : inputs) {
    const TensorShapeProto *shape = shapeOf(input);
    if (!shape || shape->dim_size() == 0 ||
        !shape->dim(shape->dim_size() - 1).has_dim_value())
      return -1;
    widths.push_back(shape->dim(shape->dim_size() - 1).dim_value());
  }
  return sumOf(widths).value_or(-1);
}

/// Columns of the result that has some; 0: none has, -1: not known.
static int64_t columnsOf(Operator op, llvm::ArrayRef<InferenceInput> inputs) {
  llvm::StringRef name = op.opType();
  if (name == "LinearRegressor")
    return op.getInt("targets", 1);
  if (name == "SVMRegressor")
    return 1;
  if (name == "TreeEnsembleRegressor")
    return op.getInt("n_targets").value_or(-1);
  if (name == "FeatureVectorizer")
    return vectorizedColumns(op, inputs);
  if (name == "TreeEnsembleClassifier")
    return countOf(op, "classlabels_int64s");
  if (name == "SVMClassifier")
    return svmScores(op);
  return 0;
}

static bool isOpen(const onnx::TypeProto &type) {
  const auto &tensor = type.tensor_type();
  if (!type.has_tensor_type() || tensor.elem_type() == 0)
    return false; // the type of labels is that of an attribute
  if (!tensor.has_shape())
    return true;
  for (const Dimension &dim : tensor.shape().dim())
    if (!dim.has_dim_value() && dim.dim_param().empty())
      return true;
  return false;
}

/// All elements of a shape as one dimension, which may have no size or name.
static Dimension elementsOf(const TensorShapeProto &shape) {
  if (shape.dim_size() == 1)
    return shape.dim(0);
  Dimension all;
  const Dimension *open = nullptr; // the batch beside dimensions of 1
  int64_t count = 1;
  for (const Dimension &dim : shape.dim()) {
    if (!dim.has_dim_value() && std::exchange(open, &dim))
      return all;
    if (dim.has_dim_value() && llvm::MulOverflow(count, dim.dim_value(), count))
      return all;
  }
  if (open)
    return count == 1 ? *open : all;
  all.set_dim_value(count);
  return all;
}

/// The indices of ArrayFeatureExtractor are one list, the last dimension, and a
/// list is a matrix of one row.
static void addExtractedShape(const TensorShapeProto &x,
                              llvm::ArrayRef<InferenceInput> inputs,
                              onnx::TypeProto &type) {
  const TensorShapeProto *indices =
      inputs.size() > 1 ? shapeOf(inputs[1]) : nullptr;
  if (!indices || x.dim_size() == 0 || !isOpen(type))
    return;
  TensorShapeProto shape;
  if (x.dim_size() == 1)
    shape.add_dim()->set_dim_value(1);
  for (int i = 0; i + 1 < x.dim_size(); ++i)
    *shape.add_dim() = x.dim(i);
  *shape.add_dim() = elementsOf(*indices);
  *type.mutable_tensor_type()->mutable_shape() = std::move(shape);
}

void onnxfold::addMlShapes(Operator op, llvm::ArrayRef<InferenceInput> inputs,
                           InferredTypes &types) {
  const TensorShapeProto *x = inputs.empty() ? nullptr : shapeOf(inputs[0]);
  if (op.domain() != "ai.onnx.ml" || !x)
    return;
  llvm::StringRef name = op.opType();
  if (name == "Scaler" || name == "Imputer" || name == "Normalizer") {
    if (isOpen(types[0]))
      *types[0].mutable_tensor_type()->mutable_shape() = *x;
    return;
  }
  if (name == "ArrayFeatureExtractor")
    return addExtractedShape(*x, inputs, types[0]);
  int64_t columns = columnsOf(op, inputs);
  if (columns < 1 || x->dim_size() < 1 || x->dim_size() > 2)
    return;
  Dimension rows;
  if (x->dim_size() == 1)
    rows.set_dim_value(1);
  else
    rows = x->dim(0);
  bool isClassifier = name.ends_with("Classifier");
  if (isClassifier && types.size() > 1)
    types[1].mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  for (unsigned i = 0; i < types.size(); ++i) {
    if (!isOpen(types[i]))
      continue;
    TensorShapeProto shape;
    *shape.add_dim() = rows;
    if (i == 1 || !isClassifier)
      shape.add_dim()->set_dim_value(columns);
    *types[i].mutable_tensor_type()->mutable_shape() = std::move(shape);
  }
}
