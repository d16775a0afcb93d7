//===- Runtime.h - What compiled sequence programs call ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The layout of records and storages of sequences in memory, and the functions
// that programs lowered by convert-seq-to-memref call. The library needs only
// the standard library. C++ programs build and read sequences by Sequence.h.
//
// A record is one block: a count of references, element type, rank, the
// descriptor of a memref as MLIR lays it out, the data in row-major order. A
// storage is one block: a count, a capacity, that many pointers to records.
// Counts behave as those of std::shared_ptr: they are atomic in programs that
// have threads.
//
// Ownership: a function that "takes" an object consumes a reference to it, and
// one that "gives" an object returns a reference; all others only read. The
// owner of a reference passes it on once, or releases it once.
//
// Errors: where the program must stop, the handler is called with a message
// (setSequenceErrorHandler), and then abort(). Failed allocation is such an
// error.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SEQUENCE_RUNTIME_RUNTIME_H
#define ONNXFOLD_SEQUENCE_RUNTIME_RUNTIME_H

#include <cstddef>
#include <cstdint>

namespace onnxfold::sequence {

/// A number for each element type: those of C++ types are below, the compiler
/// makes the others (elementCode in RuntimeCalls.h).
enum class ElementCode : uint32_t {
  I1 = 0x10001,
  I8 = 0x10008,
  I16 = 0x10010,
  I32 = 0x10020,
  I64 = 0x10040,
  UI8 = 0x20008,
  UI16 = 0x20010,
  UI32 = 0x20020,
  UI64 = 0x20040,
  Index = 0x30040,
  F16 = 0x40010,
  F32 = 0x40020,
  F64 = 0x40040,
};

/// An element. The fields from `allocated` on are the descriptor of a memref of
/// that rank: sizes and strides follow, then the data, aligned to 64 bytes,
/// or to 16 where it is smaller than 64.
struct SequenceRecord {
  int32_t count;
  ElementCode elementCode;
  uint64_t elementBytes;
  int64_t rank;
  void *allocated; // = aligned: the data
  void *aligned;
  int64_t offset; // 0

  int64_t *sizes() { return &offset + 1; }
  const int64_t *sizes() const { return &offset + 1; }
  int64_t *strides() { return sizes() + rank; }
};

/// The slots of a sequence. The storage does not know the number of slots in
/// use: that is the length, which is passed with the pointer. A null pointer is
/// a storage of capacity 0.
struct SequenceStorage {
  int32_t count;
  /// A number for the type that onnxfoldSequenceCheck has found all elements to
  /// have; 0: they were not checked. Code that stores an element of another
  /// type must set it to 0.
  uint32_t checkedFor;
  int64_t capacity;

  SequenceRecord **slots() {
    return reinterpret_cast<SequenceRecord **>(this + 1);
  }
};

/// A sequence as programs pass it: in two registers, or as two arguments.
struct SequenceValue {
  SequenceStorage *storage;
  int64_t length;
};

/// Replaces malloc and free for records and storages, for example to count
/// allocations. REQUIRES (setSequenceAllocator): no sequence is alive.
struct SequenceAllocator {
  void *(*allocate)(size_t bytes);
  void (*free)(void *block);
};
void setSequenceAllocator(SequenceAllocator allocator);

/// A function that is called with the message when the program must stop. It
/// may throw or longjmp; the memory that the program holds then leaks. The
/// default writes the message to standard error.
using SequenceErrorHandler = void (*)(const char *message);
void setSequenceErrorHandler(SequenceErrorHandler handler);

/// The greatest rank of an unranked tensor that a loop carries.
constexpr int64_t maxKeptRank = 64;

} // namespace onnxfold::sequence

// The functions that programs call. Sizes and positions have 64 bits; the
// caller checks them, unless a function says that it does.
extern "C" {

/// Gives a record of that shape; the data is not set.
onnxfold::sequence::SequenceRecord *
onnxfoldSequenceRecordAlloc(uint32_t elementCode, int64_t elementBytes,
                            int64_t rank, const int64_t *sizes);

/// Gives a record with a copy of the buffer of a memref descriptor.
onnxfold::sequence::SequenceRecord *
onnxfoldSequenceRecordCopy(uint32_t elementCode, int64_t elementBytes,
                           int64_t rank, const void *descriptor);

void onnxfoldSequenceRecordRetain(onnxfold::sequence::SequenceRecord *record);

/// Takes a reference.
void onnxfoldSequenceRecordRelease(onnxfold::sequence::SequenceRecord *record);

/// Stops unless the record has that element type, rank (-1: any) and sizes
/// (negative: any). `what` names it.
void onnxfoldSequenceRecordCheck(
    const onnxfold::sequence::SequenceRecord *record, uint32_t elementCode,
    int64_t rank, const int64_t *sizes, const char *what);

/// Stops unless a sequence has the length (negative: any), and all elements
/// that type, rank (-1: any) and sizes (negative: any). `what` names it.
void onnxfoldSequenceCheck(onnxfold::sequence::SequenceStorage *storage,
                           int64_t length, int64_t expectedLength,
                           uint32_t elementCode, int64_t rank,
                           const int64_t *sizes, const char *what);

/// The next insert may be of another type than onnxfoldSequenceCheck has found.
void onnxfoldSequenceForget(onnxfold::sequence::SequenceStorage *storage);

/// Stops unless the descriptor of a memref of that rank has these sizes
/// (negative: any), lies in row-major order from offset 0 on, and has data at a
/// multiple of `alignment`. `sizes` is null for an unranked memref, of which
/// only the rank is checked.
void onnxfoldSequenceCheckBuffer(int64_t rank, const void *descriptor,
                                 const int64_t *sizes, int64_t alignment,
                                 const char *what);

/// Gives a storage with room for that many elements, null for 0.
onnxfold::sequence::SequenceStorage *onnxfoldSequenceAlloc(int64_t capacity);

/// Takes a storage with `length` elements, and gives one with the same elements
/// and a capacity of at least `room` that has only this reference. It gives the
/// same storage if that has these properties already. Storages grow by
/// doubling.
onnxfold::sequence::SequenceStorage *
onnxfoldSequenceReserve(onnxfold::sequence::SequenceStorage *storage,
                        int64_t length, int64_t room);

/// Moves `count` slots; they may overlap.
void onnxfoldSequenceMove(onnxfold::sequence::SequenceStorage *storage,
                          int64_t from, int64_t to, int64_t count);

void onnxfoldSequenceRetain(onnxfold::sequence::SequenceStorage *storage);

/// Takes a storage. If this was the last reference, its elements are released.
void onnxfoldSequenceDealloc(onnxfold::sequence::SequenceStorage *storage,
                             int64_t length);

/// Gives the slices of a memref along an axis, for sequence.split. `chunk` is
/// their extent, unless `extents` (a descriptor of a vector of i64, or null)
/// has one for each. Checks axis, chunk and extents; messages name `caller`.
onnxfold::sequence::SequenceValue
onnxfoldSequenceSplit(uint32_t elementCode, int64_t elementBytes, int64_t rank,
                      const void *descriptor, int64_t axis, int64_t squeeze,
                      int64_t chunk, const void *extents, const char *caller);

/// Gives a record with the concatenated elements, for sequence.concat. Checks
/// the axis, the shapes, and that there is an element.
onnxfold::sequence::SequenceRecord *
onnxfoldSequenceConcat(onnxfold::sequence::SequenceStorage *storage,
                       int64_t length, int64_t axis, int64_t stack,
                       const char *caller);

/// Copies a descriptor of that rank to `target`, which has room for one of rank
/// maxKeptRank. Stops if the rank is greater.
void onnxfoldSequenceKeepDescriptor(int64_t rank, const void *source,
                                    void *target);

/// Stops because a position is out of range. `operation` is "sequence.at", or
/// the name that its location has ("SequenceAt 'pick'").
[[noreturn]] void onnxfoldSequenceOutOfRange(const char *operation,
                                             int64_t position, int64_t length,
                                             int64_t inclusive);

/// Stops because a cf.assert has failed.
[[noreturn]] void onnxfoldSequenceStop(const char *message);

/// Stops because a sequence.cast declares another length.
[[noreturn]] void onnxfoldSequenceOtherLength(int64_t length, int64_t said);
}

#endif // ONNXFOLD_SEQUENCE_RUNTIME_RUNTIME_H
