//===- EvaluatorResults.cpp - What an evaluation has found ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/constprop/internal/Evaluator.h"
#include "onnxfold/symbolic/SymbolicFloats.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Notes what is known of a result; a reason if that is not all of it.
static Reason recordValue(Value value, const Elements &elements,
                          ValueTable &values) {
  if (elements.type() != DataType::Opaque) {
    values.set(value, FoldedValue(elements.compacted()));
    return {};
  }
  // Symbols are integers, truths and some floats: of other types they would
  // mean something else.
  ValueState &state = values.of(value);
  if (elements.size() <= mostSymbols &&
      (state.type == DataType::Undefined || isInteger(state.type) ||
       state.type == DataType::Bool || SymbolicFloats::covers(state.type)))
    state.value = elements;
  return notFolded(ReasonCode::InputNotConstant,
                   "its value is known in part only");
}

/// "f32[2, ?]": what is known of a type.
static std::string textOf(const ValueState &inferred, const DimExprs &exprs) {
  std::string text = inferred.type == DataType::Undefined
                         ? "any type"
                         : name(inferred.type).str();
  if (!inferred.shape)
    return text;
  SmallVector<std::string> dims;
  for (DimExpr dim : *inferred.shape) {
    std::optional<int64_t> size = exprs.valueOf(dim);
    dims.push_back(size ? std::to_string(*size) : "?");
  }
  return text + "[" + llvm::join(dims, ", ") + "]";
}

/// A shape that a computed value contradicts is no fact, so nothing may follow
/// from it: Shape of it folded to what the model said of a sequence's tensors.
void Evaluator::distrustShape(Value value, const Elements &computed,
                              ValueTable &values, bool isTrial) const {
  ValueState &state = values.of(value);
  if (state.type != computed.type())
    return;
  state.shape.reset();
  FoldingInterface::NoteConflict note = noteOfConflicts();
  if (isTrial || values.isInside() || !options.refinesTypes || !note)
    return;
  ValueState made;
  made.type = computed.type();
  made.shape.emplace();
  for (int64_t size : computed.shape())
    made.shape->push_back(values.exprs().constant(size));
  if (Type type = FoldingInterface::orDefault(value.getDefiningOp())
                      .typeToTell(made, values.exprs(), value.getContext()))
    note(value, type);
}

/// Nothing is recorded of results that contradict what was inferred.
Reason Evaluator::record(Operation *op, const FoldResult &result,
                         ValueTable &values, bool isTrial) const {
  if (!result)
    return result.reason();
  Reason reason;
  SmallVector<FoldedValue, 1> computed(result.values());
  computed.resize(op->getNumResults());
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    Elements &elements = computed[i].tensor;
    if (!computed[i] && !value.use_empty())
      reason = notFolded(ReasonCode::UnsupportedType,
                         "no kernel for these element types");
    if (!elements)
      continue;
    const ValueState &inferred = values.of(value);
    if (elements.type() == DataType::Opaque && elements.size() <= mostSymbols)
      elements = resolveSymbols(elements, inferred.type, values.exprs());
    if (agrees(inferred, elements, values.exprs()))
      continue;
    reason = notFolded(ReasonCode::Inconsistent,
                       "result #" + Twine(i) + " is " + name(elements.type()) +
                           toString(elements.shape()) + ", expected " +
                           textOf(inferred, values.exprs()) +
                           ", which the model or inference says");
    distrustShape(value, elements, values, isTrial);
    return reason;
  }
  const FoldingInterface &dialect = FoldingInterface::orDefault(op);
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    if (!computed[i])
      continue;
    if (!computed[i].tensor)
      values.set(value, computed[i]);
    else if (Reason partly = recordValue(value, computed[i].tensor, values);
             partly && !values.of(value).absent)
      reason = partly;
    if (!reason && (!computed[i].tensor || !dialect.hasConstants(op, i)))
      reason = notFolded(ReasonCode::NoTensor, dialect.whyNoConstant(op, i));
  }
  return reason;
}
