//===- DisposableElementsAttr.cpp - The attribute and its store -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/memory/Memory.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/ErrorHandling.h"

using namespace onnxfold;

MLIR_DEFINE_EXPLICIT_TYPE_ID(onnxfold::DisposableElementsAttr)

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

namespace onnxfold::detail {

/// The state of an attribute that is alive.
struct LiveValue {
  /// The IR holds rounded values: a wide tensor enters it as what readers see.
  explicit LiveValue(const Elements &value)
      : elements(value.narrowed()), bytes(elements.bytes()),
        weight(elements.retainedBytes() + recordWeight) {}
  /// This record, and what a handle to a tensor takes beside its buffers.
  static constexpr uint64_t recordWeight = 512;

  Elements elements;
  uint64_t bytes;
  uint64_t weight;                   // see DisposableStore::Nursery
  const void *owner = nullptr;       // the location that mark() was given
  std::atomic<uint32_t> pins = 0;    // of C++ holders
  uint32_t markedBy = ~0u;           // number of a marking, ~0: none
  std::atomic<bool> outside = false; // born outside every root

  /// By somebody whom no walk over roots finds.
  bool isHeld() const { return pins != 0 || outside; }
};

/// The slot, which is never freed before the context: 32 bytes.
struct DisposableStorage : mlir::AttributeStorage {
  /// The id alone decides about equality, so that each key is new.
  struct KeyTy {
    KeyTy(uint32_t id, mlir::Type type, LiveValue *live)
        : id(id), type(type), live(live) {}
    uint32_t id;
    mlir::Type type;
    LiveValue *live;
  };

  explicit DisposableStorage(const KeyTy &key)
      : type(key.type), live(key.live), id(key.id) {}
  ~DisposableStorage() {
    if (!disposedBy)
      delete live;
  }
  bool operator==(const KeyTy &key) const { return id == key.id; }
  /// The number itself. The uniquer takes the low three bits for the shard and
  /// then, again, for the bucket, so that a scattering hash collides often, and
  /// each collision looks at a slot somewhere in memory; consecutive numbers
  /// meet slots that lie side by side (0.2 instead of 0.6 us a creation).
  static llvm::hash_code hashKey(const KeyTy &key) {
    return llvm::hash_code(key.id);
  }
  static DisposableStorage *
  construct(mlir::AttributeStorageAllocator &allocator, const KeyTy &key) {
    return new (allocator.allocate<DisposableStorage>()) DisposableStorage(key);
  }

  /// The live value; null if elided. Ends the program if disposed.
  LiveValue *get() const {
    if (disposedBy)
      diagnoseDisposed();
    return live;
  }
  [[noreturn]] void diagnoseDisposed() const;

  mlir::Type type;
  union {
    LiveValue *live;       // of an attribute that is not disposed
    const void *lastOwner; // of one that is: a location, or null
  };
  uint32_t id;
  uint32_t disposedBy = 0; // number of the collection; 0: not disposed
};

static_assert(sizeof(DisposableStorage) <= 32,
              "every attribute ever made keeps this much memory");

} // namespace onnxfold::detail

using detail::DisposableStorage;
using detail::LiveValue;

void DisposableStorage::diagnoseDisposed() const {
  std::string message;
  llvm::raw_string_ostream os(message);
  os << "gc: read of constant #" << id << " (" << type << ") after collection "
     << disposedBy << " freed it; last owner ";
  if (lastOwner)
    os << mlir::Location::getFromOpaquePointer(lastOwner);
  else
    os << "unknown";
  llvm::report_fatal_error(llvm::StringRef(message));
}

//===----------------------------------------------------------------------===//
// DisposableElementsAttr
//===----------------------------------------------------------------------===//

void ElementsDialect::registerAttributes() {
  addAttributes<DisposableElementsAttr>();
}

static DisposableStore &storeOf(mlir::MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<ElementsDialect>();
  if (!dialect)
    llvm::report_fatal_error("elements: the dialect must be loaded before an "
                             "attribute of it is made");
  return dialect->getStore();
}

DisposableElementsAttr DisposableElementsAttr::get(mlir::ShapedType type,
                                                   Elements elements) {
  assert(elements && elements.shape() == type.getShape());
  assert(elements.type() == toDataType(type.getElementType()));
  return storeOf(type.getContext()).create(type, std::move(elements));
}

DisposableElementsAttr
DisposableElementsAttr::getElided(mlir::ShapedType type) {
  return storeOf(type.getContext()).create(type, Elements());
}

Elements DisposableElementsAttr::getElements() const {
  LiveValue *live = getImpl()->get();
  return live ? live->elements : Elements();
}

bool DisposableElementsAttr::isDisposed() const {
  return getImpl()->disposedBy != 0;
}

bool DisposableElementsAttr::isElided() const {
  return !isDisposed() && !getImpl()->live;
}

uint32_t DisposableElementsAttr::getId() const { return getImpl()->id; }

mlir::ShapedType DisposableElementsAttr::getType() const {
  return mlir::cast<mlir::ShapedType>(getImpl()->type);
}

bool DisposableElementsAttr::isSplat() const {
  LiveValue *live = getImpl()->get();
  return live && live->elements.size() != 0 && live->elements.isSplat();
}

//===----------------------------------------------------------------------===//
// Which attributes a thread makes
//===----------------------------------------------------------------------===//

/// The state that a thread has for all contexts.
struct DisposableStore::ThreadState {
  std::vector<Nursery> nurseries; // of nested passes, innermost last
  unsigned outsideScopes = 0;
};

DisposableStore::ThreadState &DisposableStore::threadState() {
  static thread_local ThreadState state;
  return state;
}

DisposableStore::OutsideRoots::OutsideRoots() { ++threadState().outsideScopes; }
DisposableStore::OutsideRoots::~OutsideRoots() {
  --threadState().outsideScopes;
}

void DisposableStore::beginNursery() {
  threadState().nurseries.push_back({this, {}});
}

std::vector<DisposableElementsAttr> DisposableStore::endNursery() {
  std::vector<Nursery> &nurseries = threadState().nurseries;
  assert(!nurseries.empty() && nurseries.back().store == this);
  auto born = std::move(nurseries.back().born);
  nurseries.pop_back();
  return born;
}

DisposableStore::Nursery &DisposableStore::nursery() {
  return threadState().nurseries.back();
}

//===----------------------------------------------------------------------===//
// DisposableStore
//===----------------------------------------------------------------------===//

DisposableElementsAttr DisposableStore::create(mlir::ShapedType type,
                                               Elements elements) {
  ThreadState &thread = threadState();
  uint32_t id = nextId++;
  if (id == 0)
    llvm::report_fatal_error("elements: more than 2^32 - 1 disposable "
                             "attributes in one context");
  LiveValue *live = nullptr;
  if (elements) {
    live = new LiveValue(elements);
    live->outside = roots == 0 || thread.outsideScopes != 0;
  }
  auto attr = DisposableElementsAttr::Base::get(context, id, type, live);
  if (!live)
    return attr;
  weightOfBorn.fetch_add(live->weight, std::memory_order_relaxed);
  if (!thread.nurseries.empty() && thread.nurseries.back().store == this) {
    thread.nurseries.back().born.push_back(attr);
    thread.nurseries.back().weight += live->weight;
  }
  std::lock_guard<std::mutex> lock(mutex);
  attributes.push_back(attr.getImpl());
  ++numbers.created;
  weightOfLive += live->weight;
  numbers.liveBytes += live->bytes;
  numbers.peakBytes = std::max(numbers.peakBytes, numbers.liveBytes);
  return attr;
}

DisposableStatistics DisposableStore::statistics() const {
  std::lock_guard<std::mutex> lock(mutex);
  DisposableStatistics result = numbers;
  result.collections = collections;
  result.mappedBytes = memoryStatistics().mappedBytes;
  return result;
}

uint64_t DisposableStore::liveWeight() const {
  std::lock_guard<std::mutex> lock(mutex);
  return weightOfLive;
}

uint64_t DisposableStore::liveWeight(
    llvm::ArrayRef<DisposableElementsAttr> among) const {
  uint64_t sum = 0;
  for (DisposableElementsAttr attr : among)
    if (!attr.isDisposed() && attr.getImpl()->live)
      sum += attr.getImpl()->live->weight;
  return sum;
}

void DisposableStore::addTime(uint64_t nanoseconds) {
  std::lock_guard<std::mutex> lock(mutex);
  numbers.nanoseconds += nanoseconds;
}

void DisposableStore::mark(DisposableElementsAttr attr, mlir::Location owner) {
  if (attr.isDisposed() || attr.isElided())
    return;
  attr.getImpl()->live->markedBy = marking;
  setOwner(attr, owner);
}

bool DisposableStore::isMarked(DisposableElementsAttr attr) const {
  return !attr.isDisposed() && !attr.isElided() &&
         attr.getImpl()->live->markedBy == marking;
}

void DisposableStore::setOwner(DisposableElementsAttr attr,
                               mlir::Location owner) {
  attr.getImpl()->live->owner = owner.getAsOpaquePointer();
}

/// Takes the value out, for the caller to delete when it no longer holds the
/// mutex, which it does now: much may hang on the value. REQUIRES: neither
/// disposed nor elided.
LiveValue *DisposableStore::takeValue(uint32_t number, Storage *storage) {
  LiveValue *live = storage->live;
  storage->disposedBy = number;
  storage->lastOwner = live->owner;
  ++numbers.disposed;
  weightOfLive -= live->weight;
  numbers.liveBytes -= live->bytes;
  numbers.disposedBytes += live->bytes;
  return live;
}

size_t DisposableStore::sweep(uint32_t number) {
  std::vector<std::unique_ptr<LiveValue>> dead;
  std::lock_guard<std::mutex> lock(mutex);
  llvm::erase_if(attributes, [&](Storage *storage) {
    if (storage->disposedBy)
      return true;
    if (storage->live->markedBy == marking || storage->live->isHeld())
      return false;
    dead.emplace_back(takeValue(number, storage));
    return true;
  });
  return dead.size();
}

size_t
DisposableStore::sweep(uint32_t number,
                       llvm::ArrayRef<DisposableElementsAttr> candidates) {
  std::vector<std::unique_ptr<LiveValue>> dead;
  std::lock_guard<std::mutex> lock(mutex);
  for (DisposableElementsAttr attr : candidates)
    if (!attr.isDisposed() && !attr.isElided() &&
        !attr.getImpl()->live->isHeld())
      dead.emplace_back(takeValue(number, attr.getImpl()));
  return dead.size();
}

void DisposableStore::pin(DisposableElementsAttr attr) {
  if (LiveValue *live = attr.getImpl()->get())
    ++live->pins;
}

void DisposableStore::unpin(DisposableElementsAttr attr) {
  if (LiveValue *live = attr.getImpl()->get())
    --live->pins;
}

void DisposableStore::adopt(DisposableElementsAttr attr) {
  if (!attr.isDisposed() && !attr.isElided())
    attr.getImpl()->live->outside = false;
}

void DisposableStore::disown(DisposableElementsAttr attr) {
  if (!attr.isDisposed() && !attr.isElided())
    attr.getImpl()->live->outside = true;
}
