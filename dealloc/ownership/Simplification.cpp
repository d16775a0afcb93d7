//===- Simplification.cpp - Retains that need not be ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/ownership/Passes.h"
#include "onnxfold/dealloc/ownership/internal/Nullability.h"
#include "onnxfold/dealloc/ownership/internal/Slots.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace onnxfold {
#define GEN_PASS_DEF_DEALLOCATIONSIMPLIFICATIONPASS
#include "onnxfold/dealloc/ownership/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

/// retain() of(x), where x is never null -> memref.dealloc
static void replaceByDealloc(Operation *function,
                             const NullabilityAnalysis &nullability) {
  SmallVector<RetainOp> retains;
  function->walk([&](RetainOp op) {
    if (op.getRetained().empty() && op.getAllocations().size() == 1)
      retains.push_back(op);
  });
  for (RetainOp op : retains) {
    Value owner = op.getAllocations().front();
    if (nullability.get(owner) != Nullability::Never)
      continue;
    OpBuilder builder(op);
    if (Value memref = nullability.memrefOf(owner))
      memref::DeallocOp::create(builder, op.getLoc(), memref);
    else
      FreeOp::create(builder, op.getLoc(), owner);
    op.erase();
  }
}

/// The slots that something reads, be it through other slots.
static llvm::DenseSet<Value>
findLiveSlots(const NullabilityAnalysis &nullability) {
  llvm::DenseMap<Value, SmallVector<Value, 1>> flowsTo;
  for (Value slot : nullability.getSlots())
    for (Value operand : nullability.flowingInto(slot))
      flowsTo[operand].push_back(slot);
  llvm::DenseSet<Value> live;
  SmallVector<Value> work;
  for (Value slot : nullability.getSlots())
    if (llvm::any_of(slot.getUses(),
                     [](OpOperand &use) { return !isForwarded(use); }))
      work.push_back(slot);
  while (!work.empty()) {
    Value slot = work.pop_back_val();
    if (!live.insert(slot).second)
      continue;
    for (Value operand : nullability.flowingInto(slot))
      work.push_back(operand);
  }
  return live;
}

/// Slots that are always null, or that nobody reads, read as null.
static bool replaceByNull(const NullabilityAnalysis &nullability) {
  llvm::DenseSet<Value> live = findLiveSlots(nullability);
  bool changed = false;
  for (Value slot : nullability.getSlots()) {
    bool isNull = nullability.get(slot) == Nullability::Always;
    if (slot.use_empty() || (!isNull && live.contains(slot)))
      continue;
    OpBuilder builder(slot.getContext());
    builder.setInsertionPointAfterValue(slot);
    slot.replaceAllUsesWith(NullOp::create(builder, slot.getLoc()));
    changed = true;
  }
  return changed;
}

/// The patterns of the dialect, on its operations only, and dead ones erased.
static void canonicalizeOwnership(Operation *function) {
  SmallVector<Operation *> operations;
  function->walk([&](Operation *op) {
    if (isa_and_nonnull<DeallocationDialect>(op->getDialect()))
      operations.push_back(op);
  });
  RewritePatternSet patterns(function->getContext());
  GetBufferOp::getCanonicalizationPatterns(patterns, function->getContext());
  FreeOp::getCanonicalizationPatterns(patterns, function->getContext());
  RetainOp::getCanonicalizationPatterns(patterns, function->getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)applyOpPatternsGreedily(operations, std::move(patterns), config);
}

static void eraseUnused(Operation *function) {
  function->walk([](Operation *op) {
    if (isa<NullOp, OwnOp, GetBufferOp>(op) && op->use_empty())
      op->erase();
  });
}

namespace {

struct DeallocationSimplificationPass
    : onnxfold::impl::DeallocationSimplificationPassBase<
          DeallocationSimplificationPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    bool changed = true;
    while (changed) {
      canonicalizeOwnership(function);
      {
        NullabilityAnalysis nullability(function);
        replaceByDealloc(function, nullability);
      }
      NullabilityAnalysis nullability(function);
      changed = replaceByNull(nullability);
      changed |= removeUnusedSlots(function);
      eraseUnused(function);
    }
  }
};

} // namespace
