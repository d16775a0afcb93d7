//===- Buffer.cpp - Bytes that tensors share ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/Buffer.h"
#include "onnxfold/elements/memory/internal/BlockCache.h"
#include "onnxfold/elements/memory/internal/ComputedOperands.h"
#include "onnxfold/elements/memory/internal/KeptBytes.h"

using namespace onnxfold;
using namespace onnxfold::detail;

Buffer::~Buffer() = default;

HeapBufferRef Buffer::takeHeap() { return nullptr; }

HeapBuffer::HeapBuffer(uint64_t size)
    : Buffer(size), bytes(allocateBlock(size)) {}

HeapBuffer::~HeapBuffer() { freeBlock(bytes, size()); }

//===----------------------------------------------------------------------===//
// Foreign memory
//===----------------------------------------------------------------------===//

namespace {

class ForeignBuffer : public Buffer {
public:
  explicit ForeignBuffer(llvm::ArrayRef<char> bytes)
      : Buffer(bytes.size()), bytes(bytes.data()) {}
  const char *acquire() override { return bytes; }
  void release() override {}
  const char *residentBytes() const override { return bytes; }

private:
  const char *bytes;
};

/// One with a function that is called when it dies. (The others, of which a
/// model has as many as small constants, do not need the space.)
class OwnedForeignBuffer final : public ForeignBuffer {
public:
  OwnedForeignBuffer(llvm::ArrayRef<char> bytes, std::function<void()> released)
      : ForeignBuffer(bytes), released(std::move(released)) {}
  ~OwnedForeignBuffer() override { released(); }

private:
  std::function<void()> released;
};

} // namespace

BufferRef onnxfold::foreignBuffer(llvm::ArrayRef<char> bytes,
                                  std::function<void()> released) {
  if (!released)
    return llvm::makeIntrusiveRefCnt<ForeignBuffer>(bytes);
  return llvm::makeIntrusiveRefCnt<OwnedForeignBuffer>(bytes,
                                                       std::move(released));
}

//===----------------------------------------------------------------------===//
// Bytes on demand
//===----------------------------------------------------------------------===//

DeferredBuffer::DeferredBuffer(uint64_t size, Compute compute, unsigned depth,
                               Operands operands)
    : Buffer(size), compute(std::move(compute)), operands(std::move(operands)),
      nesting(depth) {}

DeferredBuffer::~DeferredBuffer() {
  if (bytes)
    bytes->retire();
}

/// REQUIRES: the mutex is held. It is held until the end: other threads wait
/// for the bytes.
void DeferredBuffer::computeOnce() {
  if (!bytes)
    bytes = computeBytes(size(), compute);
}

/// REQUIRES: the mutex is held. True if the bytes had been there before and are
/// to be kept now.
bool DeferredBuffer::computeAgain() {
  bool again = !bytes && std::exchange(computedBefore, true);
  computeOnce();
  return again;
}

/// REQUIRES: the mutex is held; the bytes are there.
void DeferredBuffer::keep() {
  bytes->keep();
  compute = nullptr;
  operands = nullptr;
  sampling = nullptr;
  nesting = 0;
}

/// REQUIRES: the mutex is held.
void DeferredBuffer::dropUnused() {
  if (!bytes || !compute || holds != 0 || bytes->isPinned())
    return;
  bytes->retire();
  bytes = nullptr;
}

bool DeferredBuffer::sample(const SampleRequest &request) {
  Sample function;
  {
    std::lock_guard<std::mutex> lock(mutex);
    function = sampling;
  }
  return function && function(request);
}

bool DeferredBuffer::isComputed() {
  std::lock_guard<std::mutex> lock(mutex);
  return bytes != nullptr;
}

const char *DeferredBuffer::acquire() {
  const char *result;
  {
    ComputedOperands ready(*this);
    std::lock_guard<std::mutex> lock(mutex);
    bool again = computeAgain();
    result = bytes->acquire();
    if (again)
      keep();
  }
  trimKeptBytes();
  return result;
}

void DeferredBuffer::release() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    bytes->release();
    dropUnused();
  }
  trimKeptBytes();
}

bool DeferredBuffer::computeInto(char *out) {
  ComputedOperands ready(*this);
  std::lock_guard<std::mutex> lock(mutex);
  if (bytes || computedBefore)
    return false;
  compute(out);
  computedBefore = true;
  return true;
}

void DeferredBuffer::settle() {
  {
    ComputedOperands ready(*this);
    std::lock_guard<std::mutex> lock(mutex);
    computeOnce();
    keep();
  }
  trimKeptBytes();
}

HeapBufferRef DeferredBuffer::takeHeap() {
  ComputedOperands ready(*this);
  std::lock_guard<std::mutex> lock(mutex);
  computeOnce();
  HeapBufferRef result = bytes->take();
  keep(); // of nothing, if they were taken
  return result;
}

bool DeferredBuffer::spill() {
  KeptBytesRef kept;
  {
    ComputedOperands ready(*this);
    std::lock_guard<std::mutex> lock(mutex);
    computeOnce();
    keep();
    kept = bytes;
  }
  return kept->spill() != KeptBytes::Spill::Failed;
}
