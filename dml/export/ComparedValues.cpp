//===- ComparedValues.cpp - Values that are rounded to float32 ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/ComparedValues.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The sides of a node change at its value, which belongs to the upper one.
static bool cutsAtValues(Operator trees) {
  if (trees.domain() != "ai.onnx.ml")
    return false;
  if (auto modes = trees.getStrings("nodes_modes"))
    return llvm::any_of(*modes, [](StringRef mode) {
      return mode == "BRANCH_LT" || mode == "BRANCH_GTE";
    });
  // TreeEnsemble of version 5 numbers them: 1 and 2.
  ElementsAttr modes = trees.getTensor("nodes_modes");
  return modes && llvm::any_of(fromAttribute(modes).ints(), [](int64_t mode) {
           return mode == 1 || mode == 2;
         });
}

/// Its result is that of IEEE 754 in float32, if the double is rounded.
static bool isArithmetic(Operator op) {
  return op.isAny({"Add", "Div", "Mul", "Reciprocal", "Sqrt", "Sub"}) ||
         (op.domain() == "ai.onnx.ml" && op.opType() == "Scaler");
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
  llvm::DenseSet<Value> seen, found;
  SmallVector<Value> open;
  for (Operation &op : graph)
    if (Operator trees = Operator::from(&op);
        trees && trees.numInputs() == 1 && cutsAtValues(trees))
      open.push_back(trees.input(0));
  while (!open.empty()) {
    Value value = open.pop_back_val();
    auto type = dyn_cast<ShapedType>(types.typeOf(value));
    Operation *maker = value.getDefiningOp();
    Operator op = maker ? Operator::from(maker) : Operator();
    if (!op || !type || !type.getElementType().isF32() ||
        !(isArithmetic(op) || isMove(op)) || !seen.insert(value).second)
      continue;
    if (isArithmetic(op))
      found.insert(value);
    llvm::append_range(open, op->getOperands());
  }
  return found;
}
