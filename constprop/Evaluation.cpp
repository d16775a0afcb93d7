//===- Evaluation.cpp - What is known of every value ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/constprop/internal/ModuleWalker.h"
#include "onnxfold/constprop/internal/Recipe.h"

using namespace onnxfold;
using namespace mlir;

Evaluation::Evaluation(Operation *root, EvaluationOptions given)
    : rootOp(root), options(std::move(given)),
      walker(std::make_unique<ModuleWalker>(options,
                                            [this] { return functions(); })) {}

Evaluation::~Evaluation() = default;

void Evaluation::run(Visitor visited, Visitor inferred, Question isRepeated) {
  walker->run(rootOp, visited, inferred, isRepeated);
}

void Evaluation::add(Operation *op) { walker->add(op); }

void Evaluation::refine(Value value, const ValueState &other) {
  walker->values.refine(value, other);
}

void Evaluation::setEqual(Operation *op, Operation *equal) {
  walker->values.setEqual(op, equal);
}

void Evaluation::assume(Value value, FoldedValue given) {
  walker->values.assume(value, std::move(given));
}

void Evaluation::giveResults(Operation *op, const FoldResult &result) {
  walker->giveResults(op, result);
}

void Evaluation::giveTypes(Operation *op, ArrayRef<ValueState> types) {
  walker->giveTypes(op, types);
}

void Evaluation::forget(Operation *op) {
  walker->loops.forget(op);
  walker->values.forget(op);
}

const ValueState &Evaluation::state(Value value) const {
  return walker->values.at(value);
}

Elements Evaluation::valueForConstant(Value value) {
  Elements elements = walker->values.at(value).value.narrowed();
  Recipe *recipe = walker->values.findRecipe(value);
  return options.cache && recipe ? stored(elements, *recipe, *options.cache)
                                 : elements;
}

bool Evaluation::has(Operation *op) const {
  return walker->values.findReason(op);
}

bool Evaluation::isConstant(Operation *op) const {
  return walker->values.isConstant(op);
}

bool Evaluation::isFoldable(Operation *op) const {
  return walker->values.isFoldable(op);
}

const Reason &Evaluation::reason(Operation *op) const {
  const Reason *reason = walker->values.findReason(op);
  assert(reason && "the operation was not there in run()");
  return *reason;
}

bool Evaluation::mayBeKept(ReasonCode code) const {
  return walker->values.mayBeKept(code);
}

bool Evaluation::mayLearn(Operation *op) const {
  while (walker->loops.anyOpen() && op && op != rootOp) {
    op = op->getParentOp();
    if (walker->loops.isOpen(op))
      return true;
  }
  return false;
}

const SymbolTable *Evaluation::functions() const {
  if (ownFunctions)
    return ownFunctions.get();
  if (!options.functions && rootOp->hasTrait<OpTrait::SymbolTable>())
    ownFunctions = std::make_unique<SymbolTable>(rootOp);
  return ownFunctions ? ownFunctions.get() : options.functions;
}

DimExprs &Evaluation::exprs() { return walker->values.exprs(); }
const DimExprs &Evaluation::exprs() const { return walker->values.exprs(); }
