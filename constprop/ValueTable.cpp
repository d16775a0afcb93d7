//===- ValueTable.cpp - What is known of values and operations ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/internal/ValueTable.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/symbolic/SymbolicFloats.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

ValueState EvaluationOptions::declared(BlockArgument argument,
                                       const ValueTypes &types,
                                       DimExprs &exprs) const {
  if (Type type = types.of(argument); type != argument.getType())
    return stateOfType(type, exprs);
  return stateOfArgument ? stateOfArgument(argument, exprs)
                         : stateOfType(argument.getType(), exprs);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ValueTable::Entry &ValueTable::entryOf(Value value) {
  Entry *&slot = entries[value];
  if (!slot) {
    ValueState state = outside ? importState(outside->of(value))
                               : stateOfType(known.of(value), table);
    slot = new (memory.Allocate()) Entry{std::move(state)};
  }
  return *slot;
}

ValueState &ValueTable::of(Value value) { return entryOf(value).state; }

const ValueState &ValueTable::at(Value value) const {
  auto it = entries.find(value);
  assert(it != entries.end() &&
         "the value did not exist when run() was called");
  return it->second->state;
}

ValueState &ValueTable::set(Value value, ValueState state) {
  recipes.erase(value);
  // A value that no wide tensor took part in (a constant, a cast) is wide, too.
  if (precision == Precision::Wide) {
    if (state.value)
      state.value = state.value.widened();
    if (state.sequence) {
      std::vector<Elements> tensors = state.sequence->tensors();
      for (Elements &tensor : tensors)
        tensor = tensor.widened();
      state.sequence = makeSequence(tensors);
    }
  }
  Entry *&slot = entries[value];
  if (!slot)
    slot = new (memory.Allocate()) Entry();
  slot->state = std::move(state);
  return slot->state;
}

ValueState &ValueTable::set(Value value, FoldedValue known) {
  ValueState state;
  state.sequence = std::move(known.sequence);
  state.isNothing = known.isNothing;
  if (known.tensor) {
    state.type = known.tensor.type();
    state.shape.emplace();
    for (int64_t d : known.tensor.shape())
      state.shape->push_back(table.constant(d));
    state.value = std::move(known.tensor);
  }
  return set(value, std::move(state));
}

void ValueTable::assume(Value value, FoldedValue given) {
  if (given) {
    set(value, std::move(given));
    return;
  }
  ValueState &state = of(value);
  state.value = {};
  state.sequence = {};
  recipes.erase(value);
}

void ValueTable::refine(Value value, const ValueState &other) {
  ValueState &state = of(value);
  if (state.type == DataType::Undefined)
    state.type = other.type;
  if (!state.shape) {
    state.shape = other.shape;
    return;
  }
  if (!other.shape || other.shape->size() != state.shape->size())
    return;
  for (auto [mine, theirs] : llvm::zip_equal(*state.shape, *other.shape))
    if (!table.valueOf(mine) && table.valueOf(theirs))
      mine = theirs;
}

/// Both cannot be true.
static bool differ(const ValueState &state, const ValueState &other,
                   const DimExprs &table) {
  if (state.type == DataType::Undefined || other.type == DataType::Undefined)
    return false;
  if (state.type != other.type)
    return true;
  if (!state.shape || !other.shape)
    return false;
  return state.shape->size() != other.shape->size() ||
         llvm::any_of(llvm::zip_equal(*state.shape, *other.shape),
                      [&](auto pair) {
                        auto mine = table.valueOf(std::get<0>(pair)),
                             theirs = table.valueOf(std::get<1>(pair));
                        return mine && theirs && *mine != *theirs;
                      });
}

void ValueTable::correct(Value value, const ValueState &other) {
  ValueState &state = of(value);
  if (state.known())
    return;
  if (differ(state, other, table)) {
    state.type = other.type;
    state.shape = other.shape;
  }
  refine(value, other);
  if (!state.shape || !other.shape ||
      state.shape->size() != other.shape->size())
    return;
  // A size that the IR leaves open may equal another one.
  for (auto [mine, theirs] : llvm::zip_equal(*state.shape, *other.shape))
    if (!table.valueOf(mine))
      mine = theirs;
}

void ValueTable::setEqual(Operation *op, Operation *equal) {
  for (auto [mine, theirs] :
       llvm::zip_equal(op->getResults(), equal->getResults()))
    set(mine, ValueState(of(theirs)));
  noteReason(op, findReason(equal));
}

//===----------------------------------------------------------------------===//
// Recipes
//===----------------------------------------------------------------------===//

Recipe *ValueTable::findRecipe(Value value) const {
  auto it = recipes.find(value);
  return it == recipes.end() ? nullptr : it->second.get();
}

RecipeRef ValueTable::recipe(Value value) {
  if (Recipe *known = findRecipe(value))
    return known;
  RecipeRef made = makeLeafRecipe(of(value).value);
  // An argument of a body has another value in each iteration.
  if (!isa<BlockArgument>(value))
    recipes[value] = made;
  return made;
}

//===----------------------------------------------------------------------===//
// What is outside a body
//===----------------------------------------------------------------------===//

DimExpr ValueTable::importExpr(DimExpr expr) {
  if (std::optional<int64_t> value = outside->table.valueOf(expr))
    return table.constant(*value);
  auto [it, isNew] = imported.try_emplace(expr.id);
  if (!isNew)
    return it->second;
  std::optional<DimExpr> copy =
      SymbolicFloats::import(expr, outside->table, table);
  it->second = copy ? *copy : table.fresh(outside->table.rangeOf(expr));
  return it->second;
}

ValueState ValueTable::importState(const ValueState &state) {
  ValueState copy = state;
  if (copy.shape)
    for (DimExpr &d : *copy.shape)
      d = importExpr(d);
  if (!copy.isSymbolic())
    return copy;
  std::vector<DimExpr> elements = copy.value.values<DimExpr>();
  for (DimExpr &element : elements)
    element = importExpr(element);
  copy.value = Elements::fromValues<DimExpr>(copy.value.shape(),
                                             ArrayRef<DimExpr>(elements));
  return copy;
}

bool ValueTable::isKnownOutside(Operation *op) {
  return outside && op->getNumResults() != 0 &&
         llvm::all_of(op->getResults(), [&](Value result) {
           return bool(outside->of(result).known());
         });
}

bool ValueTable::copyOutsideTypes(Operation *op,
                                  MutableArrayRef<ValueState> results) {
  if (!outside)
    return false;
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results)) {
    const ValueState &general = outside->of(value);
    result.absent = general.absent;
    if (general.absent)
      continue;
    if (general.type == DataType::Undefined || !general.shape)
      return false;
    result.type = general.type;
    result.shape.emplace();
    for (DimExpr d : *general.shape) {
      std::optional<int64_t> size = outside->table.valueOf(d);
      if (!size)
        return false;
      result.shape->push_back(table.constant(*size));
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The reasons of operations that fold, and of those that are constants. (A set
/// of the constants would take twenty bytes for each.)
static const Reason folds, isStated;

const Reason *ValueTable::findReason(Operation *op) const {
  if (op->getNumResults() == 0)
    return withoutResults.lookup(op);
  const Entry *entry = entries.lookup(op->getResult(0));
  return entry ? entry->reason : nullptr;
}

void ValueTable::noteReason(Operation *op, const Reason *reason) {
  if (op->getNumResults() == 0)
    withoutResults[op] = reason;
  else
    entryOf(op->getResult(0)).reason = reason;
}

void ValueTable::setReason(Operation *op, Reason reason) {
  if (!reason) {
    noteReason(op, &folds);
    return;
  }
  // Most reasons equal that of the operation before, whose text is shared.
  if (!last || last->code != reason.code || last->text != reason.text) {
    std::string key = char(reason.code) + reason.text;
    last = &texts.try_emplace(key, std::move(reason)).first->second;
  }
  noteReason(op, last);
}

void ValueTable::setConstant(Operation *op) { noteReason(op, &isStated); }

bool ValueTable::isConstant(Operation *op) const {
  return findReason(op) == &isStated;
}

bool ValueTable::isFoldable(Operation *op) const {
  return findReason(op) == &folds;
}

bool ValueTable::mayBeKept(ReasonCode code) const {
  return llvm::any_of(
      texts, [&](const auto &entry) { return entry.getValue().code == code; });
}

void ValueTable::forget(Operation *op) {
  withoutResults.erase(op);
  for (Value result : op->getResults()) {
    known.forget(result);
    recipes.erase(result);
    if (auto it = entries.find(result); it != entries.end()) {
      *it->second = Entry();
      entries.erase(it);
    }
  }
}

bool onnxfold::agrees(const ValueState &inferred, const Elements &value,
                      const DimExprs &exprs) {
  if (inferred.type != DataType::Undefined && inferred.type != value.type() &&
      value.type() != DataType::Opaque)
    return false;
  if (!inferred.shape)
    return true;
  if (inferred.shape->size() != value.shape().size())
    return false;
  return llvm::all_of(llvm::zip_equal(*inferred.shape, value.shape()),
                      [&](auto pair) {
                        auto known = exprs.valueOf(std::get<0>(pair));
                        return !known || *known == std::get<1>(pair);
                      });
}
