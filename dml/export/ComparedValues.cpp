//===- ComparedValues.cpp - Values that are rounded to float32 ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/ComparedValues.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

static bool isTrees(Operator op) {
  constexpr StringRef trees[] = {"TreeEnsemble", "TreeEnsembleClassifier",
                                 "TreeEnsembleRegressor"};
  return op.domain() == "ai.onnx.ml" && llvm::is_contained(trees, op.opType());
}

static bool isScaler(Operator op) {
  return op.domain() == "ai.onnx.ml" && op.opType() == "Scaler";
}

/// Its result is that of IEEE 754 in float32, if the double is rounded. The
/// product of a row is one of two features, as scikit-learn's exporter has it.
static bool isArithmetic(Operator op) {
  return op.isAny({"Add", "Div", "Mul", "Reciprocal", "ReduceProd", "Sqrt",
                   "Sub"}) ||
         isScaler(op);
}

/// It takes or chooses values as they are, or changes their signs.
static bool isMove(Operator op) {
  constexpr StringRef ofFeatures[] = {"ArrayFeatureExtractor",
                                      "FeatureVectorizer", "Imputer"};
  return op.isAny({"Abs",
                   "Clip",
                   "Concat",
                   "Expand",
                   "Flatten",
                   "Gather",
                   "GatherElements",
                   "Identity",
                   "Max",
                   "Min",
                   "Neg",
                   "Pad",
                   "Relu",
                   "Reshape",
                   "Slice",
                   "Split",
                   "Squeeze",
                   "Tile",
                   "Transpose",
                   "Unsqueeze",
                   "Where"}) ||
         (op.domain() == "ai.onnx.ml" &&
          llvm::is_contained(ofFeatures, op.opType()));
}

llvm::DenseSet<Value> dml::comparedValues(Block &graph,
                                          const KnownTypes &types) {
  struct Open {
    Value value;
    bool isOperand; ///< of arithmetic; trees round what they compare themselves
  };
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  llvm::DenseSet<Value> found;
  SmallVector<Open> open;
  for (Operation &op : graph)
    if (Operator trees = Operator::from(&op); trees && isTrees(trees))
      open.push_back({trees.input(0), false});
  while (!open.empty()) {
    auto [value, isOperand] = open.pop_back_val();
    auto type = dyn_cast<ShapedType>(types.typeOf(value));
    Operation *maker = value.getDefiningOp();
    Operator op = maker ? Operator::from(maker) : Operator();
    if (!op || !type || !type.getElementType().isF32() ||
        !(isArithmetic(op) || isMove(op)) ||
        !seen.insert({value, isOperand}).second)
      continue;
    // A scaler is two steps.
    if (isArithmetic(op) && (isOperand || isScaler(op)))
      found.insert(value);
    for (Value operand : op->getOperands())
      open.push_back({operand, isOperand || isArithmetic(op)});
  }
  return found;
}
