//===- Reader.cpp - Runs the program of an Elements block by block --------===//

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/StridedCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace onnxfold;

/// Elements of a block: a few blocks of 8-byte elements fit into L1.
static constexpr int64_t blockElements = 1024;

namespace {

/// One leaf, ready to be read.
struct LeafReader {
  BufferPin pin;
  StridedCopy copy;
  const char *base;
  unsigned width;
  bool splat;

  /// A transposition is read in pieces of many rows, not block by block.
  bool staged() const { return copy.isTransposing(); }

  const char *inPlace(int64_t first) const {
    const char *p = base + first * width;
    bool aligned = reinterpret_cast<uintptr_t>(p) % std::min(width, 8u) == 0;
    return copy.isContiguous() && aligned ? p : nullptr;
  }
};

} // namespace

struct Elements::Reader::Plan {
  llvm::IntrusiveRefCntPtr<State> state;
  llvm::SmallVector<LeafReader, 1> leaves;
  unsigned depth = 1; // of the stack of blocks
  unsigned maxWidth = 1;
  int64_t grain = 128 << 10;

  void runSteps(int64_t first, int64_t count, char *out) const;
};

//===----------------------------------------------------------------------===//
// The machine that runs the steps of a program
//===----------------------------------------------------------------------===//

namespace {

/// Scratch memory of one read() and its stack of blocks.
class BlockStack {
public:
  BlockStack(unsigned depth, int64_t block, unsigned width)
      : slotBytes(block * width),
        memory(llvm::makeIntrusiveRefCnt<HeapBuffer>(2 * depth * slotBytes)) {}

  /// A slot that a step at this depth may write while it reads `in`.
  char *slot(const void *in) {
    char *candidate = memory->data() + 2 * stack.size() * slotBytes;
    return candidate == in ? candidate + slotBytes : candidate;
  }

  llvm::SmallVector<const void *, 8> stack;

private:
  uint64_t slotBytes;
  llvm::IntrusiveRefCntPtr<HeapBuffer> memory;
};

} // namespace

/// Copies [first, first + count) of every staged leaf; empty for the others.
static llvm::SmallVector<llvm::IntrusiveRefCntPtr<HeapBuffer>, 1>
stage(llvm::ArrayRef<LeafReader> leaves, int64_t first, int64_t count) {
  llvm::SmallVector<llvm::IntrusiveRefCntPtr<HeapBuffer>, 1> result;
  for (const LeafReader &leaf : leaves) {
    result.emplace_back();
    if (!leaf.staged())
      continue;
    result.back() = llvm::makeIntrusiveRefCnt<HeapBuffer>(count * leaf.width);
    leaf.copy.copy(leaf.base, first, count, result.back()->data());
  }
  return result;
}

void Elements::Reader::Plan::runSteps(int64_t first, int64_t count,
                                      char *out) const {
  auto staged = stage(leaves, first, count);
  BlockStack blocks(depth, std::min(count, blockElements), maxWidth);
  auto &stack = blocks.stack;
  unsigned width = byteWidth(state->type);
  // Splats are the same in every block: filled once.
  llvm::SmallVector<llvm::IntrusiveRefCntPtr<HeapBuffer>, 4> splats;
  for (const LeafReader &leaf : leaves) {
    splats.emplace_back();
    if (!leaf.splat)
      continue;
    int64_t n = std::min(count, blockElements);
    splats.back() = llvm::makeIntrusiveRefCnt<HeapBuffer>(n * leaf.width);
    leaf.copy.copy(leaf.base, 0, n, splats.back()->data());
  }
  for (int64_t done = 0; done < count; done += blockElements) {
    int64_t n = std::min(blockElements, count - done);
    stack.clear();
    for (const ElementsStep &step : state->steps) {
      if (step.function) {
        const void *const *in = stack.end() - step.arity;
        stack.truncate(stack.size() - step.arity);
        bool last = &step == &state->steps.back();
        char *to = last ? out + done * width : blocks.slot(*in);
        step.function(step.closure, in, to, n);
        stack.push_back(to);
        continue;
      }
      const LeafReader &leaf = leaves[step.leaf];
      const char *data;
      if (leaf.splat) {
        data = splats[step.leaf]->data();
      } else if (staged[step.leaf]) {
        data = staged[step.leaf]->data() + done * leaf.width;
      } else if (!(data = leaf.inPlace(first + done))) {
        char *to = blocks.slot(nullptr);
        leaf.copy.copy(leaf.base, first + done, n, to);
        data = to;
      }
      stack.push_back(data);
    }
  }
}

//===----------------------------------------------------------------------===//
// Reader
//===----------------------------------------------------------------------===//

/// Elements of a piece that covers at least 16 rows of a transposition, so that
/// the cache lines of the source are read once, within a bound on memory.
static int64_t transposedGrain(int64_t rowLength) {
  constexpr int64_t least = 64 << 10, most = 1 << 20;
  int64_t rows = std::max<int64_t>(16, least / std::max<int64_t>(1, rowLength));
  rows = llvm::alignTo(rows, 16);
  return std::clamp<int64_t>(rows * rowLength, 1, most);
}

Elements::Reader::Reader(const Elements &elements)
    : plan(std::make_unique<Plan>()) {
  plan->state = elements.state;
  const State &state = *plan->state;
  for (const ElementsLeaf &leaf : state.leaves) {
    unsigned width = byteWidth(leaf.type);
    BufferPin pin(leaf.buffer);
    const char *base = pin.data() + leaf.offset * width;
    StridedCopy copy(state.shape, leaf.strides, width);
    bool splat = llvm::all_of(
        llvm::zip_equal(state.shape, leaf.strides),
        [](auto p) { return std::get<0>(p) == 1 || std::get<1>(p) == 0; });
    if (copy.isTransposing())
      plan->grain = transposedGrain(copy.rowLength());
    plan->leaves.push_back({std::move(pin), copy, base, width, splat});
  }
  unsigned depth = 0;
  for (const ElementsStep &step : state.steps) {
    depth = depth + 1 - step.arity;
    plan->depth = std::max(plan->depth, depth + 1);
    plan->maxWidth = std::max(plan->maxWidth, byteWidth(step.type));
  }
}

Elements::Reader::~Reader() = default;

void Elements::Reader::read(int64_t first, int64_t count, void *out) const {
  if (count <= 0)
    return;
  char *to = static_cast<char *>(out);
  unsigned width = byteWidth(plan->state->type);
  if (plan->state->steps.empty()) {
    const LeafReader &leaf = plan->leaves[0];
    return leaf.copy.copy(leaf.base, first, count, to);
  }
  for (int64_t done = 0; done < count; done += plan->grain)
    plan->runSteps(first + done, std::min(plan->grain, count - done),
                   to + done * width);
}

const void *Elements::Reader::contiguous() const {
  if (!plan->state->steps.empty())
    return nullptr;
  return plan->leaves[0].inPlace(0);
}

int64_t Elements::Reader::preferredGrain() const { return plan->grain; }
