//===- Buffer.h - Bytes that tensors share ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A Buffer owns, or can produce, the bytes of one or more tensors. Elements
// hold buffers by reference count. A shared buffer is never written to. Bytes
// are readable while at least one BufferPin is alive:
//
//   BufferPin pin(buffer);
//   use(pin.data(), buffer->size());
//
// So a file is mapped only while it is read, and a result that is computed on
// demand takes memory only while it is read. The subclasses are heap, deferred
// and foreign buffers (all below), and ranges of files (onnx/io); users may add
// others. Memory.h has the limits and statistics, and describes how computed
// bytes are moved to a file.
//
// Thread safety: all members may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_BUFFER_H
#define ONNXFOLD_ELEMENTS_MEMORY_BUFFER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace onnxfold {

class DeferredBuffer;
class HeapBuffer;
namespace detail {
class ComputedOperands;
class KeptBytes;
} // namespace detail

class Buffer : public llvm::ThreadSafeRefCountedBase<Buffer> {
public:
  explicit Buffer(uint64_t size) : byteSize(size) {}
  virtual ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  uint64_t size() const { return byteSize; }

  /// Makes the bytes readable until the matching release(), and returns their
  /// address. Calls nest.
  virtual const char *acquire() = 0;
  virtual void release() = 0;

  /// Copies `size` bytes at `offset` to `out`, if that takes less time than to
  /// acquire() them and to read them once (mapping a file costs page faults).
  /// Otherwise does nothing and returns false. The answer is the same for every
  /// call, so a call with a `size` of 0 finds it out.
  virtual bool readRange(uint64_t /*offset*/, uint64_t /*size*/,
                         char * /*out*/) {
    return false;
  }
  /// Writes all bytes to `out`, if reading them would compute them and they are
  /// not known to be needed again. Otherwise does nothing and returns false.
  virtual bool computeInto(char *) { return false; }
  /// Computes the bytes if they are computed on demand, and keeps them, so that
  /// reading them computes nothing.
  virtual void settle() {}
  /// The most computations that may be nested when the bytes are read; 0 if
  /// they need not be computed.
  virtual unsigned depth() const { return 0; }
  /// This, if its bytes are computed on demand; else null.
  virtual DeferredBuffer *asDeferred() { return nullptr; }
  /// The address of the bytes, if they are readable in place as long as the
  /// buffer lives, acquired or not; otherwise null.
  virtual const char *residentBytes() const { return nullptr; }
  /// The bytes as writable memory, which is computed first if necessary. Null
  /// if they are foreign memory or in a file; the buffer is then unchanged.
  /// REQUIRES: the caller's reference is the only one, and the caller reads the
  /// buffer no more.
  virtual llvm::IntrusiveRefCntPtr<HeapBuffer> takeHeap();
  /// Computes the bytes if necessary, and moves them to a file (see Spill.h).
  /// False if that is not possible.
  virtual bool spill() { return false; }

private:
  uint64_t byteSize;
};

using BufferRef = llvm::IntrusiveRefCntPtr<Buffer>;

/// Keeps the bytes of a buffer readable for its own lifetime.
class BufferPin {
public:
  BufferPin() = default;
  explicit BufferPin(BufferRef pinned)
      : buffer(std::move(pinned)), bytes(buffer->acquire()) {}
  BufferPin(BufferPin &&other) noexcept
      : buffer(std::move(other.buffer)), bytes(other.bytes) {}
  BufferPin &operator=(BufferPin &&other) noexcept {
    std::swap(buffer, other.buffer);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~BufferPin() {
    if (buffer)
      buffer->release();
  }
  const char *data() const { return bytes; }

private:
  BufferRef buffer;
  const char *bytes = nullptr;
};

/// Memory of the process, aligned to 64 bytes, always readable. Writable by
/// its creator until it is shared.
class HeapBuffer : public Buffer {
public:
  explicit HeapBuffer(uint64_t size);
  ~HeapBuffer() override;

  char *data() { return bytes; }
  const char *acquire() override { return bytes; }
  void release() override {}
  const char *residentBytes() const override { return bytes; }
  llvm::IntrusiveRefCntPtr<HeapBuffer> takeHeap() override { return this; }

  /// An object that lives as long as the bytes: the owner of the characters
  /// that string elements point at.
  std::shared_ptr<const void> keepAlive;

private:
  char *bytes;
};

/// A buffer over memory of another owner. The owner keeps it readable and
/// unchanged until `released` is called, which happens once, in the thread that
/// drops the last reference. If `released` is null, the memory must outlive all
/// references to the buffer. The address need not be aligned.
///   auto bytes = foreignBuffer({p, n}, [weights = std::move(weights)] {});
BufferRef foreignBuffer(llvm::ArrayRef<char> bytes,
                        std::function<void()> released = nullptr);

/// A request for a few elements of a tensor that is not computed.
struct SampleRequest {
  llvm::ArrayRef<int64_t> positions; ///< row-major
  unsigned width;                    ///< bytes of an element
  char *out;
  /// The number of programs that may still be run. Operands may be shared, so
  /// that without this limit the work could double with each level.
  unsigned &left;
};

/// Bytes that a total function computes on demand. After the first use they are
/// dropped with the last pin. The second use shows that they are worth keeping:
/// they are kept, and the function is dropped with everything that it holds. So
/// nothing is computed more than twice. Kept bytes are moved to a file when
/// they exceed their budget (Memory.h). A thread that needs bytes waits while
/// another thread computes them. Operands are computed before their users: an
/// operand with several users is computed once and kept until the last user is
/// done, and only the operands of one computation are pinned at a time
/// (ComputedOperands.h).
class DeferredBuffer : public Buffer {
public:
  using Compute = std::function<void(char *out)>;
  using Operands = std::function<void(llvm::SmallVectorImpl<Buffer *> &)>;
  /// `compute` writes all bytes and owns what it reads. `depth` is 1 + the
  /// largest depth of a buffer that it reads. `operands` adds the buffers that
  /// it would read now; if it is null, they are computed while `compute` runs.
  DeferredBuffer(uint64_t size, Compute compute, unsigned depth = 1,
                 Operands operands = nullptr);
  /// A function that writes the requested elements. It returns false if this
  /// would compute all of a tensor. It owns what it reads.
  using Sample = std::function<bool(const SampleRequest &)>;
  /// REQUIRES: no other thread has a reference to the buffer yet.
  void setSample(Sample given) { sampling = std::move(given); }
  /// Writes the requested elements without computing the bytes. False if that
  /// is not possible, or if the bytes are kept.
  bool sample(const SampleRequest &request);
  ~DeferredBuffer() override;

  const char *acquire() override;
  void release() override;
  bool computeInto(char *out) override;
  void settle() override;
  unsigned depth() const override { return nesting; }
  DeferredBuffer *asDeferred() override { return this; }
  /// Whether the bytes are computed at this moment.
  bool isComputed();
  llvm::IntrusiveRefCntPtr<HeapBuffer> takeHeap() override;
  bool spill() override;

private:
  friend class detail::ComputedOperands;

  std::mutex mutex;
  Compute compute;   // null: the bytes are kept
  Operands operands; // null then, too
  Sample sampling;   // null then, too
  llvm::IntrusiveRefCntPtr<detail::KeptBytes> bytes;
  bool computedBefore = false;
  unsigned holds = 0; // of ComputedOperands that computed the bytes
  std::atomic<unsigned> nesting;

  void computeOnce();
  bool computeAgain();
  void keep();
  void dropUnused();
};

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_MEMORY_BUFFER_H
