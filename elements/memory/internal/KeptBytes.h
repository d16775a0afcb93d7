//===- KeptBytes.h - Bytes in memory or spilled -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of one computed buffer. At first they are in the heap. Once they
// are kept (they are known to be needed again) they count towards the budget of
// MemoryLimits, and may be moved to the file of spilled bytes while they are
// not pinned.
//
// Thread safety: all members and functions may be called from any thread. No
// lock is held while bytes are written, while a function of the caller runs, or
// while another buffer is computed.
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
  /// The bytes are not under the budget before keep().
  explicit KeptBytes(HeapBufferRef heap);
  explicit KeptBytes(std::unique_ptr<SpilledRange> range);
  ~KeptBytes();

  uint64_t size() const { return bytes; }

  /// These do what Buffer's functions of these names do. release() returns how
  /// many pins are left.
  const char *acquire();
  unsigned release();
  bool isPinned();

  /// The bytes are under the budget from now on.
  void keep();
  /// Says that the owner is destroyed. Every owner calls this last.
  /// REQUIRES: there are no pins.
  void retire();
  /// The bytes, for an owner that overwrites and gives them up. Null unless
  /// they are in the heap, unpinned, and not being written to the file.
  HeapBufferRef take();

  enum class Spill { Done, Busy, Failed };
  /// Writes kept bytes to the file; the heap is freed now, or when the last pin
  /// is released. Busy: another thread writes them, or the owner is destroyed.
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
/// Lets spilling be tried again after the disk was full.
void retrySpilling();

/// `size` bytes that `compute` writes. They are in the file if `size` exceeds
/// the whole budget and largestInMemory, and the file can be written.
KeptBytesRef computeBytes(uint64_t size,
                          llvm::function_ref<void(char *out)> compute);

} // namespace onnxfold::detail

#endif // ONNXFOLD_ELEMENTS_MEMORY_INTERNAL_KEPTBYTES_H
