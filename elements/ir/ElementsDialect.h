//===- ElementsDialect.h - The dialect of tensor attributes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The dialect `elements` has one attribute, DisposableElementsAttr. It owns the
// store of all such attributes of its context, on which gc works.
//
//   context.loadDialect<ElementsDialect>();   // before attributes are made
//
// Thread safety: that of MLIRContext. DisposableStore has its own rules, below.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_IR_ELEMENTSDIALECT_H
#define ONNXFOLD_ELEMENTS_IR_ELEMENTSDIALECT_H

#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "mlir/IR/Dialect.h"
#include <mutex>
#include <vector>

namespace onnxfold {

// The classes of gc that decide which attributes are disposed.
class AttributePin;
class Collector;
class DisposablePool;
class Scrubber;

/// Numbers about the disposable attributes of a context since it was made. The
/// bytes of a value are counted as if it were computed, and each view of a
/// buffer counts in full.
struct DisposableStatistics {
  uint64_t created = 0, disposed = 0;
  uint64_t liveBytes = 0, peakBytes = 0, disposedBytes = 0;
  /// The number of collections (those of nested passes and of scrub included),
  /// and the time that all threads spent in them.
  uint64_t collections = 0, nanoseconds = 0;
  /// The bytes of mapped files in the whole process at the moment of the call
  /// (MemoryStatistics in Memory.h).
  uint64_t mappedBytes = 0;
  uint64_t live() const { return created - disposed; }
};

/// All disposable attributes of one context that are not disposed yet. Only gc
/// can dispose them; others may read the statistics.
/// Thread safety: any thread may create attributes and read the statistics.
class DisposableStore {
public:
  explicit DisposableStore(mlir::MLIRContext *context) : context(context) {}
  DisposableStatistics statistics() const;

  /// Attributes that the calling thread makes while such a scope is alive count
  /// as born outside every root: gc keeps them until a root adopts them. Code
  /// that builds a module which is not registered yet, while passes run on
  /// other modules of the context, needs such a scope. Scopes nest.
  class OutsideRoots {
  public:
    OutsideRoots();
    ~OutsideRoots();
    OutsideRoots(const OutsideRoots &) = delete;
    OutsideRoots &operator=(const OutsideRoots &) = delete;
  };

private:
  friend class AttributePin;
  friend class Collector;
  friend class DisposableElementsAttr;
  friend class DisposablePool;
  friend class Scrubber;
  using Storage = detail::DisposableStorage;

  DisposableElementsAttr create(mlir::ShapedType type, Elements elements);

  //===--- for gc ---------------------------------------------------------===//

  /// The attributes that one pass makes on its thread. The weight of an
  /// attribute is the memory that it may keep alive: the buffers that its value
  /// holds, and its record. Unlike the bytes of the statistics, the weight of a
  /// splat is next to nothing, and that of a slice includes the whole buffer.
  struct Nursery {
    DisposableStore *store;
    std::vector<DisposableElementsAttr> born;
    uint64_t weight = 0; // of all that was ever in `born`
  };
  /// Lists the attributes that the calling thread makes from now on in this
  /// store, until the matching endNursery. Nurseries nest as the passes of a
  /// thread do.
  void beginNursery();
  std::vector<DisposableElementsAttr> endNursery();
  static Nursery &nursery(); // of this thread's innermost pass

  /// The weight of all attributes ever made, of those alive, and of those alive
  /// in `among`.
  uint64_t bornWeight() const { return weightOfBorn; }
  uint64_t liveWeight() const;
  uint64_t liveWeight(llvm::ArrayRef<DisposableElementsAttr> among) const;

  /// Returns the number of a new collection. Several collections may run at
  /// once, each among attributes of its own.
  uint32_t beginCollection() { return ++collections; }
  void addTime(uint64_t nanoseconds);

  /// Invalidates all marks. REQUIRES (also for mark, isMarked and the sweep of
  /// all attributes): no other thread works in the context.
  void beginMarking() { ++marking; }
  /// Marks the attribute as used by the operation at `owner`.
  void mark(DisposableElementsAttr attr, mlir::Location owner);
  bool isMarked(DisposableElementsAttr attr) const;
  void setOwner(DisposableElementsAttr attr, mlir::Location owner);

  /// Disposes the attributes that are neither marked, nor pinned, nor born
  /// outside every root, on behalf of collection `number`. Returns how many
  /// they are.
  size_t sweep(uint32_t number);
  /// The same among `candidates`, whether they are marked or not.
  size_t sweep(uint32_t number,
               llvm::ArrayRef<DisposableElementsAttr> candidates);

  void pin(DisposableElementsAttr attr);
  void unpin(DisposableElementsAttr attr);
  void adopt(DisposableElementsAttr attr); // no longer counts as born outside
  void disown(DisposableElementsAttr attr);

  struct ThreadState;
  static ThreadState &threadState();
  detail::LiveValue *takeValue(uint32_t number, Storage *storage);

  mlir::MLIRContext *context;
  mutable std::mutex mutex;          // guards the following
  std::vector<Storage *> attributes; // may hold disposed ones until a sweep
  DisposableStatistics numbers;
  uint64_t weightOfLive = 0;

  std::atomic<uint64_t> weightOfBorn = 0;
  std::atomic<uint32_t> nextId = 1;
  std::atomic<uint32_t> collections = 0; // the number of the last one
  std::atomic<uint32_t> marking = 0;     // the number of the current one
  std::atomic<unsigned> roots = 0;       // registered with gc
};

class ElementsDialect : public mlir::Dialect {
public:
  explicit ElementsDialect(mlir::MLIRContext *context);
  ~ElementsDialect() override;
  static constexpr llvm::StringLiteral getDialectNamespace() {
    return llvm::StringLiteral("elements");
  }

  DisposableStore &getStore() { return store; }

  mlir::Attribute parseAttribute(mlir::DialectAsmParser &parser,
                                 mlir::Type type) const override;
  void printAttribute(mlir::Attribute attr,
                      mlir::DialectAsmPrinter &printer) const override;

private:
  void registerAttributes(); // where their storage is known

  DisposableStore store;
};

} // namespace onnxfold

MLIR_DECLARE_EXPLICIT_TYPE_ID(onnxfold::ElementsDialect)

#endif // ONNXFOLD_ELEMENTS_IR_ELEMENTSDIALECT_H
