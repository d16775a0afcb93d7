//===- LoopFacts.cpp - What holds in every iteration of a loop ------------===//

#include "onnxfold/constprop/LoopFacts.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// Of walks that show wrong assumptions. Most loops need one, as one shows all;
/// a hostile one hands a change on from one value to the next.
static constexpr unsigned mostFailures = 24;
/// Integers that are followed one by one, of one value: shapes and counters.
static constexpr int64_t mostIntegers = 64;
/// Values that are compared as a whole.
static constexpr int64_t mostElements = 4096;

/// What `fact` says of elements can be followed one by one.
static bool hasIntegers(const Fact &fact) {
  return fact.value && fact.value.size() <= mostIntegers &&
         (fact.type == DataType::Int64 || fact.type == DataType::Int32);
}

static std::vector<SymbolHandle> integersOf(const Fact &fact,
                                            Symbols &symbols) {
  return asSymbols(fact.value, symbols).values<SymbolHandle>();
}

static bool isSameKnown(const Fact &a, const Fact &b) {
  if (a.isNothing || b.isNothing)
    return a.isNothing && b.isNothing;
  if (a.sequence || b.sequence)
    return a.sequence == b.sequence;
  return a.value && b.value && a.value.size() <= mostElements &&
         haveEqualValues(a, b);
}

static bool hasKnown(const Fact &fact) {
  return fact.value || fact.sequence || fact.isNothing;
}

static void dropKnown(Fact &fact) {
  fact.value = {};
  fact.sequence = {};
  fact.isNothing = false;
}

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

void LoopFacts::begin(const BodyLoop &nowLoop, std::vector<Fact> nowDeclared,
                      Symbols &table) {
  loop = &nowLoop;
  declared = std::move(nowDeclared);
  symbols = &table;
  mark = table.fresh();
  groupAfter.clear();
  changes.resize(declared.size());
  integers.clear();
  ++walks;
  if (failures > mostFailures)
    giveUp();
  for (size_t i = 0; i < declared.size(); ++i)
    makeIntegers(i);
  splitByFirst();
  dropElementsThatAreNoSizes();
  offsets.assign(declared.size() + 1, integers.size());
  for (size_t k = integers.size(); k-- > 0;)
    offsets[integers[k].argument] = k;
  for (size_t i = declared.size(); i-- > 0;) // those that have none
    offsets[i] = std::min(offsets[i], offsets[i + 1]);
  argumentOf.clear();
  for (auto [i, argument] : llvm::enumerate(loop->arguments))
    if (argument.next)
      argumentOf[*argument.next] = i;
  std::map<unsigned, SymbolHandle> groupNow;
  for (Integer &integer : integers) {
    unsigned group = groupOf(integer);
    if (group == 0)
      integer.assumed = integer.first;
    else
      integer.assumed =
          groupNow.try_emplace(group, table.freshDimension()).first->second;
  }
  assumed = declared;
  for (size_t i = 0; i < declared.size(); ++i)
    assume(i);
}

void LoopFacts::giveUp() {
  for (Changes &change : changes)
    change.type = change.shape = change.value = true;
}

ArrayRef<LoopFacts::Integer> LoopFacts::integersIn(unsigned i) const {
  return ArrayRef(integers).slice(offsets[i], offsets[i + 1] - offsets[i]);
}

unsigned &LoopFacts::groupOf(const Integer &integer) {
  Changes &change = changes[integer.argument];
  return (integer.isSize ? change.sizes : change.elements)[integer.index];
}

/// What is declared and what is known of one iteration cannot both be true.
void LoopFacts::refuteDeclared(unsigned i, const Fact &known) {
  const auto &stated = declared[i].shape;
  if (!stated || !known.shape)
    return;
  Changes &change = changes[i];
  if (stated->size() != known.shape->size()) {
    change.declaredRank = true;
    return;
  }
  for (auto [axis, pair] : llvm::enumerate(llvm::zip(*stated, *known.shape))) {
    auto [mine, theirs] = pair;
    auto size = symbols->valueOf(mine), other = symbols->valueOf(theirs);
    if (size && other && *size != *other)
      change.declaredSizes.insert(axis);
  }
}

/// A size that the body declares, as far as nothing speaks against it.
std::optional<SymbolHandle> LoopFacts::declaredSize(unsigned i,
                                                    unsigned axis) const {
  const Changes &change = changes[i];
  const auto &stated = declared[i].shape;
  if (!stated || change.declaredRank || change.declaredSizes.contains(axis) ||
      !symbols->valueOf((*stated)[axis]))
    return std::nullopt;
  return (*stated)[axis];
}

/// The dimensions that the body does not declare, and the elements.
void LoopFacts::makeIntegers(unsigned i) {
  const BodyLoop::Argument &argument = loop->arguments[i];
  const Fact &first = argument.first;
  Changes &change = changes[i];
  refuteDeclared(i, first);
  if (!argument.next)
    return;
  if (!first.shape ||
      (!change.sizes.empty() && change.sizes.size() != first.shape->size()))
    change.shape = true;
  if (change.shape && first.value)
    change.value = true;
  if (change.shape)
    return;
  change.sizes.resize(first.shape->size());
  for (auto [axis, size] : llvm::enumerate(*first.shape)) {
    std::optional<SymbolHandle> stated = declaredSize(i, axis);
    if (!stated)
      integers.push_back({i, unsigned(axis), true, size, size});
    // A value has the size that it has.
    change.value |= change.sizes[axis] != 0 || stated.value_or(size) != size;
  }
  if (change.value || !hasIntegers(first))
    return;
  std::vector<SymbolHandle> elements = integersOf(first, *symbols);
  if (!change.elements.empty() && change.elements.size() != elements.size()) {
    change.value = true;
    return;
  }
  change.elements.resize(elements.size());
  for (auto [index, element] : llvm::enumerate(elements))
    integers.push_back({i, unsigned(index), false, element, element});
}

/// What has changed together so far begins with the same now.
void LoopFacts::splitByFirst() {
  std::map<std::pair<unsigned, int64_t>, unsigned> parts;
  llvm::DenseSet<unsigned> seen;
  for (const Integer &integer : integers) {
    unsigned &group = groupOf(integer);
    if (group == 0)
      continue;
    auto [part, isNew] = parts.try_emplace({group, integer.first.id}, group);
    if (isNew && !seen.insert(group).second)
      part->second = ++groups;
    group = part->second;
  }
}

/// Of a changing number nobody knows that sums of it do not wrap, unless it is
/// the size of something.
void LoopFacts::dropElementsThatAreNoSizes() {
  llvm::DenseSet<unsigned> sizes;
  for (const Integer &integer : integers)
    if (integer.isSize)
      sizes.insert(groupOf(integer));
  for (const Integer &integer : integers)
    if (unsigned group = groupOf(integer);
        !integer.isSize && group != 0 && !sizes.contains(group))
      changes[integer.argument].value = true;
  llvm::erase_if(integers, [&](const Integer &integer) {
    return !integer.isSize && changes[integer.argument].value;
  });
}

/// From what the body declares, which is there, and what is known at first.
void LoopFacts::assume(unsigned i) {
  const auto &[first, next] = loop->arguments[i];
  const Changes &change = changes[i];
  Fact &fact = assumed[i];
  if (fact.absent)
    return;
  if (fact.type == DataType::Undefined && !change.type)
    fact.type = first.type;
  if (change.declaredRank)
    fact.shape.reset();
  for (unsigned axis : change.declaredSizes)
    if (fact.shape)
      (*fact.shape)[axis] = symbols->freshDimension();
  bool fits =
      first.shape && (!fact.shape || fact.shape->size() == first.shape->size());
  if (!next) {
    if (!fits)
      return;
    if (!fact.shape)
      fact.shape = first.shape;
    for (auto [mine, theirs] : llvm::zip_equal(*fact.shape, *first.shape))
      if (!symbols->valueOf(mine))
        mine = theirs;
  } else if (!change.shape && fits) {
    if (!fact.shape)
      fact.shape = first.shape;
    for (const Integer &integer : integersIn(i))
      if (integer.isSize)
        (*fact.shape)[integer.index] = integer.assumed;
  }
  if (!change.value && hasKnown(first))
    assumeValue(i);
}

void LoopFacts::assumeValue(unsigned i) {
  const Fact &first = loop->arguments[i].first;
  Fact &fact = assumed[i];
  fact.isNothing = first.isNothing;
  fact.sequence = first.sequence;
  if (!first.value || first.value.size() > mostElements ||
      fact.type != first.type || fact.shape != first.shape)
    return;
  fact.value = first.value;
  if (changes[i].elements.empty() || !loop->arguments[i].next)
    return;
  std::vector<SymbolHandle> elements(changes[i].elements.size());
  for (const Integer &integer : integersIn(i))
    if (!integer.isSize)
      elements[integer.index] = integer.assumed;
  fact.value =
      resolveSymbols(Elements::fromValues<SymbolHandle>(
                         first.value.shape(), ArrayRef<SymbolHandle>(elements)),
                     fact.type, *symbols);
}

bool LoopFacts::isOpen(const BodyLoop &now) const {
  for (auto [i, change] : llvm::enumerate(changes)) {
    const auto &[first, next] = now.arguments[i];
    auto changed = [](unsigned group) { return group != 0; };
    if (next && (!first.shape || change.type || change.shape || change.value ||
                 llvm::any_of(change.sizes, changed) ||
                 llvm::any_of(change.elements, changed)))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Checking them
//===----------------------------------------------------------------------===//

bool LoopFacts::check(ArrayRef<const Fact *> given) {
  bool holds = true;
  for (auto [i, argument] : llvm::enumerate(loop->arguments)) {
    if (!argument.next)
      continue;
    const Fact &next = *given[*argument.next];
    bool before = changes[i].declaredRank;
    size_t sizes = changes[i].declaredSizes.size();
    refuteDeclared(i, next);
    holds &= before == changes[i].declaredRank &&
             sizes == changes[i].declaredSizes.size();
    holds &= checkWhole(i, next);
  }
  holds &= checkIntegers(given);
  failures += !holds;
  return holds;
}

/// Type, rank and what is not followed element by element.
bool LoopFacts::checkWhole(unsigned i, const Fact &given) {
  const Fact &fact = assumed[i];
  Changes &change = changes[i];
  bool holds = true;
  auto note = [&](bool &changed) {
    if (!std::exchange(changed, true))
      holds = false;
  };
  if (declared[i].type == DataType::Undefined &&
      fact.type != DataType::Undefined && fact.type != given.type)
    note(change.type);
  if (!change.shape &&
      (!given.shape || given.shape->size() != fact.shape->size()))
    note(change.shape);
  if (change.value || !hasKnown(fact))
    return holds;
  bool isSame = change.elements.empty()
                    ? isSameKnown(fact, given)
                    : given.value && given.type == fact.type &&
                          given.value.shape() == fact.value.shape();
  if (!isSame)
    note(change.value);
  return holds;
}

std::optional<SymbolHandle> LoopFacts::now(const Integer &integer,
                                           ArrayRef<const Fact *> given) const {
  const Changes &change = changes[integer.argument];
  const Fact &fact = *given[*loop->arguments[integer.argument].next];
  // In a walk that is not checked less may be known.
  if (integer.isSize) {
    if (change.shape || !fact.shape ||
        fact.shape->size() != change.sizes.size())
      return std::nullopt;
    return (*fact.shape)[integer.index];
  }
  if (change.value || !fact.value ||
      fact.value.size() != int64_t(change.elements.size()))
    return std::nullopt;
  return integersOf(fact, *symbols)[integer.index];
}

/// What was the same and is no more goes where it goes with others.
bool LoopFacts::checkIntegers(ArrayRef<const Fact *> given) {
  bool holds = true;
  std::map<std::tuple<unsigned, int64_t, int64_t>, unsigned> parts;
  llvm::DenseSet<unsigned> seen;
  for (const Integer &integer : integers) {
    std::optional<SymbolHandle> next = now(integer, given);
    unsigned &group = groupOf(integer);
    if (!next || (group == 0 && *next == integer.first))
      continue;
    std::tuple key(group, group == 0 ? integer.first.id : 0, next->id);
    auto [part, isNew] = parts.try_emplace(key, group);
    if (isNew && (group == 0 || !seen.insert(group).second)) {
      part->second = ++groups;
      holds = false;
    }
    group = part->second;
  }
  return holds;
}

//===----------------------------------------------------------------------===//
// After the loop
//===----------------------------------------------------------------------===//

/// It means the same number in every iteration.
bool LoopFacts::isOutside(SymbolHandle symbol) const {
  return symbols->valueOf(symbol) || symbol.id < mark.id;
}

/// What is known of a value of one iteration where nobody knows which.
Fact LoopFacts::outside(const Fact &given) const {
  Fact fact = given;
  if (fact.shape)
    for (SymbolHandle &size : *fact.shape)
      if (!isOutside(size))
        size = symbols->fresh(symbols->rangeOf(size));
  if (fact.isSymbolic() &&
      !llvm::all_of(fact.value.values<SymbolHandle>(),
                    [&](SymbolHandle symbol) { return isOutside(symbol); }))
    fact.value = {};
  return fact;
}

bool LoopFacts::hasNew(ArrayRef<const Fact *> given) const {
  return llvm::any_of(given, [&](const Fact *fact) {
    return fact->shape && !llvm::all_of(*fact->shape, [&](SymbolHandle size) {
             return isOutside(size);
           });
  });
}

/// An integer that is carried round.
SymbolHandle LoopFacts::integerAfter(const Integer &integer,
                                     ArrayRef<const Fact *> given) {
  unsigned group = groupOf(integer);
  if (group == 0)
    return integer.first;
  std::optional<SymbolHandle> next = now(integer, given);
  if (next && (loop->runs ? isOutside(*next) : *next == integer.first))
    return *next;
  auto [symbol, isNew] = groupAfter.try_emplace(group);
  if (isNew)
    symbol->second = symbols->freshDimension();
  return symbol->second;
}

Fact LoopFacts::after(unsigned k, ArrayRef<const Fact *> given) {
  Fact fact = outside(*given[k]);
  auto argument = argumentOf.find(k);
  if (argument == argumentOf.end())
    return fact;
  unsigned i = argument->second;
  const Fact &first = loop->arguments[i].first;
  if (!loop->runs) {
    if (fact.type != first.type)
      fact.type = DataType::Undefined;
    if (!fact.shape || !first.shape ||
        fact.shape->size() != first.shape->size())
      fact.shape.reset();
    else
      for (auto [mine, theirs, next] :
           llvm::zip_equal(*fact.shape, *first.shape, *given[k]->shape))
        if (next != theirs)
          mine = symbols->freshDimension();
  }
  if (fact.shape && !changes[i].shape &&
      fact.shape->size() == changes[i].sizes.size())
    for (const Integer &integer : integersIn(i))
      if (integer.isSize)
        (*fact.shape)[integer.index] = integerAfter(integer, given);
  valueAfter(i, given, fact);
  return fact;
}

void LoopFacts::valueAfter(unsigned i, ArrayRef<const Fact *> given,
                           Fact &fact) {
  const Fact &first = loop->arguments[i].first;
  if (changes[i].value || !hasKnown(assumed[i])) {
    if (!loop->runs && !isSameKnown(first, fact))
      dropKnown(fact);
    return;
  }
  dropKnown(fact);
  fact.sequence = first.sequence;
  fact.isNothing = first.isNothing;
  if (!first.value || fact.shape != first.shape || fact.type != first.type)
    return;
  fact.value = first.value;
  if (changes[i].elements.empty())
    return;
  std::vector<SymbolHandle> elements(changes[i].elements.size());
  for (const Integer &integer : integersIn(i))
    if (!integer.isSize)
      elements[integer.index] = integerAfter(integer, given);
  fact.value =
      resolveSymbols(Elements::fromValues<SymbolHandle>(
                         first.value.shape(), ArrayRef<SymbolHandle>(elements)),
                     fact.type, *symbols);
}
