//===- Collector.cpp - Collection between passes --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/gc/Passes.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"

namespace onnxfold {
#define GEN_PASS_DEF_COLLECTPASS
#include "onnxfold/gc/Passes.h.inc"
} // namespace onnxfold

using namespace onnxfold;

namespace onnxfold {

class Collector : public mlir::PassInstrumentation {
public:
  Collector(DisposablePool &pool, CollectorOptions options)
      : pool(pool), options(options) {}

  ~Collector() override {
    if (options.statistics)
      print(pool.statistics(), *options.statistics);
  }

  void runBeforePass(mlir::Pass *, mlir::Operation *op) override {
    if (options.registerRoot && !op->getParentOp() && !pool.isInPass() &&
        !pool.isRoot(op)) {
      pool.addRoot(op);
      ownRoot = op;
    }
    pool.begin(op, options.pressureBytes);
  }

  void runAfterPass(mlir::Pass *, mlir::Operation *op) override {
    endPass(op, /*succeeded=*/true);
  }

  void runAfterPassFailed(mlir::Pass *, mlir::Operation *op) override {
    endPass(op, /*succeeded=*/false);
  }

private:
  /// Nested passes end on other threads: only the top-level operation's looks
  /// at what is not theirs.
  void endPass(mlir::Operation *op, bool succeeded) {
    pool.end(succeeded);
    if (!op->getParentOp() && op == ownRoot && !pool.isInPass()) {
      pool.releaseRoot(op);
      ownRoot = nullptr;
    }
  }

  DisposablePool &pool;
  CollectorOptions options;
  mlir::Operation *ownRoot = nullptr; // with registerRoot, while a pass runs
};

} // namespace onnxfold

void onnxfold::addCollector(mlir::PassManager &passManager,
                            CollectorOptions options) {
  // The pool is made here, where one thread is at work.
  auto &pool = DisposablePool::get(passManager.getContext());
  passManager.addInstrumentation(std::make_unique<Collector>(pool, options));
}

void onnxfold::print(const DisposableStatistics &statistics,
                     llvm::raw_ostream &os) {
  struct Row {
    uint64_t value;
    const char *name, *description;
  };
  const Row rows[] = {
      {statistics.created, "created", "disposable attributes made"},
      {statistics.live(), "live", "of them alive"},
      {statistics.liveBytes, "live-bytes", "bytes of their values"},
      {statistics.peakBytes, "peak-bytes", "the most that was alive at once"},
      {statistics.disposed, "freed", "attributes disposed"},
      {statistics.disposedBytes, "freed-bytes", "bytes of their values"},
      {statistics.mappedBytes, "mapped-bytes", "bytes of files mapped now"},
      {statistics.collections, "collections", "collections"},
      {statistics.nanoseconds / 1000, "microseconds", "time spent in them"},
  };
  os << "gc\n";
  for (const Row &row : rows)
    os << llvm::format("  (S) %12llu %-12s - %s\n",
                       static_cast<unsigned long long>(row.value), row.name,
                       row.description);
}

namespace {

struct CollectPass : onnxfold::impl::CollectPassBase<CollectPass> {
  using Base::Base;

  void runOnOperation() override {
    mlir::Operation *op = getOperation();
    if (op->getParentOp()) {
      op->emitOpError("collect: runs on top-level operations");
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
    DisposablePool &pool = DisposablePool::get(op->getContext());
    DisposableStatistics before = pool.statistics();
    pool.collectInPass(); // with a Collector
    pool.collect({op});   // without one
    DisposableStatistics after = pool.statistics();
    freed += after.disposed - before.disposed;
    freedBytes += after.disposedBytes - before.disposedBytes;
    live.updateMax(after.live());
    liveBytes.updateMax(after.liveBytes);
    peakBytes.updateMax(after.peakBytes);
    mappedBytes.updateMax(after.mappedBytes);
    microseconds += (after.nanoseconds - before.nanoseconds) / 1000;
  }
};

} // namespace
