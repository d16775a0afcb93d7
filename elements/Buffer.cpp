//===- Buffer.cpp - Bytes that tensors share ------------------------------===//

#include "onnxfold/elements/Buffer.h"
#include "onnxfold/elements/BlockCache.h"
#include "onnxfold/elements/KeptBytes.h"

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
  ForeignBuffer(llvm::ArrayRef<char> bytes, std::function<void()> released)
      : Buffer(bytes.size()), bytes(bytes.data()),
        released(std::move(released)) {}
  ~ForeignBuffer() override {
    if (released)
      released();
  }
  const char *acquire() override { return bytes; }
  void release() override {}
  const char *residentBytes() const override { return bytes; }

private:
  const char *bytes;
  std::function<void()> released;
};

} // namespace

BufferRef onnxfold::foreignBuffer(llvm::ArrayRef<char> bytes,
                                  std::function<void()> released) {
  return llvm::makeIntrusiveRefCnt<ForeignBuffer>(bytes, std::move(released));
}

//===----------------------------------------------------------------------===//
// Bytes on demand
//===----------------------------------------------------------------------===//

DeferredBuffer::DeferredBuffer(uint64_t size, Compute compute, unsigned depth)
    : Buffer(size), compute(std::move(compute)), nesting(depth) {}

DeferredBuffer::~DeferredBuffer() {
  if (bytes)
    bytes->retire();
}

/// REQUIRES: the mutex is held. It stays held: other threads wait for the
/// bytes.
void DeferredBuffer::computeOnce() {
  if (!bytes)
    bytes = computeBytes(size(), compute);
}

/// REQUIRES: the mutex is held; the bytes are there.
void DeferredBuffer::keep() {
  bytes->keep();
  compute = nullptr;
  nesting = 0;
}

const char *DeferredBuffer::acquire() {
  const char *result;
  {
    std::lock_guard<std::mutex> lock(mutex);
    bool again = !bytes && std::exchange(computedBefore, true);
    computeOnce();
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
    if (bytes->release() == 0 && compute) {
      bytes->retire();
      bytes = nullptr;
    }
  }
  trimKeptBytes();
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
  {
    std::lock_guard<std::mutex> lock(mutex);
    computeOnce();
    keep();
  }
  trimKeptBytes();
}

HeapBufferRef DeferredBuffer::takeHeap() {
  std::lock_guard<std::mutex> lock(mutex);
  computeOnce();
  HeapBufferRef result = bytes->take();
  keep(); // of nothing, if they were taken
  return result;
}

bool DeferredBuffer::spill() {
  KeptBytesRef kept;
  {
    std::lock_guard<std::mutex> lock(mutex);
    computeOnce();
    keep();
    kept = bytes;
  }
  return kept->spill() != KeptBytes::Spill::Failed;
}
