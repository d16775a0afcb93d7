//===- LoopInvariants.cpp - What holds in every iteration of a loop -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/internal/LoopInvariants.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The limit on walks that refute assumptions. Most loops need one walk, which
/// refutes all; in a hostile loop each walk refutes only the next value's.
static constexpr unsigned mostFailures = 24;
/// Integers that are followed one by one, of one value: shapes and counters.
static constexpr int64_t mostIntegers = 64;
/// Values that are compared as a whole.
static constexpr int64_t mostElements = 4096;

/// Whether the elements that `state` has can be followed one by one.
static bool hasIntegers(const ValueState &state) {
  return state.value && state.value.size() <= mostIntegers &&
         (state.type == DataType::Int64 || state.type == DataType::Int32);
}

static std::vector<DimExpr> integersOf(const ValueState &state,
                                       DimExprs &exprs) {
  return asSymbols(state.value, exprs).values<DimExpr>();
}

static bool isSameKnown(const ValueState &a, const ValueState &b) {
  if (a.isNothing || b.isNothing)
    return a.isNothing && b.isNothing;
  if (a.sequence || b.sequence)
    return a.sequence == b.sequence;
  return a.value && b.value && a.value.size() <= mostElements &&
         haveEqualValues(a, b);
}

static bool hasKnown(const ValueState &state) {
  return state.value || state.sequence || state.isNothing;
}

static void dropKnown(ValueState &state) {
  state.value = {};
  state.sequence = {};
  state.isNothing = false;
}

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

void LoopInvariants::begin(const BodyLoop &nowLoop,
                           std::vector<ValueState> nowDeclared,
                           DimExprs &table) {
  loop = &nowLoop;
  declared = std::move(nowDeclared);
  exprs = &table;
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
  std::map<unsigned, DimExpr> groupNow;
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

void LoopInvariants::giveUp() {
  for (Changes &change : changes)
    change.type = change.shape = change.value = true;
}

ArrayRef<LoopInvariants::Integer> LoopInvariants::integersIn(unsigned i) const {
  return ArrayRef(integers).slice(offsets[i], offsets[i + 1] - offsets[i]);
}

unsigned &LoopInvariants::groupOf(const Integer &integer) {
  Changes &change = changes[integer.argument];
  return (integer.isSize ? change.sizes : change.elements)[integer.index];
}

/// Drops a declared rank or size that contradicts what is known of an iteration.
void LoopInvariants::refuteDeclared(unsigned i, const ValueState &known) {
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
    auto size = exprs->valueOf(mine), other = exprs->valueOf(theirs);
    bool isChosen = exprs->nameOf(theirs).has_value(); // by a caller
    if (size && (other ? *size != *other : isChosen))
      change.declaredSizes.insert(axis);
  }
}

/// A size that the body declares, as far as nothing speaks against it.
std::optional<DimExpr> LoopInvariants::declaredSize(unsigned i,
                                                    unsigned axis) const {
  const Changes &change = changes[i];
  const auto &stated = declared[i].shape;
  if (!stated || change.declaredRank || change.declaredSizes.contains(axis) ||
      !exprs->valueOf((*stated)[axis]))
    return std::nullopt;
  return (*stated)[axis];
}

/// The dimensions that the body does not declare, and the elements.
void LoopInvariants::makeIntegers(unsigned i) {
  const BodyLoop::Argument &argument = loop->arguments[i];
  const ValueState &first = argument.first;
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
    std::optional<DimExpr> stated = declaredSize(i, axis);
    if (!stated)
      integers.push_back({i, unsigned(axis), true, size, size});
    // A value has the size that it has.
    change.value |= change.sizes[axis] != 0 || stated.value_or(size) != size;
  }
  if (change.value || !hasIntegers(first))
    return;
  std::vector<DimExpr> elements = integersOf(first, *exprs);
  if (!change.elements.empty() && change.elements.size() != elements.size()) {
    change.value = true;
    return;
  }
  change.elements.resize(elements.size());
  for (auto [index, element] : llvm::enumerate(elements))
    integers.push_back({i, unsigned(index), false, element, element});
}

/// Splits groups of integers that changed together by their first number.
void LoopInvariants::splitByFirst() {
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

/// Sums of a changing number may wrap, unless it is the size of something.
void LoopInvariants::dropElementsThatAreNoSizes() {
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

/// Assumes what the body declares, and what is known of the first iteration.
void LoopInvariants::assume(unsigned i) {
  const auto &[first, next, type] = loop->arguments[i];
  const Changes &change = changes[i];
  ValueState &state = assumed[i];
  if (state.absent)
    return;
  if (state.type == DataType::Undefined && !change.type)
    state.type = first.type;
  if (change.declaredRank)
    state.shape.reset();
  for (unsigned axis : change.declaredSizes)
    if (state.shape)
      (*state.shape)[axis] = exprs->freshDimension();
  bool fits = first.shape &&
              (!state.shape || state.shape->size() == first.shape->size());
  if (!next) {
    if (!fits)
      return;
    if (!state.shape)
      state.shape = first.shape;
    for (auto [mine, theirs] : llvm::zip_equal(*state.shape, *first.shape))
      if (!exprs->valueOf(mine))
        mine = theirs;
  } else if (!change.shape && fits) {
    if (!state.shape)
      state.shape = first.shape;
    for (const Integer &integer : integersIn(i))
      if (integer.isSize)
        (*state.shape)[integer.index] = integer.assumed;
  }
  if (!change.value && hasKnown(first))
    assumeValue(i);
}

void LoopInvariants::assumeValue(unsigned i) {
  const ValueState &first = loop->arguments[i].first;
  ValueState &state = assumed[i];
  state.isNothing = first.isNothing;
  state.sequence = first.sequence;
  if (!first.value || first.value.size() > mostElements ||
      state.type != first.type || state.shape != first.shape)
    return;
  state.value = first.value;
  if (changes[i].elements.empty() || !loop->arguments[i].next)
    return;
  std::vector<DimExpr> elements(changes[i].elements.size());
  for (const Integer &integer : integersIn(i))
    if (!integer.isSize)
      elements[integer.index] = integer.assumed;
  state.value =
      resolveSymbols(Elements::fromValues<DimExpr>(first.value.shape(),
                                                   ArrayRef<DimExpr>(elements)),
                     state.type, *exprs);
}

bool LoopInvariants::isOpen(const BodyLoop &now) const {
  for (auto [i, change] : llvm::enumerate(changes)) {
    const auto &[first, next, type] = now.arguments[i];
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

bool LoopInvariants::check(ArrayRef<const ValueState *> given) {
  bool holds = true;
  for (auto [i, argument] : llvm::enumerate(loop->arguments)) {
    if (!argument.next)
      continue;
    const ValueState &next = *given[*argument.next];
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
bool LoopInvariants::checkWhole(unsigned i, const ValueState &given) {
  const ValueState &state = assumed[i];
  Changes &change = changes[i];
  bool holds = true;
  auto note = [&](bool &changed) {
    if (!std::exchange(changed, true))
      holds = false;
  };
  if (declared[i].type == DataType::Undefined &&
      state.type != DataType::Undefined && state.type != given.type)
    note(change.type);
  if (!change.shape &&
      (!given.shape || given.shape->size() != state.shape->size()))
    note(change.shape);
  if (change.value || !hasKnown(state))
    return holds;
  bool isSame = change.elements.empty()
                    ? isSameKnown(state, given)
                    : given.value && given.type == state.type &&
                          given.value.shape() == state.value.shape();
  if (!isSame)
    note(change.value);
  return holds;
}

std::optional<DimExpr>
LoopInvariants::now(const Integer &integer,
                    ArrayRef<const ValueState *> given) const {
  const Changes &change = changes[integer.argument];
  const ValueState &state = *given[*loop->arguments[integer.argument].next];
  // A walk that is not checked may know less.
  if (integer.isSize) {
    if (change.shape || !state.shape ||
        state.shape->size() != change.sizes.size())
      return std::nullopt;
    return (*state.shape)[integer.index];
  }
  if (change.value || !state.value ||
      state.value.size() != int64_t(change.elements.size()))
    return std::nullopt;
  return integersOf(state, *exprs)[integer.index];
}

/// Groups the integers that changed alike. False if one was invariant before, or
/// a group splits.
bool LoopInvariants::checkIntegers(ArrayRef<const ValueState *> given) {
  bool holds = true;
  std::map<std::tuple<unsigned, int64_t, int64_t>, unsigned> parts;
  llvm::DenseSet<unsigned> seen;
  for (const Integer &integer : integers) {
    std::optional<DimExpr> next = now(integer, given);
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
bool LoopInvariants::isOutside(DimExpr symbol) const {
  return exprs->valueOf(symbol) || symbol.id < mark.id;
}

/// Returns what is known of a value of an iteration whose number nobody knows.
ValueState LoopInvariants::outside(const ValueState &given) const {
  ValueState state = given;
  if (state.shape)
    for (DimExpr &size : *state.shape)
      if (!isOutside(size))
        size = exprs->fresh(exprs->rangeOf(size));
  if (state.isSymbolic() &&
      !llvm::all_of(state.value.values<DimExpr>(),
                    [&](DimExpr symbol) { return isOutside(symbol); }))
    state.value = {};
  return state;
}

bool LoopInvariants::hasNew(ArrayRef<const ValueState *> given) const {
  return llvm::any_of(given, [&](const ValueState *state) {
    return state->shape && !llvm::all_of(*state->shape, [&](DimExpr size) {
             return isOutside(size);
           });
  });
}

/// A loop-carried integer, after an iteration.
DimExpr LoopInvariants::integerAfter(const Integer &integer,
                                     ArrayRef<const ValueState *> given) {
  unsigned group = groupOf(integer);
  if (group == 0)
    return integer.first;
  std::optional<DimExpr> next = now(integer, given);
  if (next && (loop->runs ? isOutside(*next) : *next == integer.first))
    return *next;
  auto [symbol, isNew] = groupAfter.try_emplace(group);
  if (isNew)
    symbol->second = exprs->freshDimension();
  return symbol->second;
}

ValueState LoopInvariants::after(unsigned k,
                                 ArrayRef<const ValueState *> given) {
  ValueState state = outside(*given[k]);
  auto argument = argumentOf.find(k);
  if (argument == argumentOf.end())
    return state;
  unsigned i = argument->second;
  const ValueState &first = loop->arguments[i].first;
  if (!loop->runs) {
    if (state.type != first.type)
      state.type = DataType::Undefined;
    if (!state.shape || !first.shape ||
        state.shape->size() != first.shape->size())
      state.shape.reset();
    else
      for (auto [mine, theirs, next] :
           llvm::zip_equal(*state.shape, *first.shape, *given[k]->shape))
        if (next != theirs)
          mine = exprs->freshDimension();
  }
  if (state.shape && !changes[i].shape &&
      state.shape->size() == changes[i].sizes.size())
    for (const Integer &integer : integersIn(i))
      if (integer.isSize)
        (*state.shape)[integer.index] = integerAfter(integer, given);
  valueAfter(i, given, state);
  return state;
}

void LoopInvariants::valueAfter(unsigned i, ArrayRef<const ValueState *> given,
                                ValueState &state) {
  const ValueState &first = loop->arguments[i].first;
  if (changes[i].value || !hasKnown(assumed[i])) {
    if (!loop->runs && !isSameKnown(first, state))
      dropKnown(state);
    return;
  }
  dropKnown(state);
  state.sequence = first.sequence;
  state.isNothing = first.isNothing;
  if (!first.value || state.shape != first.shape || state.type != first.type)
    return;
  state.value = first.value;
  if (changes[i].elements.empty())
    return;
  std::vector<DimExpr> elements(changes[i].elements.size());
  for (const Integer &integer : integersIn(i))
    if (!integer.isSize)
      elements[integer.index] = integerAfter(integer, given);
  state.value =
      resolveSymbols(Elements::fromValues<DimExpr>(first.value.shape(),
                                                   ArrayRef<DimExpr>(elements)),
                     state.type, *exprs);
}
