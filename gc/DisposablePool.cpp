//===- DisposablePool.cpp - Which attributes are alive --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/gc/internal/AttributeWalk.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>

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

/// A collection must see the root either not at all or with all that it holds
/// adopted.
void DisposablePool::addRoot(mlir::Operation *root) {
  NoCollection guard(*this);
  {
    std::lock_guard<std::mutex> lock(mutex);
    roots.push_back(root);
    ++store.roots;
  }
  walkDisposables(root, [&](DisposableElementsAttr attr, mlir::Location) {
    store.adopt(attr);
  });
}

/// A running collection reads the root, and releases the mutex afterwards.
void DisposablePool::removeRoot(mlir::Operation *root) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = llvm::find(roots, root);
  assert(it != roots.end());
  roots.erase(it); // one of them, if it was registered more than once
  --store.roots;
}

void DisposablePool::releaseRoot(mlir::Operation *root) {
  NoCollection guard(*this);
  walkDisposables(root, [&](DisposableElementsAttr attr, mlir::Location) {
    store.disown(attr);
  });
  removeRoot(root);
}

bool DisposablePool::isRoot(mlir::Operation *op) {
  std::lock_guard<std::mutex> lock(mutex);
  return llvm::is_contained(roots, op);
}

DisposablePool::Place DisposablePool::placeOf(mlir::Operation *op) {
  std::lock_guard<std::mutex> lock(mutex);
  if (llvm::is_contained(roots, op))
    return Place::OnRoot;
  while ((op = op->getParentOp()))
    if (llvm::is_contained(roots, op))
      return Place::InRoot;
  return Place::Outside;
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
  AttributeFinder finder([&](DisposableElementsAttr found) {
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
// What threads are in the middle of
//===----------------------------------------------------------------------===//

std::vector<DisposablePool::Activity> &DisposablePool::activities() {
  static thread_local std::vector<Activity> activities;
  return activities;
}

DisposablePool::Activity *DisposablePool::activity() {
  std::vector<Activity> &all = activities();
  if (all.empty() || all.back().pool != this ||
      all.back().place == Place::Outside)
    return nullptr;
  return &all.back();
}

bool DisposablePool::isInPass() const {
  return llvm::any_of(activities(), [&](const Activity &activity) {
    return activity.pool == this;
  });
}

/// A pass on a root with another pass around it counts as one inside the root:
/// the other pass may hold attributes.
void DisposablePool::begin(mlir::Operation *op, uint64_t pressureBytes) {
  Place place = op ? placeOf(op) : Place::OnRoot;
  if (place == Place::OnRoot && isInPass())
    place = Place::InRoot;
  bool inside = llvm::any_of(activities(), [&](const Activity &activity) {
    return activity.pool == this && activity.entered;
  });
  Activity activity;
  activity.pool = this;
  activity.op = op;
  activity.place = place;
  activity.entered = place != Place::Outside && !inside;
  activity.pressureBytes = pressureBytes;
  if (activity.entered)
    world.enter();
  // A module that is no root may become one later, and who else holds it
  // nobody knows.
  if (place == Place::Outside)
    activity.outside = std::make_unique<DisposableStore::OutsideRoots>();
  store.beginNursery();
  Collection last;
  if (place == Place::OnRoot)
    last.live = store.liveWeight();
  waitForPressure(activity, last);
  activities().push_back(std::move(activity));
}

/// Passes over roots collect everything, as the last thread inside; all others
/// what they made.
void DisposablePool::end(bool succeeded) {
  Activity activity = std::move(activities().back());
  activities().pop_back();
  auto born = store.endNursery();
  bool collects = succeeded && activity.op && activity.place != Place::Outside;
  if (collects && activity.place == Place::OnRoot && world.tryStopInside()) {
    collectStopped();
    world.resume();
  } else if (collects) {
    collectBorn(activity.op, born);
  }
  if (activity.entered)
    world.leave();
}

NoCollection::NoCollection(DisposablePool &pool) : pool(pool) {
  if (DisposablePool::Activity *around = pool.activity())
    ++around->blocked;
  else
    pool.begin(nullptr, 0);
}

NoCollection::~NoCollection() {
  if (unsigned &blocked = pool.activity()->blocked)
    --blocked;
  else
    pool.end(/*succeeded=*/true);
}

//===----------------------------------------------------------------------===//
// Collection
//===----------------------------------------------------------------------===//

namespace {

/// Adds its own life time to a number.
class Stopwatch {
public:
  explicit Stopwatch(llvm::function_ref<void(uint64_t)> add) : add(add) {}
  ~Stopwatch() {
    add(std::chrono::duration_cast<std::chrono::nanoseconds>(
            std::chrono::steady_clock::now() - start)
            .count());
  }

private:
  llvm::function_ref<void(uint64_t)> add;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

} // namespace

size_t DisposablePool::mark(llvm::ArrayRef<mlir::Operation *> alsoRoots,
                            mlir::Operation *except) {
  size_t operations = 0;
  auto markFrom = [&](mlir::Operation *op) {
    operations += walkDisposables(
        op,
        [&](DisposableElementsAttr attr, mlir::Location owner) {
          store.mark(attr, owner);
        },
        except);
  };
  std::lock_guard<std::mutex> lock(mutex);
  store.beginMarking();
  llvm::for_each(roots, markFrom);
  llvm::for_each(alsoRoots, markFrom);
  return operations;
}

size_t DisposablePool::collect(llvm::ArrayRef<mlir::Operation *> alsoRoots) {
  if (isInPass())
    return 0;
  world.stop();
  size_t disposed = collectStopped(alsoRoots).disposed;
  world.resume();
  return disposed;
}

DisposablePool::Collection
DisposablePool::collectStopped(llvm::ArrayRef<mlir::Operation *> alsoRoots) {
  auto add = [&](uint64_t time) { store.addTime(time); };
  Stopwatch stopwatch(add);
  uint32_t number = store.beginCollection();
  Collection result;
  result.looked = mark(alsoRoots) + store.statistics().live();
  result.disposed = store.sweep(number);
  result.live = store.liveWeight();
  return result;
}

DisposablePool::Collection
DisposablePool::collectBorn(mlir::Operation *op,
                            std::vector<DisposableElementsAttr> &born) {
  if (born.empty())
    return {};
  auto add = [&](uint64_t time) { store.addTime(time); };
  Stopwatch stopwatch(add);
  uint32_t number = store.beginCollection();
  // Marks would be seen by the collections of other threads: what is not
  // reachable is a set.
  llvm::DenseSet<mlir::Attribute> unreachable(born.begin(), born.end());
  auto found = [&](DisposableElementsAttr attr, mlir::Location owner) {
    if (unreachable.erase(attr))
      store.setOwner(attr, owner);
  };
  Collection result;
  result.looked = walkDisposables(op, found) + born.size();
  llvm::SmallVector<DisposableElementsAttr> dead;
  for (DisposableElementsAttr attr : born)
    if (unreachable.contains(attr))
      dead.push_back(attr);
  result.disposed = store.sweep(number, dead);
  llvm::erase_if(born,
                 [](DisposableElementsAttr attr) { return attr.isDisposed(); });
  return result;
}

//===----------------------------------------------------------------------===//
// Inside passes
//===----------------------------------------------------------------------===//

/// What tells when it is time: bytes that were made. On a root those of the
/// other threads of the pass count too.
uint64_t DisposablePool::clock(const Activity &activity) const {
  return activity.place == Place::OnRoot ? store.bornWeight()
                                         : store.nursery().weight;
}

/// Sets the time of the next collection so that each is preceded by as much
/// other work, in bytes made, as it costs: looking at an operation or an
/// attribute takes as long as copying 1 KB. Where much is alive, garbage of an
/// eighth more is not worth a collection.
void DisposablePool::waitForPressure(Activity &activity,
                                     const Collection &last) const {
  uint64_t bytes = 1;
  if (activity.pressureBytes != 0)
    bytes = std::max(
        {activity.pressureBytes, last.live / 8, uint64_t(last.looked) * 1024});
  activity.nextCollection = llvm::SaturatingAdd(clock(activity), bytes);
}

void DisposablePool::safePoint(llvm::ArrayRef<mlir::Attribute> held) {
  Activity *activity = this->activity();
  if (activity && activity->op && activity->blocked == 0 &&
      clock(*activity) >= activity->nextCollection)
    collectInside(*activity, held);
}

size_t DisposablePool::collectInPass(llvm::ArrayRef<mlir::Attribute> held) {
  Activity *activity = this->activity();
  if (!activity || !activity->op || activity->blocked != 0)
    return 0;
  return collectInside(*activity, held);
}

size_t DisposablePool::collectInside(Activity &activity,
                                     llvm::ArrayRef<mlir::Attribute> held) {
  llvm::SmallVector<AttributePin> pins(held.begin(), held.end());
  std::vector<DisposableElementsAttr> &born = store.nursery().born;
  Collection collection;
  if (activity.place == Place::OnRoot && world.tryStopInside()) {
    collection = collectStopped();
    world.resume();
    llvm::erase_if(
        born, [](DisposableElementsAttr attr) { return attr.isDisposed(); });
  } else {
    collection = collectBorn(activity.op, born);
  }
  waitForPressure(activity, collection);
  return collection.disposed;
}
