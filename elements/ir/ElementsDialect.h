//===- ElementsDialect.h - The dialect of tensor attributes -----*- C++ -*-===//
//
// The dialect `elements` has one attribute, DisposableElementsAttr, and owns
// the record of all such attributes of its context, which gc works on.
//
//   context.loadDialect<ElementsDialect>();   // before attributes are made
//
// Thread safety: as MLIRContext; DisposableStore says its own.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_IR_ELEMENTSDIALECT_H
#define ONNXFOLD_ELEMENTS_IR_ELEMENTSDIALECT_H

#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "mlir/IR/Dialect.h"
#include <mutex>
#include <vector>

namespace onnxfold {

// The classes of gc that decide what is disposed.
class AttributePin;
class Collector;
class DisposablePool;
class Scrubber;

/// Numbers about the disposable attributes of a context, from its beginning.
/// Bytes are those of the values if all were computed; views of one buffer
/// count each.
struct DisposableStatistics {
  uint64_t created = 0, disposed = 0;
  uint64_t liveBytes = 0, peakBytes = 0, disposedBytes = 0;
  /// Collections, those of nested passes and scrub's included; the time that
  /// all threads spent in them.
  uint64_t collections = 0, nanoseconds = 0;
  /// Of files, in the whole process, now (MemoryStatistics in Memory.h).
  uint64_t mappedBytes = 0;
  uint64_t live() const { return created - disposed; }
};

/// All disposable attributes of one context that are not disposed yet. Only
/// gc can change what is in here; others may read the statistics.
/// Thread safety: creation and statistics from any thread.
class DisposableStore {
public:
  explicit DisposableStore(mlir::MLIRContext *context) : context(context) {}
  DisposableStatistics statistics() const;

  /// Attributes that the calling thread makes while such a scope is alive count
  /// as born outside every root: gc keeps them until a root adopts them. For
  /// code that builds a module which is not registered yet while passes run on
  /// other modules of the context. Scopes nest.
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

  /// What one pass makes on its thread. Weight is what attributes may keep in
  /// memory: the buffers that a value holds, and its record. Unlike the bytes
  /// of the statistics, a splat weighs next to nothing, and a slice as much as
  /// all of what it is cut from.
  struct Nursery {
    DisposableStore *store;
    std::vector<DisposableElementsAttr> born;
    uint64_t weight = 0; // of all that was ever in `born`
  };
  /// Lists what the calling thread makes from now on in this store, until the
  /// matching endNursery; they nest as the passes of a thread do.
  void beginNursery();
  std::vector<DisposableElementsAttr> endNursery();
  static Nursery &nursery(); // of this thread's innermost pass

  /// The weight of all attributes ever made, and of those alive.
  uint64_t bornWeight() const { return weightOfBorn; }
  uint64_t liveWeight() const;
  uint64_t liveWeight(llvm::ArrayRef<DisposableElementsAttr> among) const;

  /// Numbers a collection, of which several may run at once, each among
  /// attributes of its own.
  uint32_t beginCollection() { return ++collections; }
  void addTime(uint64_t nanoseconds);

  /// From now on marks of before no longer count. REQUIRES, as mark, isMarked,
  /// and the sweep of everything: the world is stopped.
  void beginMarking() { ++marking; }
  /// Says that the attribute is in use, by the operation at `owner`.
  void mark(DisposableElementsAttr attr, mlir::Location owner);
  bool isMarked(DisposableElementsAttr attr) const;
  void setOwner(DisposableElementsAttr attr, mlir::Location owner);

  /// Disposes what is not marked, not pinned, and not born outside roots, for
  /// the collection of that number.
  size_t sweep(uint32_t number);
  /// The same among `candidates`, marked or not.
  size_t sweep(uint32_t number,
               llvm::ArrayRef<DisposableElementsAttr> candidates);

  void pin(DisposableElementsAttr attr);
  void unpin(DisposableElementsAttr attr);
  void adopt(DisposableElementsAttr attr); // no longer born outside
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
