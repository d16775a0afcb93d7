//===- Runtime.cpp - What compiled sequence programs call -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/sequence/runtime/Runtime.h"

#include "onnxfold/sequence/runtime/internal/Support.h"
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ext/atomicity.h>

using namespace onnxfold::sequence;

// Compiled programs read fields at these offsets
// (transforms/ConvertSeqToMemRef.cpp).
static_assert(sizeof(SequenceStorage) == 16);
static_assert(offsetof(SequenceRecord, rank) == 16);
static_assert(offsetof(SequenceRecord, allocated) == 24);
static_assert(offsetof(SequenceRecord, aligned) == 32);

//===----------------------------------------------------------------------===//
// Memory and errors
//===----------------------------------------------------------------------===//

/// The alignment of data; most elements are smaller, and have malloc's own
/// alignment: padding would be most of their record.
constexpr size_t alignment = 64, alignmentOfMalloc = 16;
static_assert(sizeof(SequenceRecord) % alignmentOfMalloc == 0);

static void writeToStandardError(const char *message) {
  std::fprintf(stderr, "%s\n", message);
  std::fflush(stderr);
}

static SequenceAllocator memory = {std::malloc, std::free};
static SequenceErrorHandler onError = writeToStandardError;

void onnxfold::sequence::setSequenceAllocator(SequenceAllocator allocator) {
  memory = allocator;
}

void onnxfold::sequence::setSequenceErrorHandler(SequenceErrorHandler handler) {
  onError = handler ? handler : writeToStandardError;
}

void onnxfold::sequence::stopProgram(const char *format, ...) {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  onError(message);
  std::abort();
}

static void *allocate(size_t bytes) {
  void *block = memory.allocate(bytes);
  if (!block)
    stopProgram("sequence: no memory for %zu bytes", bytes);
  return block;
}

/// A reference less; whether it was the last. A count that is 0 already is a
/// mistake of the compiler or of a caller, and better stopped at.
static bool dropReference(int32_t &count, const char *what) {
  if (count <= 0)
    stopProgram("sequence: a %s is released that was freed", what);
  if (__gnu_cxx::__exchange_and_add_dispatch(&count, -1) != 1)
    return false;
  count = -1;
  return true;
}

static void addReference(int32_t &count) {
  __gnu_cxx::__atomic_add_dispatch(&count, 1);
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

SequenceRecord *onnxfoldSequenceRecordAlloc(uint32_t elementCode,
                                            int64_t elementBytes, int64_t rank,
                                            const int64_t *sizes) {
  size_t elements = 1;
  for (int64_t i = 0; i < rank; ++i)
    if (sizes[i] < 0 ||
        __builtin_mul_overflow(elements, size_t(sizes[i]), &elements))
      stopProgram("sequence: an element has size %lld in dimension %lld",
                  (long long)sizes[i], (long long)i);
  size_t dataBytes, bytes;
  bool tooMany =
      __builtin_mul_overflow(elements, size_t(elementBytes), &dataBytes);
  // aligned_alloc would cost several times what malloc does.
  size_t padding =
      dataBytes < alignment ? 0 : size_t(alignment - alignmentOfMalloc);
  size_t header = sizeof(SequenceRecord) + 2 * rank * sizeof(int64_t);
  if (tooMany || __builtin_add_overflow(dataBytes, header + padding, &bytes))
    stopProgram("sequence: an element has too many bytes");
  auto *record = static_cast<SequenceRecord *>(allocate(bytes));
  uintptr_t place = reinterpret_cast<uintptr_t>(record) + header;
  if (padding)
    place = (place + alignment - 1) / alignment * alignment;
  auto *data = reinterpret_cast<char *>(place);
  *record = {
      1,           ElementCode(elementCode), uint64_t(elementBytes), rank, data,
      data,
      /*offset=*/0};
  std::copy_n(sizes, rank, record->sizes());
  uint64_t stride = 1; // may overflow beside a size of 0
  for (int64_t i = rank - 1; i >= 0; --i) {
    record->strides()[i] = stride;
    stride *= sizes[i];
  }
  return record;
}

SequenceRecord *onnxfoldSequenceRecordCopy(uint32_t elementCode,
                                           int64_t elementBytes, int64_t rank,
                                           const void *descriptor) {
  BufferView source(descriptor, rank, elementBytes);
  SequenceRecord *record = onnxfoldSequenceRecordAlloc(
      elementCode, elementBytes, rank, source.sizes);
  copyStrided(*record, source);
  return record;
}

void onnxfoldSequenceRecordRetain(SequenceRecord *record) {
  addReference(record->count);
}

void onnxfoldSequenceRecordRelease(SequenceRecord *record) {
  if (dropReference(record->count, "record"))
    memory.free(record);
}

/// The name of a type, or its number.
static const char *nameOf(ElementCode code, char (&buffer)[16]) {
  switch (code) {
#define NAME(CODE, TEXT)                                                       \
  case ElementCode::CODE:                                                      \
    return TEXT
    NAME(I1, "i1");
    NAME(I8, "i8");
    NAME(I16, "i16");
    NAME(I32, "i32");
    NAME(I64, "i64");
    NAME(UI8, "ui8");
    NAME(UI16, "ui16");
    NAME(UI32, "ui32");
    NAME(UI64, "ui64");
    NAME(Index, "index");
    NAME(F16, "f16");
    NAME(F32, "f32");
    NAME(F64, "f64");
#undef NAME
  }
  std::snprintf(buffer, sizeof(buffer), "%#x", unsigned(code));
  return buffer;
}

namespace {
/// The type that an element is expected to have.
struct Expected {
  ElementCode code;
  int64_t rank; // -1: any
  const int64_t *sizes;
};
} // namespace

/// Stops unless a record is what is expected; `what` names it.
static void checkRecord(const SequenceRecord &record, const Expected &expected,
                        const char *what) {
  char mine[16], other[16];
  if (record.elementCode != expected.code)
    stopProgram("%s has type %s where %s is expected", what,
                nameOf(record.elementCode, mine), nameOf(expected.code, other));
  if (expected.rank < 0)
    return;
  if (record.rank != expected.rank)
    stopProgram("%s has rank %lld where rank %lld is expected", what,
                (long long)record.rank, (long long)expected.rank);
  for (int64_t i = 0; i < expected.rank; ++i)
    if (expected.sizes[i] >= 0 && record.sizes()[i] != expected.sizes[i])
      stopProgram("%s has size %lld in dimension %lld where %lld is expected",
                  what, (long long)record.sizes()[i], (long long)i,
                  (long long)expected.sizes[i]);
}

void onnxfoldSequenceRecordCheck(const SequenceRecord *record,
                                 uint32_t elementCode, int64_t rank,
                                 const int64_t *sizes, const char *what) {
  checkRecord(*record, {ElementCode(elementCode), rank, sizes}, what);
}

/// A number for what is expected, not 0.
static uint32_t markOf(const Expected &expected) {
  uint64_t hash = 1469598103934665603u;
  auto mix = [&](uint64_t word) { hash = (hash ^ word) * 1099511628211u; };
  mix(uint64_t(expected.code));
  mix(expected.rank);
  for (int64_t i = 0; i < expected.rank; ++i)
    mix(expected.sizes[i]);
  return uint32_t(hash >> 32) | 1;
}

void onnxfoldSequenceCheck(SequenceStorage *storage, int64_t length,
                           int64_t expectedLength, uint32_t elementCode,
                           int64_t rank, const int64_t *sizes,
                           const char *what) {
  if (expectedLength >= 0 && length != expectedLength)
    stopProgram("%s has length %lld where length %lld is expected", what,
                (long long)length, (long long)expectedLength);
  int64_t capacity = storage ? storage->capacity : 0;
  if (length < 0 || length > capacity)
    stopProgram("%s has length %lld and room for %lld elements", what,
                (long long)length, (long long)capacity);
  if (!length)
    return;
  Expected expected = {ElementCode(elementCode), rank, sizes};
  uint32_t mark = markOf(expected);
  if (__atomic_load_n(&storage->checkedFor, __ATOMIC_RELAXED) == mark)
    return;
  for (int64_t i = 0; i < length; ++i) {
    char element[256];
    std::snprintf(element, sizeof(element), "%s: element %lld", what,
                  (long long)i);
    if (storage->slots()[i]->count <= 0)
      stopProgram("%s was freed", element);
    checkRecord(*storage->slots()[i], expected, element);
  }
  __atomic_store_n(&storage->checkedFor, mark, __ATOMIC_RELAXED);
}

void onnxfoldSequenceForget(SequenceStorage *storage) {
  if (storage)
    __atomic_store_n(&storage->checkedFor, 0, __ATOMIC_RELAXED);
}

/// Stops unless a buffer is row-major from its first element on.
static void checkLayout(const BufferView &buffer, int64_t offset,
                        int64_t alignment, const char *what) {
  int64_t elements = 1;
  for (int64_t i = 0; i < buffer.rank; ++i)
    elements *= buffer.sizes[i];
  if (!elements)
    return;
  if (offset)
    stopProgram("%s has offset %lld where 0 is expected", what,
                (long long)offset);
  if (!buffer.data)
    stopProgram("%s has no data", what);
  if (reinterpret_cast<uintptr_t>(buffer.data) % alignment)
    stopProgram("%s has data at %p, expected a multiple of %lld", what,
                static_cast<void *>(buffer.data), (long long)alignment);
  int64_t stride = 1;
  for (int64_t i = buffer.rank - 1; i >= 0; --i) {
    if (buffer.sizes[i] != 1 && buffer.strides[i] != stride)
      stopProgram("%s has stride %lld in dimension %lld where %lld is expected",
                  what, (long long)buffer.strides[i], (long long)i,
                  (long long)stride);
    stride *= buffer.sizes[i];
  }
}

void onnxfoldSequenceCheckBuffer(int64_t rank, const void *descriptor,
                                 const int64_t *sizes, int64_t alignment,
                                 const char *what) {
  if (rank < 0 || rank > maxKeptRank || !descriptor)
    stopProgram("%s has rank %lld", what, (long long)rank);
  BufferView buffer(descriptor, rank, /*elementBytes=*/1);
  for (int64_t i = 0; i < rank; ++i) {
    int64_t size = buffer.sizes[i];
    if (size < 0 || (sizes && sizes[i] >= 0 && sizes[i] != size))
      stopProgram("%s has size %lld in dimension %lld where %s%lld is expected",
                  what, (long long)size, (long long)i,
                  !sizes || sizes[i] < 0 ? "at least " : "",
                  (long long)(!sizes || sizes[i] < 0 ? 0 : sizes[i]));
  }
  checkLayout(buffer, static_cast<const int64_t *>(descriptor)[2], alignment,
              what);
}

//===----------------------------------------------------------------------===//
// Storages
//===----------------------------------------------------------------------===//

SequenceStorage *onnxfoldSequenceAlloc(int64_t capacity) {
  if (capacity == 0)
    return nullptr;
  size_t bytes;
  if (__builtin_mul_overflow(size_t(capacity), sizeof(SequenceRecord *),
                             &bytes) ||
      __builtin_add_overflow(bytes, sizeof(SequenceStorage), &bytes))
    stopProgram("sequence: no memory for %lld elements", (long long)capacity);
  auto *storage = static_cast<SequenceStorage *>(allocate(bytes));
  *storage = {1, /*checkedFor=*/0, capacity};
  return storage;
}

/// A storage of at least that room with the slots of another one.
static SequenceStorage *copyOfSlots(SequenceStorage *storage, int64_t length,
                                    int64_t room) {
  int64_t grown = storage && room > storage->capacity
                      ? std::max(room, 2 * storage->capacity)
                      : room;
  SequenceStorage *copy = onnxfoldSequenceAlloc(grown);
  if (length) {
    std::memcpy(copy->slots(), storage->slots(),
                length * sizeof(SequenceRecord *));
    copy->checkedFor = __atomic_load_n(&storage->checkedFor, __ATOMIC_RELAXED);
  }
  return copy;
}

SequenceStorage *onnxfoldSequenceReserve(SequenceStorage *storage,
                                         int64_t length, int64_t room) {
  if (!storage)
    return onnxfoldSequenceAlloc(std::max<int64_t>(room, room ? 4 : 0));
  // Nobody else has a reference, so nobody else can make one.
  if (__atomic_load_n(&storage->count, __ATOMIC_ACQUIRE) == 1) {
    if (room <= storage->capacity)
      return storage;
    SequenceStorage *moved = copyOfSlots(storage, length, room);
    dropReference(storage->count, "storage");
    memory.free(storage);
    return moved;
  }
  SequenceStorage *copy = copyOfSlots(storage, length, room);
  for (int64_t i = 0; i < length; ++i)
    addReference(copy->slots()[i]->count);
  onnxfoldSequenceDealloc(storage, length);
  return copy;
}

void onnxfoldSequenceMove(SequenceStorage *storage, int64_t from, int64_t to,
                          int64_t count) {
  if (count > 0)
    std::memmove(storage->slots() + to, storage->slots() + from,
                 count * sizeof(SequenceRecord *));
}

void onnxfoldSequenceRetain(SequenceStorage *storage) {
  if (storage)
    addReference(storage->count);
}

void onnxfoldSequenceDealloc(SequenceStorage *storage, int64_t length) {
  if (!storage || !dropReference(storage->count, "storage"))
    return;
  for (int64_t i = 0; i < length; ++i)
    onnxfoldSequenceRecordRelease(storage->slots()[i]);
  memory.free(storage);
}

void onnxfoldSequenceKeepDescriptor(int64_t rank, const void *source,
                                    void *target) {
  if (rank > maxKeptRank)
    stopProgram("sequence: a loop carries a tensor of rank %lld, above %lld",
                (long long)rank, (long long)maxKeptRank);
  std::memmove(target, source, (3 + 2 * rank) * sizeof(int64_t));
}

void onnxfoldSequenceOutOfRange(const char *operation, int64_t position,
                                int64_t length, int64_t inclusive) {
  stopProgram("%s: position %lld is not in [%lld, %lld] of a sequence of "
              "length %lld",
              operation, (long long)position, (long long)-length,
              (long long)(inclusive ? length : length - 1), (long long)length);
}

void onnxfoldSequenceStop(const char *message) { stopProgram("%s", message); }

void onnxfoldSequenceOtherLength(int64_t length, int64_t said) {
  stopProgram("sequence.cast: a sequence of length %lld where length %lld is "
              "expected",
              (long long)length, (long long)said);
}
