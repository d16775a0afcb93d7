//===- CallOutcomes.cpp - Cached outcomes of function calls ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/internal/CallOutcomes.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace onnxfold;
using namespace mlir;

/// Types depend on no larger values than those of shapes and axes.
static constexpr int64_t mostTypeElements = 4096;

//===----------------------------------------------------------------------===//
// Symbols of two tables
//===----------------------------------------------------------------------===//

static ValueState renamed(const ValueState &state,
                          llvm::function_ref<DimExpr(DimExpr)> rename) {
  ValueState result = state;
  if (result.shape)
    llvm::transform(*state.shape, result.shape->begin(), rename);
  if (!state.isSymbolic())
    return result;
  auto elements = state.value.values<DimExpr>();
  llvm::transform(elements, elements.begin(), rename);
  result.value = Elements::fromValues<DimExpr>(state.value.shape(),
                                               ArrayRef<DimExpr>(elements));
  return result;
}

/// Type and shape alone.
static ValueState typesOfState(const ValueState &state) {
  ValueState types;
  types.type = state.type;
  types.shape = state.shape;
  return types;
}

ValueState SymbolTranslation::inside(const ValueState &state, DimExprs &table) {
  return renamed(state, [&](DimExpr symbol) {
    if (std::optional<int64_t> value = outside.valueOf(symbol))
      return table.constant(*value);
    auto [it, isNew] = into.try_emplace(symbol.id);
    if (isNew) {
      it->second = table.fresh(outside.rangeOf(symbol));
      from[it->second.id] = symbol;
    }
    return it->second;
  });
}

/// The number of `inside` in the table outside. A new one, which `make` makes, is
/// the same for all that the call gives: `known` has it from then on.
static DimExpr outsideOf(DimExpr symbol, const DimExprs &inside,
                         DimExprs &table,
                         llvm::DenseMap<int64_t, DimExpr> &known,
                         llvm::function_ref<DimExpr()> make) {
  if (std::optional<int64_t> value = inside.valueOf(symbol))
    return table.constant(*value);
  auto found = known.find(symbol.id);
  if (found == known.end())
    found = known.try_emplace(symbol.id, make()).first;
  return found->second;
}

ValueState SymbolTranslation::outsideTypes(const ValueState &state,
                                           const DimExprs &inside,
                                           DimExprs &table) {
  return renamed(typesOfState(state), [&](DimExpr symbol) {
    return outsideOf(symbol, inside, table, from,
                     [&] { return table.freshDimension(); });
  });
}

FoldedValue SymbolTranslation::outsideValue(const ValueState &state,
                                            const DimExprs &inside,
                                            DimExprs &table) {
  if (!state.isSymbolic())
    return state.known();
  if (!isInteger(state.type))
    return {};
  ValueState values;
  values.value = state.value;
  return renamed(values,
                 [&](DimExpr symbol) {
                   return outsideOf(symbol, inside, table, from, [&] {
                     return table.fresh(inside.rangeOf(symbol));
                   });
                 })
      .value;
}

//===----------------------------------------------------------------------===//
// Outcomes
//===----------------------------------------------------------------------===//

FoldedValue CallOutcomes::Place::outsideValue(const FoldedValue &value,
                                              DimExprs &table) {
  if (!value.tensor || value.tensor.type() != DataType::Opaque)
    return value;
  ValueState state;
  state.value = value.tensor;
  return renamed(state,
                 [&](DimExpr symbol) {
                   return outsideOf(
                       symbol, outcome->table, table, outside, [&] {
                         return table.fresh(outcome->table.rangeOf(symbol));
                       });
                 })
      .value;
}

ValueState CallOutcomes::Place::outsideTypes(const ValueState &state,
                                             DimExprs &table) {
  return renamed(state, [&](DimExpr symbol) {
    return outsideOf(symbol, outcome->table, table, outside,
                     [&] { return table.freshDimension(); });
  });
}

namespace {

/// The key of what is known of the operands of a call, as numbers.
class OperandKey {
public:
  OperandKey(std::vector<int64_t> &key, const DimExprs &exprs)
      : key(key), exprs(exprs) {}

  /// False if no number says what it is.
  bool add(const ValueState &state);

  llvm::SmallVector<DimExpr, 4> symbols; // of the table around, by number

private:
  void add(DimExpr symbol);

  std::vector<int64_t> &key;
  const DimExprs &exprs;
  llvm::DenseMap<int64_t, int64_t> numberOf;
};

} // namespace

void OperandKey::add(DimExpr symbol) {
  if (std::optional<int64_t> value = exprs.valueOf(symbol)) {
    key.insert(key.end(), {-1, *value});
    return;
  }
  auto [entry, isNew] = numberOf.try_emplace(symbol.id, symbols.size());
  key.push_back(entry->second);
  if (!isNew)
    return;
  symbols.push_back(symbol);
  ExprRange range = exprs.rangeOf(symbol);
  key.insert(key.end(), {range.least, range.most});
}

bool OperandKey::add(const ValueState &state) {
  enum { Absent, Unknown, Symbolic, Small, Constant };
  if (state.absent) {
    key.push_back(Absent);
    return true;
  }
  key.insert(key.end(), {int64_t(state.type),
                         state.shape ? int64_t(state.shape->size()) : -1});
  if (state.shape)
    for (DimExpr size : *state.shape)
      add(size);
  if (state.sequence || state.isNothing)
    return false;
  if (!state.value) {
    key.push_back(Unknown);
    return true;
  }
  if (!state.isSymbolic()) {
    // Equal ones may be made again and again; who reads a large one for this
    // reads it for nothing.
    constexpr uint64_t small = 256;
    if (state.value.bytes() > small || state.type == DataType::String ||
        state.value.isWide()) {
      const char *place = state.value.residentBytes();
      key.insert(key.end(),
                 {Constant, int64_t(reinterpret_cast<intptr_t>(place))});
      return place != nullptr;
    }
    std::array<int64_t, small / sizeof(int64_t)> bytes{};
    state.value.read(bytes.data());
    key.push_back(Small);
    key.insert(key.end(), bytes.begin(),
               bytes.begin() + (state.value.bytes() + 7) / 8);
    return true;
  }
  key.push_back(Symbolic);
  llvm::append_range(key, state.value.shape());
  for (DimExpr element : state.value.values<DimExpr>())
    add(element);
  return true;
}

CallOutcomes::Place CallOutcomes::find(Operation *call, Operation *function,
                                       bool isWhole,
                                       const Evaluation &evaluation) {
  auto number = [](const void *pointer) {
    return int64_t(reinterpret_cast<intptr_t>(pointer));
  };
  Key key = {number(function),
             number(call->getDiscardableAttrDictionary().getAsOpaquePointer()),
             isWhole, int64_t(call->getNumResults()),
             int64_t(evaluation.evaluationOptions().limits.maxWork)};
  llvm::SmallVector<ValueState, 4> operands;
  OperandKey reader(key, evaluation.exprs());
  bool isKnown = call->getNumRegions() == 0;
  for (Value operand : call->getOperands()) {
    operands.push_back(evaluation.state(operand));
    ValueState &state = operands.back();
    if (state.value && !isWhole && state.value.size() > mostTypeElements)
      state.value = {};
    isKnown &= reader.add(state);
  }
  if (!isKnown)
    key.push_back(++unique);
  auto [entry, isNew] = outcomes.try_emplace(std::move(key));
  Place place;
  place.isNew = isNew;
  if (isNew) {
    entry->second = std::make_unique<CallOutcome>();
    CallOutcome &made = *entry->second;
    llvm::DenseMap<int64_t, DimExpr> inside;
    for (DimExpr symbol : reader.symbols) {
      made.symbols.push_back(
          made.table.fresh(evaluation.exprs().rangeOf(symbol)));
      inside[symbol.id] = made.symbols.back();
    }
    for (const ValueState &state : operands)
      made.operands.push_back(renamed(state, [&](DimExpr symbol) {
        if (std::optional<int64_t> value = evaluation.exprs().valueOf(symbol))
          return made.table.constant(*value);
        return inside.lookup(symbol.id);
      }));
  }
  place.outcome = entry->second.get();
  for (auto [mine, outer] :
       llvm::zip_equal(place.outcome->symbols, reader.symbols))
    place.outside[mine.id] = outer;
  return place;
}
