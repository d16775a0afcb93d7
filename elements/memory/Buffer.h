//===- Buffer.h - Bytes that tensors share ----------------------*- C++ -*-===//
//
// A Buffer owns, or can produce, the bytes of one or more tensors. Elements
// hold buffers by reference count. A shared buffer is never written to. Bytes
// are readable while at least one BufferPin is alive:
//
//   BufferPin pin(buffer);
//   use(pin.data(), buffer->size());
//
// so that a file is mapped only while it is read, and a result that is computed
// on demand costs memory only then. Kinds: heap, deferred, foreign (all below),
// ranges of files (onnx/io); others subclass it. Memory.h has the limits and
// statistics, and moves computed bytes to a file.
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

  /// Makes the bytes readable until the matching release(). Calls nest.
  virtual const char *acquire() = 0;
  virtual void release() = 0;

  /// Copies `size` bytes at `offset` to `out`, if that takes less time than to
  /// acquire() them and to read them once: a mapping of a file costs page
  /// faults. Otherwise does nothing, always: a `size` of 0 asks which it is.
  virtual bool readRange(uint64_t /*offset*/, uint64_t /*size*/,
                         char * /*out*/) {
    return false;
  }
  /// Writes all bytes to `out`, if they would have to be computed to be read
  /// and are not known to be needed again; otherwise does nothing.
  virtual bool computeInto(char *) { return false; }
  /// Makes sure that nothing has to be computed any more to read the bytes.
  virtual void settle() {}
  /// How many computed buffers may have to be computed one inside the other
  /// to read the bytes; 0 where they simply are there.
  virtual unsigned depth() const { return 0; }
  /// This, if its bytes are computed on demand; else null.
  virtual DeferredBuffer *asDeferred() { return nullptr; }
  /// The bytes, if they are readable in place as long as the buffer lives,
  /// acquired or not; otherwise null.
  virtual const char *residentBytes() const { return nullptr; }
  /// The bytes as writable memory, computed if need be. Null, and nothing has
  /// changed, if they are foreign memory or in a file. REQUIRES: the caller's
  /// reference is the only one, and it does not read the old bytes any more.
  virtual llvm::IntrusiveRefCntPtr<HeapBuffer> takeHeap();
  /// Moves bytes that are in memory, or would have to be computed, to a file
  /// (see spill in Memory.h). False if they are in memory afterwards.
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

  /// Something that must live as long as the bytes (the owner of the
  /// characters that string elements point at).
  std::shared_ptr<const void> keepAlive;

private:
  char *bytes;
};

/// A buffer over memory of another owner, who keeps it readable and unchanged
/// until `released` is called, once, by the thread that drops the last
/// reference; without `released`, longer than every reference to the buffer.
/// The address need not be aligned.
///   auto bytes = foreignBuffer({p, n}, [weights = std::move(weights)] {});
BufferRef foreignBuffer(llvm::ArrayRef<char> bytes,
                        std::function<void()> released = nullptr);

/// A few elements of a tensor that is not computed.
struct SampleRequest {
  llvm::ArrayRef<int64_t> positions; ///< row-major
  unsigned width;                    ///< bytes of an element
  char *out;
  /// Programs that may still be run: tensors may share their operands, and be
  /// shared themselves, so that following them doubles with each level.
  unsigned &left;
};

/// Bytes computed on demand by a total function. They are dropped with the last
/// pin, once: the second use shows that they are worth keeping, and then the
/// function, with everything that it holds, is dropped instead. So nothing is
/// ever computed more than twice. Kept bytes move to a file when there are too
/// many of them (Memory.h). A thread that needs bytes waits while another
/// thread computes them. Operands are computed before their users: an operand
/// with several users is computed once and kept until the last of them is done,
/// and only the operands of one computation are pinned at a time
/// (ComputedOperands.h).
class DeferredBuffer : public Buffer {
public:
  using Compute = std::function<void(char *out)>;
  using Operands = std::function<void(llvm::SmallVectorImpl<Buffer *> &)>;
  /// `depth`: 1 + the largest depth of a buffer that `compute` reads;
  /// `operands`: adds the buffers that it reads now, which it owns; null: its
  /// operands are computed while it runs.
  DeferredBuffer(uint64_t size, Compute compute, unsigned depth = 1,
                 Operands operands = nullptr);
  /// Writes the elements at the positions that are asked for; false if all of a
  /// tensor would have to be computed for it. Owns what it reads.
  using Sample = std::function<bool(const SampleRequest &)>;
  /// REQUIRES: nobody else has the buffer yet.
  void setSample(Sample given) { sampling = std::move(given); }
  /// While the bytes are not there; false if it cannot be done.
  bool sample(const SampleRequest &request);
  ~DeferredBuffer() override;

  const char *acquire() override;
  void release() override;
  bool computeInto(char *out) override;
  void settle() override;
  unsigned depth() const override { return nesting; }
  DeferredBuffer *asDeferred() override { return this; }
  /// The bytes are there now, as long as they are needed.
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
  unsigned holds = 0; // who computed the bytes before they are read
  std::atomic<unsigned> nesting;

  void computeOnce();
  bool computeAgain();
  void keep();
  void dropUnused();
};

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_MEMORY_BUFFER_H
