//===- SequenceShapes.cpp - Sizes of what a sequence holds ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/internal/SymbolicShapeRules.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

using Tensors = SmallVector<RankedTensorType>;

/// The tensors of `sequence`, in any order, if all have one rank; none if its
/// producers do not say so.
static Tensors tensorsOf(Value sequence) {
  constexpr size_t most = 1024;
  SmallVector<Value> values;
  for (bool isWhole = false; !isWhole;) {
    Operation *definition = sequence.getDefiningOp();
    Operator maker = definition ? Operator::from(definition) : Operator();
    if (!maker || values.size() > most ||
        !maker.isAny({"SequenceConstruct", "SequenceEmpty", "SequenceInsert"}))
      return {};
    isWhole = !maker.is("SequenceInsert");
    if (isWhole) {
      llvm::append_range(values, definition->getOperands());
    } else {
      values.push_back(maker.input(1));
      sequence = maker.input(0);
    }
  }
  Tensors tensors;
  for (Value value : values) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || (!tensors.empty() && type.getRank() != tensors[0].getRank()))
      return {};
    tensors.push_back(type);
  }
  return tensors;
}

/// The one tensor that SequenceAt takes, if its list and position are known.
static Tensors onlyTaken(Operator op, ArrayRef<const ValueState *> operands,
                         const Tensors &tensors) {
  Operator list = Operator::from(op.input(0).getDefiningOp());
  const ValueState &position = *operands[1];
  if (!list.is("SequenceConstruct") || !position.isConstant() ||
      position.value.size() != 1)
    return tensors;
  int64_t i = position.value.ints()[0], count = tensors.size();
  i += i < 0 ? count : 0;
  return i < 0 || i >= count ? Tensors() : Tensors{tensors[i]};
}

/// The size that all tensors have there, if it is known of all of them.
static DimExpr sizeOfAll(ArrayRef<RankedTensorType> tensors, int64_t axis,
                         DimExprs &exprs) {
  int64_t size = tensors[0].getDimSize(axis);
  bool isKnown = !ShapedType::isDynamic(size) &&
                 llvm::all_of(tensors, [&](RankedTensorType type) {
                   return type.getDimSize(axis) == size;
                 });
  return isKnown ? exprs.constant(size) : exprs.freshDimension();
}

static DimExpr sumOfSizes(ArrayRef<RankedTensorType> tensors, int64_t axis,
                          DimExprs &exprs) {
  int64_t sum = 0;
  for (RankedTensorType type : tensors)
    if (type.isDynamicDim(axis) ||
        llvm::AddOverflow(sum, type.getDimSize(axis), sum))
      return exprs.freshDimension();
  return exprs.constant(sum);
}

std::optional<SmallVector<DimExpr, 4>>
onnxfold::shapeFromSequence(Operator op, ArrayRef<const ValueState *> operands,
                            DimExprs &exprs) {
  bool joins = op.is("ConcatFromSequence");
  if (!joins && !op.is("SequenceAt"))
    return std::nullopt;
  Tensors tensors = tensorsOf(op.input(0));
  if (!joins && !tensors.empty())
    tensors = onlyTaken(op, operands, tensors);
  if (tensors.empty())
    return std::nullopt;
  bool stacks = joins && op.getInt("new_axis", 0) == 1;
  int64_t rank = tensors[0].getRank() + (stacks ? 1 : 0);
  int64_t axis = joins ? op.getInt("axis", rank) : -1;
  axis += joins && axis < 0 ? rank : 0;
  if (joins && (axis < 0 || axis >= rank))
    return std::nullopt;
  SmallVector<DimExpr, 4> shape;
  for (int64_t i = 0; i < tensors[0].getRank(); ++i)
    shape.push_back(i == axis && !stacks ? sumOfSizes(tensors, i, exprs)
                                         : sizeOfAll(tensors, i, exprs));
  if (stacks)
    shape.insert(shape.begin() + axis, exprs.constant(tensors.size()));
  return shape;
}
