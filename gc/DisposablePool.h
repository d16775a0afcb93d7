//===- DisposablePool.h - Which attributes are alive ------------*- C++ -*-===//
//
// A DisposableElementsAttr (elements/) is alive while something refers to it:
//
//  * a module that is registered as a root: in any attribute or property of any
//    of its operations, nested in arrays, dictionaries, other attributes, types
//    and locations too;
//  * an AttributePin of C++ code;
//  * nobody, but it was born outside every root: while no root was registered,
//    by the parser of MLIR text, or in a DisposableStore::OutsideRoots scope.
//    gc does not know who holds such an attribute and keeps it, until a root
//    that contains it adopts it.
//
// A collection disposes all others: their data is freed, and reading them ends
// the program with a message (see style of errors in DisposableElementsAttr.h).
//
//   OwningOpRef<ModuleOp> module = ...;
//   ModuleRoot root(*module);              // adopts what the module holds
//   AttributePin pin(attr);                // for a C++ holder
//   DisposablePool::get(context).collect();
//
// After the registration every copy of the module (clone) that is to outlive
// a collection is a root of its own. Collection between passes is in
// Collector.h, turning what is left into ordinary attributes in Scrub.h.
//
// Thread safety: roots and pins from any thread. collect() needs the world
// stopped: no other thread changes a registered root, or holds an unpinned new
// attribute that is not in one yet; the Collector takes care of that for
// passes. The first get() of a context must not race with other uses of its
// dialects.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_DISPOSABLEPOOL_H
#define ONNXFOLD_GC_DISPOSABLEPOOL_H

#include "onnxfold/elements/ElementsDialect.h"
#include "mlir/IR/DialectInterface.h"
#include <shared_mutex>

namespace mlir {
class Operation;
} // namespace mlir

namespace onnxfold {

class DisposablePool : public mlir::DialectInterface::Base<DisposablePool> {
public:
  explicit DisposablePool(mlir::Dialect *dialect);

  /// The pool of the context. Loads the elements dialect if need be.
  static DisposablePool &get(mlir::MLIRContext *context);

  /// Disposes everything that neither a root nor a pin nor one of `alsoRoots`
  /// (operations, with all that is nested in them) refers to. Returns how many.
  /// Waits for passes on other roots that a Collector watches; does nothing
  /// inside of such a pass, where nobody knows what the pass still needs.
  size_t collect(llvm::ArrayRef<mlir::Operation *> alsoRoots = {});

  /// Numbers of the context. peakBytes: the most that was alive at once.
  DisposableStatistics statistics() const { return store.statistics(); }

private:
  friend class AttributePin;
  friend class Collector;
  friend class ModuleRoot;
  friend class Scrubber;

  /// A pass that this thread is in the middle of.
  struct RunningPass {
    DisposablePool *pool;
    bool holdsWorld; // shared: it is the outermost one, on a root
  };
  static std::vector<RunningPass> &runningPasses(); // of this thread
  bool isInPass() const;

  void addRoot(mlir::Operation *root);
  void removeRoot(mlir::Operation *root);
  bool isRoot(mlir::Operation *op);
  bool isOnlyRoot(mlir::Operation *op);

  /// Begins a collection: marks what the roots and `alsoRoots` refer to, but
  /// for what only `except` and what is nested in it refers to.
  void mark(llvm::ArrayRef<mlir::Operation *> alsoRoots,
            mlir::Operation *except = nullptr);
  /// REQUIRES: `world` is held exclusively.
  size_t collectStopped(llvm::ArrayRef<mlir::Operation *> alsoRoots);
  /// Disposes those of `born` that `op` does not refer to.
  size_t collectBorn(mlir::Operation *op,
                     llvm::ArrayRef<DisposableElementsAttr> born);

  DisposableStore &store;
  std::mutex mutex; // guards roots
  llvm::SmallVector<mlir::Operation *, 2> roots;
  /// Shared by running passes on roots, exclusive for a collection over all.
  std::shared_mutex world;
};

/// Registers a module (or any other top-level operation) as a root for its own
/// lifetime. The operation must outlive this object. What the operation holds
/// at the beginning is adopted.
class ModuleRoot {
public:
  ModuleRoot() = default;
  explicit ModuleRoot(mlir::Operation *module);
  ModuleRoot(ModuleRoot &&other) : module(std::exchange(other.module, {})) {}
  ModuleRoot &operator=(ModuleRoot &&other) {
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

/// Calls `visit` for every disposable attribute that `op` or an operation
/// nested in it refers to, once each, with the location of the first operation
/// that does. In a fixed order. Leaves `except`, with what is nested in it,
/// out.
void walkDisposables(
    mlir::Operation *op,
    llvm::function_ref<void(DisposableElementsAttr, mlir::Location)> visit,
    mlir::Operation *except = nullptr);

} // namespace onnxfold

MLIR_DECLARE_EXPLICIT_TYPE_ID(onnxfold::DisposablePool)

#endif // ONNXFOLD_GC_DISPOSABLEPOOL_H
