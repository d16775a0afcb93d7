//===- KnownInputs.cpp - What is known of an operator's inputs ------------===//

#include "onnxfold/onnx/transforms/rewrite/internal/KnownInputs.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// What is larger counts as unknown: it would be read for its key.
static constexpr int64_t mostKeyBytes = 1 << 16;

static bool isSmall(const Elements &value) {
  int64_t bytesEach = std::max<int64_t>(1, packedBytes(value.type(), 1));
  return value.size() <= mostKeyBytes / bytesEach;
}

KnownInputs::KnownInputs(Operator op, const Evaluation &evaluation)
    : symbols(&evaluation.symbols()) {
  llvm::SmallDenseMap<Value, unsigned, 4> numberOf;
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Value value = op.input(i);
    if (!value) {
      numbers.push_back(std::nullopt);
      continue;
    }
    auto [entry, isNew] = numberOf.try_emplace(value, facts.size());
    numbers.push_back(entry->second);
    if (!isNew)
      continue;
    const Fact &fact = evaluation.fact(value);
    typed &= fact.type != DataType::Undefined;
    facts.push_back(fact);
    if (fact.value && !isSmall(fact.value))
      facts.back().value = {};
  }
}

KnownInputs KnownInputs::withoutSizes() const {
  KnownInputs result = *this;
  result.hasSizes = false;
  for (Fact &fact : result.facts)
    fact.value = {};
  return result;
}

std::vector<int64_t> KnownInputs::key(bool withSizes) const {
  std::vector<int64_t> key;
  llvm::DenseMap<int64_t, int64_t> numberOf;
  auto add = [&](SymbolHandle symbol) {
    if (std::optional<int64_t> value = symbols->valueOf(symbol)) {
      key.insert(key.end(), {0, *value});
      return;
    }
    auto [entry, isNew] = numberOf.try_emplace(symbol.id, numberOf.size() + 1);
    key.push_back(entry->second);
    SymbolRange range = symbols->rangeOf(symbol);
    if (isNew)
      key.insert(key.end(), {range.least, range.most});
  };
  for (std::optional<unsigned> number : numbers)
    key.push_back(number ? *number : -1);
  for (const Fact &fact : facts) {
    key.insert(key.end(), {int64_t(fact.type),
                           fact.shape ? int64_t(fact.shape->size()) : -1});
    if (!withSizes)
      continue;
    if (fact.shape)
      llvm::for_each(*fact.shape, add);
    key.push_back(fact.isConstant() ? 1 : fact.isSymbolic() ? 2 : 0);
    if (fact.isConstant()) {
      ContentHash hash = contentHash(fact.value);
      key.insert(key.end(), {int64_t(hash.low), int64_t(hash.high)});
    } else if (fact.isSymbolic()) {
      llvm::append_range(key, fact.value.shape());
      llvm::for_each(fact.value.values<SymbolHandle>(), add);
    }
  }
  return key;
}

Fact KnownInputs::translate(const Fact &fact, Symbols &table,
                            Renamed &renamed) const {
  auto rename = [&](SymbolHandle symbol) {
    if (!hasSizes)
      return table.freshDimension();
    if (std::optional<int64_t> value = symbols->valueOf(symbol))
      return table.constant(*value);
    auto [entry, isNew] = renamed.try_emplace(symbol.id);
    if (isNew)
      entry->second = table.fresh(symbols->rangeOf(symbol));
    return entry->second;
  };
  Fact result = fact;
  if (result.shape)
    llvm::transform(*fact.shape, result.shape->begin(), rename);
  if (fact.isSymbolic()) {
    auto elements = fact.value.values<SymbolHandle>();
    llvm::transform(elements, elements.begin(), rename);
    result.value = Elements::fromValues<SymbolHandle>(
        fact.value.shape(), ArrayRef<SymbolHandle>(elements));
  }
  return result;
}

std::function<Fact(BlockArgument, Symbols &)>
KnownInputs::factsOf(Operation *graph) const {
  auto renamed = std::make_shared<Renamed>();
  return [=, this](BlockArgument argument, Symbols &table) {
    unsigned number = argument.getArgNumber();
    if (argument.getOwner()->getParentOp() != graph || number >= facts.size())
      return factOfType(argument.getType(), table);
    return translate(facts[number], table, *renamed);
  };
}

std::optional<Shape> KnownInputs::shapeOf(unsigned i) const {
  const Fact &fact = facts[*numbers[i]];
  if (!fact.shape)
    return std::nullopt;
  Shape shape;
  for (SymbolHandle symbol : *fact.shape)
    shape.push_back(hasSizes ? symbols->valueOf(symbol).value_or(-1) : -1);
  return shape;
}
