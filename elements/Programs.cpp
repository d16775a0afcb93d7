//===- Programs.cpp - What a deferred elementwise program consists of -----===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/internal/CastStep.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace onnxfold;

/// Programs longer than this are cut: their scratch blocks must stay in L1 and
/// the code of their steps in the instruction cache.
static constexpr size_t maxSteps = 48, maxLeaves = 20;

/// Large operands of one program that are computed or mapped: as many as an
/// operator has.
static constexpr int64_t maxLarge = 2;

Elements::State::Sharing &Elements::State::sharing() {
  if (Sharing *existing = shared.load(std::memory_order_acquire))
    return *existing;
  auto made = std::make_unique<Sharing>();
  Sharing *first = nullptr;
  // Another thread may be faster.
  return shared.compare_exchange_strong(first, made.get(),
                                        std::memory_order_acq_rel)
             ? *made.release()
             : *first;
}

llvm::IntrusiveRefCntPtr<Elements::State> Elements::State::existingLeaf() {
  Sharing *sharing = shared.load(std::memory_order_acquire);
  if (!sharing)
    return nullptr;
  std::lock_guard<std::mutex> lock(sharing->mutex);
  return sharing->leaf;
}

/// A reader need not compute what somebody has computed.
bool Elements::State::hasComputedLeaf() {
  llvm::IntrusiveRefCntPtr<State> leaf = existingLeaf();
  if (!leaf)
    return false;
  DeferredBuffer *buffer = leaf->leaves[0].buffer->asDeferred();
  return !buffer || buffer->isComputed();
}

/// Adds the buffers that a reader should find computed: the leaf's, if any.
void Elements::State::addBuffers(llvm::SmallVectorImpl<Buffer *> &buffers) {
  llvm::IntrusiveRefCntPtr<State> leaf = existingLeaf();
  for (const ElementsLeaf &each : leaf ? leaf->leaves : leaves)
    buffers.push_back(each.buffer.get());
}

/// The same values as a single leaf (and its rounding, if that is wide),
/// computed on demand, one for all who ask.
Elements Elements::asLeaf() const {
  // The unrounded values that are kept serve the rounded ones too.
  if (wide && wide != state)
    return compose(castStep(type(), DataType::Float64), shape(),
                   unrounded().asLeaf());
  if (state->steps.empty() && isContiguous())
    return *this;
  State::Sharing &shared = state->sharing();
  std::lock_guard<std::mutex> lock(shared.mutex);
  if (!shared.leaf) {
    // The copy of the state breaks the cycle state -> leaf -> source.
    Elements source = copyState();
    auto sample = [source](const SampleRequest &request) {
      return source.sample(request);
    };
    auto compute = [source](char *out) { source.read(out); };
    shared.leaf = deferred(type(), shape(), source, compute, sample).state;
  }
  Elements result;
  result.state = shared.leaf;
  return result;
}

/// A program or a view that reads `count` elements of this tensor takes over
/// its steps as long as they are so computed once for each element, and the
/// shared leaf from then on.
Elements Elements::asOperand(int64_t count) const {
  if (wide && wide != state)
    return compose(castStep(type(), DataType::Float64), shape(),
                   unrounded().asOperand(count));
  if (state->steps.empty() ||
      state->sharing().elementsFused.fetch_add(count) + count <= size())
    return *this;
  return asLeaf();
}

/// One element is all there is to compute.
static Elements applyToSplats(const ElementsStep &step, ShapeRef shape,
                              llvm::ArrayRef<Elements> operands) {
  Shape starts(shape.size(), 0), ones(shape.size(), 1);
  llvm::SmallVector<Elements, 3> scalars;
  for (const Elements &operand : operands)
    scalars.push_back(operand.slice(starts, ones, ones).reshape({}));
  return Elements::apply(step, {}, scalars)
      .compacted()
      .materialize()
      .expand(shape);
}

/// Adds the buffers as large as a result of `bytes` that have to be computed or
/// mapped to read it: all of them take memory at once.
static int64_t addLarge(llvm::ArrayRef<ElementsLeaf> leaves, uint64_t bytes,
                        llvm::SmallPtrSetImpl<Buffer *> &buffers) {
  constexpr uint64_t large = 1 << 20;
  for (const ElementsLeaf &leaf : leaves)
    if (leaf.buffer->size() >= std::max(large, bytes / 2) &&
        !leaf.buffer->residentBytes())
      buffers.insert(leaf.buffer.get());
  return buffers.size();
}

int64_t Elements::numComputed(const Elements &e) {
  llvm::SmallPtrSet<Buffer *, 8> buffers;
  return addLarge(e.state->leaves, e.bytes(), buffers);
}

/// The operands as a program takes them over, the longest ones as leaves where
/// it would become too long, or need too much memory.
llvm::SmallVector<Elements, 3>
Elements::shortened(ShapeRef shape, llvm::ArrayRef<Elements> operands) {
  llvm::SmallVector<Elements, 3> result;
  for (const Elements &operand : operands)
    result.push_back(operand.asOperand(numElements(shape)));
  while (true) {
    size_t steps = 1, leaves = 0;
    llvm::SmallPtrSet<Buffer *, 8> large;
    Elements *longest = nullptr, *largest = nullptr;
    for (Elements &e : result) {
      steps += std::max<size_t>(1, e.state->steps.size());
      leaves += e.state->leaves.size();
      if (!longest || e.state->steps.size() > longest->state->steps.size())
        longest = &e;
      addLarge(e.state->leaves, e.bytes(), large);
      if (!largest || numComputed(e) > numComputed(*largest))
        largest = &e;
    }
    if (steps > maxSteps || leaves > maxLeaves)
      *longest = longest->asLeaf();
    else if (int64_t(large.size()) > maxLarge && numComputed(*largest) > 1)
      *largest = largest->asLeaf();
    else
      return result;
  }
}

Elements Elements::apply(const ElementsStep &step, ShapeRef shape,
                         llvm::ArrayRef<Elements> operands) {
  if (!llvm::all_of(operands, [](const Elements &e) { return bool(e); }))
    return {};
  if (!shape.empty() && numElements(shape) != 0 &&
      llvm::all_of(operands, [](const Elements &e) { return e.isSplat(); }))
    return applyToSplats(step, shape, operands);
  return compose(step, shape, shortened(shape, operands));
}

/// The program of the operands' programs and `step`.
Elements Elements::compose(const ElementsStep &step, ShapeRef shape,
                           llvm::ArrayRef<Elements> operands) {
  Elements result;
  result.state = llvm::makeIntrusiveRefCnt<State>();
  result.state->type = step.type;
  result.state->shape = Shape(shape);
  auto &leaves = result.state->leaves;
  auto &steps = result.state->steps;
  size_t numLeaves = 0, numSteps = 1;
  for (const Elements &source : operands) {
    numLeaves += source.state->leaves.size();
    numSteps += std::max<size_t>(1, source.state->steps.size());
  }
  leaves.reserve(numLeaves);
  steps.reserve(numSteps);
  for (const Elements &source : operands) {
    assert(source.shape() == shape);
    size_t firstLeaf = leaves.size();
    leaves.append(source.state->leaves);
    if (source.state->steps.empty()) {
      ElementsStep load;
      load.type = source.type();
      load.leaf = firstLeaf;
      steps.push_back(load);
      continue;
    }
    for (ElementsStep inner : source.state->steps) {
      if (!inner.function)
        inner.leaf += firstLeaf;
      steps.push_back(inner);
    }
  }
  steps.push_back(step);
  return result;
}
