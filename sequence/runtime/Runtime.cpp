//===- Runtime.cpp - What compiled sequence programs call -----------------===//

#include "onnxfold/sequence/runtime/Runtime.h"

#include "onnxfold/sequence/runtime/internal/Support.h"
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ext/atomicity.h>

using namespace onnxfold::sequence;

// Where compiled programs look (transforms/ConvertSeqToMemRef.cpp).
static_assert(sizeof(SequenceStorage) == 16);
static_assert(offsetof(SequenceRecord, rank) == 16);
static_assert(offsetof(SequenceRecord, allocated) == 24);
static_assert(offsetof(SequenceRecord, aligned) == 32);

//===----------------------------------------------------------------------===//
// Memory and errors
//===----------------------------------------------------------------------===//

/// Of data; what is smaller than that, as most elements are, has malloc's own
/// alignment: padding would be most of its record.
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

/// A reference less; whether it was the last. A count that is gone already is
/// a mistake of the compiler or of a caller, and better stopped at.
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
  int64_t stride = 1;
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

void onnxfoldSequenceRecordCheck(const SequenceRecord *record,
                                 uint32_t elementCode, int64_t rank,
                                 const int64_t *sizes) {
  if (record->elementCode != ElementCode(elementCode))
    stopProgram("sequence.at: an element of type code %#x where %#x is "
                "expected",
                unsigned(record->elementCode), elementCode);
  if (rank < 0)
    return;
  if (record->rank != rank)
    stopProgram("sequence.at: an element of rank %lld where rank %lld is "
                "expected",
                (long long)record->rank, (long long)rank);
  for (int64_t i = 0; i < rank; ++i)
    if (sizes[i] >= 0 && record->sizes()[i] != sizes[i])
      stopProgram("sequence.at: dimension %lld of an element is %lld where "
                  "%lld is expected",
                  (long long)i, (long long)record->sizes()[i],
                  (long long)sizes[i]);
}

//===----------------------------------------------------------------------===//
// Storages
//===----------------------------------------------------------------------===//

SequenceStorage *onnxfoldSequenceAlloc(int64_t capacity) {
  if (capacity == 0)
    return nullptr;
  auto *storage = static_cast<SequenceStorage *>(
      allocate(sizeof(SequenceStorage) + capacity * sizeof(SequenceRecord *)));
  *storage = {1, capacity};
  return storage;
}

/// A storage of at least that room with the slots of another one.
static SequenceStorage *copyOfSlots(SequenceStorage *storage, int64_t length,
                                    int64_t room) {
  int64_t grown = storage && room > storage->capacity
                      ? std::max(room, 2 * storage->capacity)
                      : room;
  SequenceStorage *copy = onnxfoldSequenceAlloc(grown);
  if (length)
    std::memcpy(copy->slots(), storage->slots(),
                length * sizeof(SequenceRecord *));
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

void onnxfoldSequenceOutOfRange(const char *operation, int64_t position,
                                int64_t length, int64_t inclusive) {
  stopProgram("sequence.%s: position %lld is not in [%lld, %lld] of a sequence "
              "of length %lld",
              operation, (long long)position, (long long)-length,
              (long long)(inclusive ? length : length - 1), (long long)length);
}

void onnxfoldSequenceStop(const char *message) { stopProgram("%s", message); }

void onnxfoldSequenceOtherLength(int64_t length, int64_t said) {
  stopProgram("sequence.cast: a sequence of length %lld where length %lld is "
              "expected",
              (long long)length, (long long)said);
}
