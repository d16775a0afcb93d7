//===- CustomTypes.cpp - Types of operators outside the standard ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/internal/CustomTypes.h"
#include "onnxfold/onnx/folding/internal/ShapeRule.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "mlir/IR/Builders.h"

using namespace onnxfold;
using namespace mlir;

/// Moves channels from last to second, or back.
static void moveChannels(std::optional<SymbolicShape> &shape, bool toSecond) {
  if (!shape || shape->size() < 3)
    return;
  auto second = shape->begin() + 1;
  std::rotate(second, toSecond ? shape->end() - 1 : second + 1, shape->end());
}

/// The operator of ONNX, in a block of its own: inference wants an operation.
static Operator makeLike(Operator op, const LikeOperator &like,
                         ArrayRef<unsigned> operands, Block &block) {
  MLIRContext *context = op->getContext();
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&block);
  SmallVector<Value> inputs;
  for (unsigned index : operands) {
    if (op.hasInput(index))
      inputs.push_back(
          block.addArgument(OnnxUnknownType::get(context), op->getLoc()));
    else
      inputs.push_back(OnnxAbsentOp::create(builder, op->getLoc()));
  }
  int64_t opset = like.opset ? like.opset : latestOpset("");
  OperatorId id{"", like.opType, *resolveSince("", like.opType, opset)};
  registerOperator(*context, id.domain, id.opType);
  return Operator::create(builder, op->getLoc(), id, inputs,
                          OnnxUnknownType::get(context),
                          llvm::to_vector(op->getDiscardableAttrs()));
}

static void inferLike(Operator op, const ShapeRule &rule, const FormMatch &form,
                      ArrayRef<const ValueState *> operands, ValueState &result,
                      InferStandard inferStandard) {
  SmallVector<unsigned> indices = form.likeOperands(*rule.like);
  Block block;
  Operator standard = makeLike(op, *rule.like, indices, block);
  ValueState absent, first, inferred;
  absent.absent = true;
  SmallVector<const ValueState *> states;
  for (unsigned index : indices)
    states.push_back(index < operands.size() ? operands[index] : &absent);
  if (rule.like->isChannelsLast) {
    first = *states.front();
    moveChannels(first.shape, /*toSecond=*/true);
    first.value = {};
    states.front() = &first;
  }
  inferStandard(standard, states, inferred);
  if (rule.like->isChannelsLast)
    moveChannels(inferred.shape, /*toSecond=*/false);
  if (inferred.shape)
    result.shape = inferred.shape;
  if (rule.results.front().type.empty())
    result.type = inferred.type;
}

void onnxfold::inferCustomTypes(Operator op, const OperatorSchema &schema,
                                ArrayRef<const ValueState *> operands,
                                MutableArrayRef<ValueState> results,
                                DimExprs &exprs, InferStandard inferStandard) {
  for (const ShapeRule &rule : schema.forms) {
    FormMatch form(op, operands, schema.attributes, exprs);
    FormFit fit = form.match(rule);
    if (fit == FormFit::No)
      continue;
    // The last one holds, or the operator would fail.
    if (fit == FormFit::Unknown && &rule != &schema.forms.back())
      return form.inferTypes(rule, results);
    form.infer(rule, results);
    if (rule.like)
      inferLike(op, rule, form, operands, results.front(), inferStandard);
    return;
  }
}
