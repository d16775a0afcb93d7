//===- DisposablePool.cpp - Which attributes are alive --------------------===//

#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/gc/AttributeWalk.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;

MLIR_DEFINE_EXPLICIT_TYPE_ID(onnxfold::DisposablePool)

DisposablePool::DisposablePool(mlir::Dialect *dialect)
    : Base(dialect),
      store(static_cast<ElementsDialect *>(dialect)->getStore()) {}

DisposablePool &DisposablePool::get(mlir::MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<ElementsDialect>();
  if (!dialect)
    dialect = context->getOrLoadDialect<ElementsDialect>();
  static std::mutex mutex; // two threads may both be the first to ask
  std::lock_guard<std::mutex> lock(mutex);
  auto *pool = dialect->getRegisteredInterface<DisposablePool>();
  return pool ? *pool : dialect->addInterface<DisposablePool>();
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

void DisposablePool::addRoot(mlir::Operation *root) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    roots.push_back(root);
    ++store.roots;
  }
  walkDisposables(root, [&](DisposableElementsAttr attr, mlir::Location) {
    store.adopt(attr);
  });
}

void DisposablePool::removeRoot(mlir::Operation *root) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = llvm::find(roots, root);
  assert(it != roots.end());
  roots.erase(it); // one of them, if it was registered more than once
  --store.roots;
}

bool DisposablePool::isRoot(mlir::Operation *op) {
  std::lock_guard<std::mutex> lock(mutex);
  return llvm::is_contained(roots, op);
}

bool DisposablePool::isOnlyRoot(mlir::Operation *op) {
  std::lock_guard<std::mutex> lock(mutex);
  return llvm::all_equal(roots) && llvm::is_contained(roots, op);
}

ModuleRoot::ModuleRoot(mlir::Operation *module) : module(module) {
  DisposablePool::get(module->getContext()).addRoot(module);
}

ModuleRoot::~ModuleRoot() {
  if (module)
    DisposablePool::get(module->getContext()).removeRoot(module);
}

//===----------------------------------------------------------------------===//
// Pins
//===----------------------------------------------------------------------===//

AttributePin::AttributePin(mlir::Attribute attr) : attribute(attr) {
  if (!attr)
    return;
  DisposableStore &store = DisposablePool::get(attr.getContext()).store;
  DisposableFinder finder([&](DisposableElementsAttr found) {
    store.pin(found);
    pinned.push_back(found);
  });
  finder.visit(attr);
}

AttributePin::~AttributePin() {
  for (DisposableElementsAttr attr : pinned)
    DisposablePool::get(attr.getContext()).store.unpin(attr);
}

//===----------------------------------------------------------------------===//
// Collection
//===----------------------------------------------------------------------===//

std::vector<DisposablePool::RunningPass> &DisposablePool::runningPasses() {
  static thread_local std::vector<RunningPass> passes;
  return passes;
}

bool DisposablePool::isInPass() const {
  return llvm::any_of(runningPasses(), [&](const RunningPass &pass) {
    return pass.pool == this;
  });
}

void DisposablePool::mark(llvm::ArrayRef<mlir::Operation *> alsoRoots,
                          mlir::Operation *except) {
  auto markFrom = [&](mlir::Operation *op) {
    walkDisposables(
        op,
        [&](DisposableElementsAttr attr, mlir::Location owner) {
          store.mark(attr, owner);
        },
        except);
  };
  std::lock_guard<std::mutex> lock(mutex);
  store.beginCollection();
  llvm::for_each(roots, markFrom);
  llvm::for_each(alsoRoots, markFrom);
}

size_t DisposablePool::collect(llvm::ArrayRef<mlir::Operation *> alsoRoots) {
  if (isInPass())
    return 0;
  std::unique_lock<std::shared_mutex> stopped(world);
  return collectStopped(alsoRoots);
}

size_t
DisposablePool::collectStopped(llvm::ArrayRef<mlir::Operation *> alsoRoots) {
  mark(alsoRoots);
  return store.sweep();
}

size_t
DisposablePool::collectBorn(mlir::Operation *op,
                            llvm::ArrayRef<DisposableElementsAttr> born) {
  if (born.empty())
    return 0;
  // Marks of this collection are in a set of its own: others may run at the
  // same time, each on its own operation.
  llvm::SmallPtrSet<const void *, 16> reachable;
  walkDisposables(op, [&](DisposableElementsAttr attr, mlir::Location) {
    reachable.insert(attr.getAsOpaquePointer());
  });
  llvm::SmallVector<DisposableElementsAttr> unreachable;
  for (DisposableElementsAttr attr : born)
    if (!reachable.contains(attr.getAsOpaquePointer()))
      unreachable.push_back(attr);
  return store.sweep(unreachable);
}
