//===- Buffer.cpp - Bytes that tensors share ------------------------------===//

#include "onnxfold/elements/Buffer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

using namespace onnxfold;

Buffer::~Buffer() = default;

namespace {

/// Recycles large blocks: the page faults of fresh memory cost more than most
/// arithmetic on it. Holds at most `limit` bytes that nobody uses, the ones
/// that were given back last.
class BlockCache {
public:
  static constexpr uint64_t smallest = 64 << 10, limit = 8 << 20;

  char *take(uint64_t size) {
    std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = blocks.size(); i-- > 0;)
      if (blocks[i].size == size) {
        char *bytes = blocks[i].bytes;
        blocks.erase(blocks.begin() + i);
        held -= size;
        return bytes;
      }
    return nullptr;
  }

  void give(char *bytes, uint64_t size) {
    std::lock_guard<std::mutex> lock(mutex);
    blocks.push_back({bytes, size});
    held += size;
    size_t evicted = 0;
    for (; held > limit; ++evicted) {
      munmap(blocks[evicted].bytes, blocks[evicted].size);
      held -= blocks[evicted].size;
    }
    blocks.erase(blocks.begin(), blocks.begin() + evicted);
  }

private:
  struct Block {
    char *bytes;
    uint64_t size;
  };
  std::mutex mutex;
  llvm::SmallVector<Block, 16> blocks; // oldest first
  uint64_t held = 0;
};

} // namespace

/// Leaked on purpose: buffers in static objects may die after it would.
static BlockCache &blockCache() {
  static BlockCache &cache = *new BlockCache;
  return cache;
}

/// A whole number of pages, and of eighths of the next lower power of two, so
/// that tensors of nearly the same size find each other's memory.
static uint64_t blockSize(uint64_t size) {
  return llvm::alignTo(size,
                       std::max<uint64_t>(4096, llvm::bit_floor(size) / 8));
}

HeapBuffer::HeapBuffer(uint64_t size) : Buffer(size) {
  if (size < BlockCache::smallest) {
    bytes = static_cast<char *>(
        std::aligned_alloc(64, llvm::alignTo(size ? size : 1, 64)));
    if (!bytes)
      throw std::bad_alloc();
    return;
  }
  uint64_t rounded = blockSize(size);
  if ((bytes = blockCache().take(rounded)))
    return;
  void *memory = mmap(nullptr, rounded, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  if (rounded >= (4u << 20))
    madvise(memory, rounded, MADV_HUGEPAGE);
  bytes = static_cast<char *>(memory);
}

HeapBuffer::~HeapBuffer() {
  if (size() < BlockCache::smallest)
    std::free(bytes);
  else if (uint64_t rounded = blockSize(size()); rounded <= BlockCache::limit)
    blockCache().give(bytes, rounded);
  else
    munmap(bytes, rounded);
}

namespace {

class ForeignBuffer : public Buffer {
public:
  ForeignBuffer(llvm::ArrayRef<char> bytes, std::function<void()> released)
      : Buffer(bytes.size()), bytes(bytes.data()),
        released(std::move(released)) {}
  ~ForeignBuffer() override {
    if (released)
      released();
  }
  const char *acquire() override { return bytes; }
  void release() override {}

private:
  const char *bytes;
  std::function<void()> released;
};

} // namespace

BufferRef onnxfold::foreignBuffer(llvm::ArrayRef<char> bytes,
                                  std::function<void()> released) {
  return llvm::makeIntrusiveRefCnt<ForeignBuffer>(bytes, std::move(released));
}

/// REQUIRES: the mutex is held. It stays held: other threads wait for the
/// bytes.
void DeferredBuffer::computeBytes() {
  auto result = llvm::makeIntrusiveRefCnt<HeapBuffer>(size());
  compute(result->data());
  bytes = std::move(result);
  if (computedBefore) {
    compute = nullptr;
    nesting = 0;
  }
  computedBefore = true;
}

const char *DeferredBuffer::acquire() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!bytes)
    computeBytes();
  ++pins;
  return bytes->data();
}

void DeferredBuffer::release() {
  std::lock_guard<std::mutex> lock(mutex);
  if (--pins == 0 && compute)
    bytes = nullptr;
}

bool DeferredBuffer::computeInto(char *out) {
  std::lock_guard<std::mutex> lock(mutex);
  if (bytes || computedBefore)
    return false;
  compute(out);
  computedBefore = true;
  return true;
}

void DeferredBuffer::settle() {
  std::lock_guard<std::mutex> lock(mutex);
  computedBefore = true; // so that the bytes stay
  if (!bytes)
    computeBytes();
  compute = nullptr;
  nesting = 0;
}
