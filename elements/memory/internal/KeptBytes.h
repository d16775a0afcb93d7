//===- KeptBytes.h - Bytes in memory or spilled -----------------*- C++ -*-===//
//
// The bytes of one computed buffer. They are in the heap; once they are kept
// (they are known to be needed again) they count for the budget of
// MemoryLimits, and may move to the file of spilled bytes while they are not
// pinned.
//
// Thread safety: all members and functions. Nothing here calls out or waits for
// another buffer: locks are held for moments, never while bytes are written.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_KEPTBYTES_H
#define ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_KEPTBYTES_H

#include "onnxfold/elements/memory/Buffer.h"
#include "onnxfold/elements/memory/internal/SpillFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/simple_ilist.h"

namespace onnxfold::detail {

using HeapBufferRef = llvm::IntrusiveRefCntPtr<HeapBuffer>;

class KeptBytes : public llvm::ThreadSafeRefCountedBase<KeptBytes>,
                  public llvm::ilist_node<KeptBytes> {
public:
  /// Not under the budget before keep().
  explicit KeptBytes(HeapBufferRef heap);
  explicit KeptBytes(std::unique_ptr<SpilledRange> range);
  ~KeptBytes();

  uint64_t size() const { return bytes; }

  /// As of Buffer. release() returns how many pins are left.
  const char *acquire();
  unsigned release();
  bool isPinned();

  /// The bytes are under the budget from now on.
  void keep();
  /// The owner is destroyed; there are no pins. Every owner calls this at last.
  void retire();
  /// The bytes, which the owner overwrites and gives up: null unless they are
  /// in the heap, unpinned and not being written to the file.
  HeapBufferRef take();

  enum class Spill { Done, Busy, Failed };
  /// Moves bytes that are kept to the file, at the latest when the last pin
  /// is released. Busy: another thread does it, or the owner is destroyed.
  Spill spill();

private:
  friend class KeptList;
  void dropHeap();

  const uint64_t bytes;
  std::mutex mutex; // guards what follows
  HeapBufferRef heap;
  std::unique_ptr<SpilledRange> range;
  const char *mapped = nullptr; // of the range
  unsigned pins = 0;
  bool kept = false, spilling = false, retired = false;
  bool listed = false; // guarded by the list's mutex
};

using KeptBytesRef = llvm::IntrusiveRefCntPtr<KeptBytes>;

/// Spills the bytes that were released first until the kept ones fit into the
/// budget. REQUIRES: the caller holds no lock of a KeptBytes.
void trimKeptBytes();
/// Forgets that the disk was full.
void retrySpilling();

/// `size` bytes written by `compute`: in a file if that is more than the whole
/// budget, unless it cannot be.
KeptBytesRef computeBytes(uint64_t size,
                          llvm::function_ref<void(char *out)> compute);

} // namespace onnxfold::detail

#endif // ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_KEPTBYTES_H
