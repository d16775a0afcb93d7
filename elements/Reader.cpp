//===- Reader.cpp - Runs the program of an Elements block by block --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/internal/CopyRuns.h"
#include "onnxfold/elements/internal/StridedCopy.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/memory/internal/ComputedOperands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace onnxfold;

/// Elements of a block are a power of two up to this, and as few as it takes
/// for all blocks of a program to fit into L1 together.
static constexpr int64_t mostBlockElements = 1024, leastBlockElements = 128;
static constexpr int64_t blocksBytes = 24 << 10;

/// A reader reads so much at once of a buffer that is not pinned. It fits in L2
/// beside what is done with it.
static constexpr int64_t rangeBytes = 256 << 10;

/// A buffer up to this size is read as a whole where its elements are in
/// another order. It stays in the caches of a core until it was read.
static constexpr uint64_t mostReadOnce = 1 << 20;

namespace {

/// One leaf, ready to be read.
struct LeafReader {
  BufferPin pin;
  StridedCopy copy;
  const char *base;
  unsigned width;
  BufferRef ranges; // read without a pin, from `rangesBegin` on; base is null
  uint64_t rangesBegin = 0;

  /// A transposition is read in pieces of many rows, not block by block, and so
  /// is a file.
  bool staged() const { return ranges || copy.isTransposing(); }
  void stage(int64_t first, int64_t count, char *out) const {
    if (ranges)
      ranges->readRange(rangesBegin + first * width, count * width, out);
    else
      copy.copy(base, first, count, out);
  }

  /// Returns where a range lies if it can be read there, else null.
  const char *inPlace(int64_t first, int64_t count) const {
    const char *p = copy.runAt(base, first, count);
    bool aligned = reinterpret_cast<uintptr_t>(p) % std::min(width, 8u) == 0;
    return aligned ? p : nullptr;
  }
};

} // namespace

struct Elements::Reader::Plan {
  llvm::IntrusiveRefCntPtr<State> state;
  llvm::IntrusiveRefCntPtr<State> counted; // whose elements are computed
  llvm::SmallVector<LeafReader, 1> leaves; // none if there are `ranges`
  BufferRef ranges;         // all there is, in order, read without a pin
  uint64_t rangesBegin = 0; // where the first element is
  unsigned depth = 1;       // of the stack of blocks
  unsigned maxWidth = 1;
  int64_t blockElements = mostBlockElements;
  int64_t row = 0; // along which a leaf is read where it lies; 0: none is
  int64_t grain = 128 << 10;

  struct Run;
  bool useRanges();
  bool isLeaf() const { return state->steps.empty() && !ranges; }
  void chooseGrain();
  void chooseBlock();
  void compute(int64_t first, int64_t count, char *out, bool stream) const;
  void runSteps(int64_t first, int64_t count, char *out, bool stream) const;
};

//===----------------------------------------------------------------------===//
// The machine that runs the steps of a program
//===----------------------------------------------------------------------===//

namespace {

/// Scratch memory of one read() and its stack of blocks. That of a scalar or a
/// shape, of which models have millions, is no block of the heap.
class BlockStack {
public:
  BlockStack(unsigned depth, int64_t block, unsigned width)
      : slotBytes(block * width), memory(few) {
    uint64_t bytes = (2 * depth + 1) * slotBytes;
    if (bytes <= sizeof(few))
      return;
    many = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes);
    memory = many->data();
  }
  BlockStack(const BlockStack &) = delete;

  /// Returns where a result waits to be streamed, which is no slot of a step.
  char *result() { return memory; }

  /// A slot that a step at this depth may write while it reads `in`.
  char *slot(const void *in) {
    char *candidate = memory + (2 * stack.size() + 1) * slotBytes;
    return candidate == in ? candidate + slotBytes : candidate;
  }

  llvm::SmallVector<const void *, 8> stack;

private:
  uint64_t slotBytes;
  char *memory;
  llvm::IntrusiveRefCntPtr<HeapBuffer> many;
  alignas(64) char few[512];
};

} // namespace

namespace {
/// Blocks of one value, which are filled when it changes: all of a splat, rows
/// of what is broadcast along them.
class Fills {
public:
  Fills(size_t leaves, int64_t block) : fills(leaves), block(block) {}

  const char *get(size_t leaf, const char *value, unsigned width) {
    Fill &fill = fills[leaf];
    if (fill.value == value)
      return fill.buffer->data();
    if (!fill.buffer)
      fill.buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(block * width);
    StridedCopy::fill(value, width, block, fill.buffer->data());
    fill.value = value;
    return fill.buffer->data();
  }

private:
  struct Fill {
    llvm::IntrusiveRefCntPtr<HeapBuffer> buffer;
    const char *value = nullptr;
  };
  llvm::SmallVector<Fill, 4> fills;
  int64_t block;
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
    leaf.stage(first, count, result.back()->data());
  }
  return result;
}

/// One range while it is computed.
struct Elements::Reader::Plan::Run {
  const Plan &plan;
  int64_t first;
  bool stream; // to a result that is larger than the caches
  llvm::SmallVector<llvm::IntrusiveRefCntPtr<HeapBuffer>, 1> staged;
  BlockStack blocks;
  Fills fills;

  Run(const Plan &plan, int64_t first, int64_t count, bool stream)
      : plan(plan), first(first), stream(stream),
        staged(stage(plan.leaves, first, count)),
        blocks(plan.depth, std::min(count, plan.blockElements), plan.maxWidth),
        fills(plan.leaves.size(), std::min(count, plan.blockElements)) {}

  const char *load(size_t number, int64_t done, int64_t n, const char *to);
  void runSteps(int64_t done, int64_t n, char *to);
};

/// `n` elements of a leaf for steps whose last one writes to `to`.
const char *Elements::Reader::Plan::Run::load(size_t number, int64_t done,
                                              int64_t n, const char *to) {
  const LeafReader &leaf = plan.leaves[number];
  if (leaf.ranges)
    return staged[number]->data() + done * leaf.width;
  if (const char *value = leaf.copy.valueAt(leaf.base, first + done, n))
    return fills.get(number, value, leaf.width);
  if (staged[number])
    return staged[number]->data() + done * leaf.width;
  const char *data = leaf.inPlace(first + done, n);
  // A step never writes where it reads: the result may be written over a leaf
  // (materialize of an operand that dies).
  if (!data || data == to) {
    char *copied = blocks.slot(nullptr);
    leaf.copy.copy(leaf.base, first + done, n, copied);
    return copied;
  }
  // Beyond a page the processor asks for nothing by itself. The next block is
  // on its way already.
  if (stream)
    prefetch(data + 2 * plan.blockElements * leaf.width, n * leaf.width);
  return data;
}

void Elements::Reader::Plan::Run::runSteps(int64_t done, int64_t n, char *to) {
  auto &stack = blocks.stack;
  stack.clear();
  const auto &steps = plan.state->steps;
  for (const ElementsStep &step : steps) {
    if (!step.function) {
      stack.push_back(load(step.leaf, done, n, to));
      continue;
    }
    const void *const *in = stack.end() - step.arity;
    stack.truncate(stack.size() - step.arity);
    char *result = &step == &steps.back() ? to : blocks.slot(*in);
    step.function(step.closure, in, result, n);
    stack.push_back(result);
  }
}

/// `stream`: `out` is part of a result that is larger than the caches.
void Elements::Reader::Plan::runSteps(int64_t first, int64_t count, char *out,
                                      bool stream) const {
  Run run(*this, first, count, stream);
  unsigned width = byteWidth(state->type);
  for (int64_t done = 0, n; done < count; done += n) {
    n = std::min(blockElements, count - done);
    char *to = stream ? run.blocks.result() : out + done * width;
    // Steps end where a row does. What is streamed does not: parts of lines
    // are expensive.
    for (int64_t at = done, m; at < done + n; at += m) {
      m = done + n - at;
      if (row != 0)
        m = std::min(m, row - (first + at) % row);
      run.runSteps(at, m, to + (at - done) * width);
    }
    if (stream)
      streamCopy(out + done * width, to, n * width);
  }
  if (stream)
    streamFence();
}

/// A range of any length, in pieces that staged leaves can be read in.
void Elements::Reader::Plan::compute(int64_t first, int64_t count, char *out,
                                     bool stream) const {
  if (!counted->steps.empty())
    counted->sharing().elementsRead += count;
  unsigned width = byteWidth(state->type);
  for (int64_t done = 0; done < count; done += grain)
    runSteps(first + done, std::min(grain, count - done), out + done * width,
             stream);
}

/// Chooses as much as tiles of a transposition need, and no more of a file than
/// fits in L2 beside what is done with it.
void Elements::Reader::Plan::chooseGrain() {
  int64_t staged = 0; // bytes of one element of each leaf that is in a file
  for (const LeafReader &leaf : leaves)
    staged += leaf.ranges ? leaf.width : 0;
  if (staged != 0)
    grain = rangeBytes / staged;
  for (const LeafReader &leaf : leaves)
    if (staged == 0 || leaf.copy.isTransposing())
      grain = std::max(grain, leaf.copy.grain());
}

/// By the leaves and by the slots of the stack. Where one leaf alone comes from
/// memory, the next blocks of others need no room in L1.
void Elements::Reader::Plan::chooseBlock() {
  bool oneStream = llvm::count_if(leaves, [](const LeafReader &leaf) {
                     return leaf.copy.isContiguous();
                   }) == 1;
  int64_t blocks = leaves.size() + depth - oneStream;
  while (blockElements > leastBlockElements &&
         blocks * blockElements * maxWidth > blocksBytes)
    blockElements /= 2;
  for (const LeafReader &leaf : leaves)
    row = std::max(row, leaf.copy.rowInPlace());
  if (row < 2 * blockElements)
    row = 0;
}

//===----------------------------------------------------------------------===//
// Reader
//===----------------------------------------------------------------------===//

/// Whether the elements need not be pinned, see Buffer::readRange.
bool Elements::Reader::Plan::useRanges() {
  const ElementsLeaf &leaf = state->leaves[0];
  unsigned width = byteWidth(leaf.type);
  if (!state->steps.empty() || !leaf.buffer->readRange(0, 0, nullptr) ||
      !StridedCopy(state->shape, leaf.strides, width).isContiguous())
    return false;
  ranges = leaf.buffer;
  rangesBegin = leaf.offset * width;
  grain = rangeBytes / width;
  return true;
}

/// A copy in memory of a buffer of which `bytes` are read once; the buffer
/// itself where it takes less time to pin it.
static BufferRef readOnce(const BufferRef &buffer, uint64_t bytes) {
  if (buffer->size() > mostReadOnce || bytes < buffer->size() / 2 ||
      !buffer->readRange(0, 0, nullptr))
    return buffer;
  auto copy = llvm::makeIntrusiveRefCnt<HeapBuffer>(buffer->size());
  buffer->readRange(0, buffer->size(), copy->data());
  return copy;
}

/// A large leaf of a program in a file, whose elements are in its order: what is
/// in the caches when the steps run need not go to memory and come back.
static bool isReadInRanges(const ElementsLeaf &leaf, const StridedCopy &copy,
                           int64_t size) {
  return copy.isContiguous() && size * byteWidth(leaf.type) > rangeBytes &&
         leaf.buffer->readRange(0, 0, nullptr);
}

Elements::Reader::Reader(const Elements &elements, Access access)
    : plan(std::make_unique<Plan>()) {
  elements.known(); // ends the program if it is null
  // Rounding is nothing: what is computed, and kept, is what is behind it.
  plan->counted = elements.isWide() ? elements.wide : elements.state;
  // Twice is enough: whoever comes third finds the result of the second.
  State::Sharing *shared = plan->counted->shared;
  bool known = shared && elements.size() != 0 &&
               (plan->counted->hasComputedLeaf() ||
                shared->elementsRead >= 2 * elements.size());
  plan->state = known ? elements.asLeaf().state : elements.state;
  if (access == Access::Once && plan->useRanges())
    return;
  const State &state = *plan->state;
  std::optional<detail::ComputedOperands> ready; // until all are pinned
  if (state.leaves.size() > 1) {
    llvm::SmallVector<Buffer *> buffers;
    for (const ElementsLeaf &leaf : state.leaves)
      buffers.push_back(leaf.buffer.get());
    ready.emplace(buffers);
  }
  for (const ElementsLeaf &leaf : state.leaves) {
    unsigned width = byteWidth(leaf.type);
    StridedCopy copy(state.shape, leaf.strides, width);
    if (access == Access::Once && isReadInRanges(leaf, copy, elements.size())) {
      plan->leaves.push_back({BufferPin(), std::move(copy), nullptr, width,
                              leaf.buffer, uint64_t(leaf.offset) * width});
      continue;
    }
    BufferPin pin(access == Access::Once
                      ? readOnce(leaf.buffer, numElements(state.shape) * width)
                      : leaf.buffer);
    const char *base = pin.data() + leaf.offset * width;
    plan->leaves.push_back(
        {std::move(pin), std::move(copy), base, width, nullptr, 0});
  }
  plan->chooseGrain();
  unsigned depth = 0;
  for (const ElementsStep &step : state.steps) {
    depth = depth + 1 - step.arity;
    plan->depth = std::max(plan->depth, depth + 1);
    plan->maxWidth = std::max(plan->maxWidth, byteWidth(step.type));
  }
  plan->chooseBlock();
}

Elements::Reader::Reader(Reader &&) noexcept = default;
Elements::Reader::~Reader() = default;

void Elements::Reader::read(int64_t first, int64_t count, void *out) const {
  assert(first >= 0 && first + count <= numElements(plan->state->shape));
  if (count <= 0)
    return;
  char *to = static_cast<char *>(out);
  if (plan->ranges) {
    unsigned width = byteWidth(plan->state->type);
    plan->ranges->readRange(plan->rangesBegin + first * width, count * width,
                            to);
    return;
  }
  if (plan->isLeaf()) {
    const LeafReader &leaf = plan->leaves[0];
    return leaf.copy.copy(leaf.base, first, count, to);
  }
  plan->compute(first, count, to, /*stream=*/false);
}

const void *Elements::Reader::view(int64_t first, int64_t count,
                                   void *scratch) const {
  if (plan->isLeaf())
    if (const char *bytes = plan->leaves[0].inPlace(first, count))
      return bytes;
  read(first, count, scratch);
  return scratch;
}

void Elements::Reader::readAll(void *out) const {
  char *to = static_cast<char *>(out);
  if (plan->isLeaf())
    return plan->leaves[0].copy.copyAll(plan->leaves[0].base, to);
  int64_t count = numElements(plan->state->shape);
  unsigned width = byteWidth(plan->state->type);
  bool stream = count * width >= streamBytes;
  parallelFor(count, plan->grain, [&](int64_t begin, int64_t end) {
    if (plan->ranges)
      return read(begin, end - begin, to + begin * width);
    plan->compute(begin, end - begin, to + begin * width, stream);
  });
}

const void *Elements::Reader::contiguous() const {
  bool isAligned = contiguousBytes() && plan->leaves[0].inPlace(0, 0);
  return isAligned ? contiguousBytes() : nullptr;
}

const char *Elements::Reader::contiguousBytes() const {
  bool inPlace = plan->isLeaf() && plan->leaves[0].copy.isContiguous();
  return inPlace ? plan->leaves[0].base : nullptr;
}

int64_t Elements::Reader::preferredGrain() const { return plan->grain; }

bool Elements::Reader::isTransposing() const {
  return llvm::any_of(plan->leaves, [](const LeafReader &leaf) {
    return leaf.copy.isTransposing();
  });
}
