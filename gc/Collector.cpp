//===- Collector.cpp - Collection between passes --------------------------===//

#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/DisposablePool.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace onnxfold;

namespace onnxfold {

/// Every pass has a nursery. The outermost pass of a thread on a root holds the
/// world shared while it runs, and afterwards asks for it exclusively: that is
/// refused exactly when another root is being changed.
class Collector : public mlir::PassInstrumentation {
public:
  explicit Collector(CollectorOptions options) : options(options) {}

  void runBeforePass(mlir::Pass *, mlir::Operation *op) override {
    DisposablePool &pool = DisposablePool::get(op->getContext());
    bool outermost = !pool.isInPass();
    if (outermost && options.registerRoot && !op->getParentOp() &&
        !pool.isRoot(op))
      ownRoot = ModuleRoot(op);
    bool holdsWorld = outermost && pool.isRoot(op);
    if (holdsWorld)
      pool.world.lock_shared();
    DisposablePool::runningPasses().push_back({&pool, holdsWorld});
    pool.store.beginNursery();
  }

  void runAfterPass(mlir::Pass *, mlir::Operation *op) override {
    endPass(op, /*succeeded=*/true);
  }

  void runAfterPassFailed(mlir::Pass *, mlir::Operation *op) override {
    endPass(op, /*succeeded=*/false);
  }

private:
  void endPass(mlir::Operation *op, bool succeeded) {
    DisposablePool::RunningPass pass = DisposablePool::runningPasses().back();
    DisposablePool::runningPasses().pop_back();
    DisposablePool &pool = *pass.pool;
    auto born = pool.store.endNursery();
    if (!pass.holdsWorld) {
      if (succeeded)
        pool.collectBorn(op, born);
      return;
    }
    pool.world.unlock_shared();
    if (succeeded) {
      std::unique_lock<std::shared_mutex> stopped(pool.world, std::try_to_lock);
      if (stopped)
        pool.collectStopped({});
      else
        pool.collectBorn(op, born);
    }
    ownRoot = ModuleRoot();
  }

  CollectorOptions options;
  ModuleRoot ownRoot; // with registerRoot, while a pass runs
};

} // namespace onnxfold

void onnxfold::addCollector(mlir::PassManager &passManager,
                            CollectorOptions options) {
  // Made here, where one thread is at work, and not by the first pass.
  DisposablePool::get(passManager.getContext());
  passManager.addInstrumentation(std::make_unique<Collector>(options));
}
