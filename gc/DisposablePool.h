//===- DisposablePool.h - Which attributes are alive ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A DisposableElementsAttr (elements/) is alive while something refers to it:
//
//  * a module that is registered as a root: in any attribute or property of any
//    of its operations, nested in arrays, dictionaries, other attributes, types
//    and locations too;
//  * an AttributePin of C++ code;
//  * nothing, if it was born outside every root: while no root was registered,
//    in a pass on an operation that is in no root, by the parser of MLIR text,
//    or in a DisposableStore::OutsideRoots scope. The pool does not know the
//    holders of such an attribute and keeps it, until a root that contains it
//    adopts it.
//
// A collection disposes all other attributes: their data is freed, and reading
// them ends the program with a message (see style of errors in
// DisposableElementsAttr.h).
//
//   OwningOpRef<ModuleOp> module = ...;
//   ModuleRoot root(*module);              // adopts what the module holds
//   AttributePin pin(attr);                // for a C++ holder
//   DisposablePool::get(context).collect();
//
// After the registration every copy of the module (clone) that is to outlive a
// collection is a root of its own. Collector.h collects between passes, and
// Scrub.h turns the remaining attributes into ordinary ones.
//
// Inside a pass nothing is collected, unless the pass declares a point at which
// attributes are held only by its own operation, by pins, and by operations
// that it names:
//
//   for (Operation *op : work) {
//     op->setAttr("value", compute(op));   // the old value is garbage
//     pool.safePoint();
//   }
//
// A safe point takes a few nanoseconds. Once enough bytes were created since
// the last collection (CollectorOptions::pressureBytes) it collects: on a root,
// if no other thread is changing one, it frees everything unreachable;
// otherwise only what this pass made on this thread and its operation does not
// refer to. So the garbage of a pass of any length is bounded by the largest of
// pressureBytes, an eighth of the live data, and 1 KB for each operation and
// attribute that a collection visits. For greedy rewriting, SafePoint.h
// declares safe points between patterns.
//
// Thread safety: roots, pins, safe points and statistics from any thread.
// collect() needs the world stopped: it waits for passes that a Collector
// watches and for NoCollection scopes; beside these no other thread may change
// a registered root, or hold a new attribute that is neither pinned nor in one
// yet. The first get() of a context must not race with other uses of its
// dialects.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_DISPOSABLEPOOL_H
#define ONNXFOLD_GC_DISPOSABLEPOOL_H

#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/gc/WorldLock.h"
#include "mlir/IR/DialectInterface.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace onnxfold {

class DisposablePool : public mlir::DialectInterface::Base<DisposablePool> {
public:
  explicit DisposablePool(mlir::Dialect *dialect);

  /// The pool of the context. Loads the elements dialect if need be.
  static DisposablePool &get(mlir::MLIRContext *context);

  /// Disposes all attributes that neither a root nor a pin nor one of
  /// `alsoRoots` (operations, with everything nested in them) refers to.
  /// Returns their number. Waits for passes on roots that a Collector watches;
  /// does nothing inside of such a pass, because it is not known what the pass
  /// still needs.
  size_t collect(llvm::ArrayRef<mlir::Operation *> alsoRoots = {});

  /// Declares, in a pass, that only pins, the operation that the pass runs on,
  /// and `held` refer to attributes that are still needed. Collects if the
  /// pressure is reached. Does nothing if no Collector watches the calling
  /// thread, and in NoCollection scopes.
  /// REQUIRES: also, that no other thread of the pass's own is at work, and no
  /// enclosing code (a pattern around a nested rewrite) holds attributes.
  void safePoint(llvm::ArrayRef<mlir::Attribute> held = {});
  /// The same, but collects immediately. Returns the number of attributes that
  /// it disposed.
  size_t collectInPass(llvm::ArrayRef<mlir::Attribute> held = {});

  /// The statistics of the context. peakBytes is the largest number of bytes
  /// that were alive at once.
  DisposableStatistics statistics() const { return store.statistics(); }

private:
  friend class AttributePin;
  friend class Collector;
  friend class ModuleRoot;
  friend class NoCollection;
  friend class SafePointListener;
  friend class Scrubber;

  enum class Place { OnRoot, InRoot, Outside };
  /// What a thread is in the middle of: a pass, or a NoCollection scope. Each
  /// has a nursery in the store.
  struct Activity {
    DisposablePool *pool = nullptr;
    mlir::Operation *op = nullptr; // null: no pass
    Place place = Place::Outside;  // OnRoot: and no pass is around it
    bool entered = false;          // the world
    uint64_t pressureBytes = 0;
    uint64_t nextCollection = 0; // at this clock()
    unsigned blocked = 0; // patterns and NoCollection scopes it is inside of
    std::unique_ptr<DisposableStore::OutsideRoots> outside;
  };
  /// What a collection did and saw: operations and attributes it visited, and
  /// the weight of those that are alive.
  struct Collection {
    size_t disposed = 0, looked = 0;
    uint64_t live = 0;
  };
  static std::vector<Activity> &activities(); // of this thread, innermost last
  Activity *activity(); // the innermost, if it is of this pool and on roots
  bool isInPass() const;

  void begin(mlir::Operation *op, uint64_t pressureBytes);
  void end(bool succeeded);
  uint64_t clock(const Activity &activity) const;
  void waitForPressure(Activity &activity, const Collection &last) const;
  size_t collectInside(Activity &activity,
                       llvm::ArrayRef<mlir::Attribute> held);

  void addRoot(mlir::Operation *root);
  void removeRoot(mlir::Operation *root);
  /// Ends the registration of a root that stays alive: from now on its
  /// attributes count as born outside every root.
  void releaseRoot(mlir::Operation *root);
  bool isRoot(mlir::Operation *op);
  Place placeOf(mlir::Operation *op);

  /// Begins a marking: marks what the roots and `alsoRoots` refer to, but for
  /// what only `except` and what is nested in it refers to. Returns how many
  /// operations there are. REQUIRES: the world is stopped.
  size_t mark(llvm::ArrayRef<mlir::Operation *> alsoRoots,
              mlir::Operation *except = nullptr);
  /// REQUIRES: the world is stopped.
  Collection collectStopped(llvm::ArrayRef<mlir::Operation *> alsoRoots = {});
  /// Disposes those of `born` that `op` does not refer to, and takes them out.
  Collection collectBorn(mlir::Operation *op,
                         std::vector<DisposableElementsAttr> &born);

  DisposableStore &store;
  std::mutex mutex; // guards roots
  llvm::SmallVector<mlir::Operation *, 2> roots;
  WorldLock world;
};

/// Registers a module (or any other top-level operation) as a root for its own
/// lifetime, and adopts the attributes that the operation holds. The operation
/// must outlive this object.
class ModuleRoot {
public:
  ModuleRoot() = default;
  explicit ModuleRoot(mlir::Operation *module);
  ModuleRoot(ModuleRoot &&other) noexcept
      : module(std::exchange(other.module, {})) {}
  ModuleRoot &operator=(ModuleRoot &&other) noexcept {
    std::swap(module, other.module);
    return *this;
  }
  ~ModuleRoot();

private:
  mlir::Operation *module = nullptr;
};

/// Keeps all disposable attributes in `attr` (itself, or nested in it) alive
/// for its own lifetime. Must not outlive the context.
class AttributePin {
public:
  AttributePin() = default;
  explicit AttributePin(mlir::Attribute attr);
  AttributePin(const AttributePin &other) : AttributePin(other.attribute) {}
  AttributePin(AttributePin &&other)
      : attribute(std::exchange(other.attribute, {})),
        pinned(std::move(other.pinned)) {
    other.pinned.clear();
  }
  AttributePin &operator=(AttributePin other) {
    std::swap(attribute, other.attribute);
    std::swap(pinned, other.pinned);
    return *this;
  }
  ~AttributePin();

  mlir::Attribute get() const { return attribute; }

private:
  mlir::Attribute attribute;
  llvm::SmallVector<DisposableElementsAttr, 1> pinned;
};

/// Keeps other threads from collecting while it is alive: for code outside of
/// passes that changes a registered root, or holds new attributes, while other
/// threads run passes or collect. In a pass it disables safe points. The
/// constructor waits for a running collection. Scopes nest.
///
///   { NoCollection guard(pool);
///     op->setAttr("value", toAttribute(elements, type)); }
class NoCollection {
public:
  explicit NoCollection(DisposablePool &pool);
  ~NoCollection();
  NoCollection(const NoCollection &) = delete;
  NoCollection &operator=(const NoCollection &) = delete;

private:
  DisposablePool &pool;
};

/// Calls `visit` for every disposable attribute that `op` or an operation
/// nested in it refers to, once each, with the location of the first operation
/// that does. The order is deterministic. `except` and the operations nested in
/// it are skipped. Returns the number of visited operations.
size_t walkDisposables(
    mlir::Operation *op,
    llvm::function_ref<void(DisposableElementsAttr, mlir::Location)> visit,
    mlir::Operation *except = nullptr);

} // namespace onnxfold

MLIR_DECLARE_EXPLICIT_TYPE_ID(onnxfold::DisposablePool)

#endif // ONNXFOLD_GC_DISPOSABLEPOOL_H
