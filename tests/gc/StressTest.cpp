//===- StressTest.cpp - Everything at once, on several threads ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Two modules of one context, each with a thread of its own that runs passes on
// it: on the module, and nested ones on the context's threads, all with safe
// points at a pressure of nearly nothing. Between passes the threads collect,
// clone and register what they cloned; a third one makes, pins and reads
// attributes meanwhile, and a fourth collects. Every value says what it must
// be; a race is ThreadSanitizer's to see (preset tsan).
//
//===----------------------------------------------------------------------===//

#include "CallPass.h"
#include "GcTest.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/SafePoint.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <atomic>
#include <random>
#include <thread>

using namespace onnxfold;
using namespace mlir;

namespace {

class StressTest : public GcTest {
protected:
  static constexpr int functions = 6, constants = 5;

  std::atomic<unsigned> visits = 0;

  static int rounds() { return std::getenv("ONNXFOLD_LONG") ? 400 : 25; }

  /// A new value whose elements are all `number`, not known as a splat.
  DisposableElementsAttr valueOf(int64_t number) {
    std::vector<int64_t> values(200, number);
    Elements x = Elements::fromValues<int64_t>({200}, values);
    return DisposableElementsAttr::get(toTensorType(x, &context), x);
  }

  static int64_t numberOf(Attribute value) {
    return cast<DisposableElementsAttr>(value).getElements().value<int64_t>(99);
  }

  /// Operations with `x` and, in `n`, the number that x must have. Builders are
  /// local: several threads build.
  OwningOpRef<ModuleOp> buildModule() {
    OpBuilder b(&context);
    OwningOpRef<ModuleOp> result = ModuleOp::create(b.getUnknownLoc());
    for (int f = 0; f < functions; ++f) {
      b.setInsertionPointToEnd(result->getBody());
      auto function =
          func::FuncOp::create(b, b.getUnknownLoc(), "f" + std::to_string(f),
                               b.getFunctionType({}, {}));
      b.setInsertionPointToStart(function.addEntryBlock());
      for (int i = 0; i < constants; ++i)
        set(b.create(OperationState(b.getUnknownLoc(), "test.op")), i);
      func::ReturnOp::create(b, b.getUnknownLoc());
    }
    return result;
  }

  void set(Operation *op, int64_t number) {
    op->setAttr("x", valueOf(number));
    op->setAttr("n", IntegerAttr::get(IntegerType::get(&context, 64), number));
  }

  /// How many values there are; all must be right.
  int check(Operation *root) {
    int count = 0;
    root->walk([&](Operation *op) {
      Attribute x = op->getAttr("x");
      if (!x)
        return;
      ++count;
      EXPECT_EQ(numberOf(x), op->getAttrOfType<IntegerAttr>("n").getInt());
    });
    return count;
  }

  LogicalResult change(Operation *root, unsigned seed) {
    std::minstd_rand random(seed);
    std::vector<Operation *> ops;
    root->walk([&](Operation *op) {
      if (op->hasAttr("x"))
        ops.push_back(op);
    });
    AttributePin pin(valueOf(-1));
    for (int i = 0; i < 40; ++i) {
      Operation *op = ops[random() % ops.size()];
      DisposableElementsAttr held = valueOf(-2);
      set(op, random() % 1000);
      pool().safePoint(Attribute(held));
      EXPECT_EQ(numberOf(held), -2);
      pool().safePoint();
      if (random() % 4 == 0)
        pin = AttributePin(valueOf(-1));
      EXPECT_EQ(numberOf(pin.get()), -1);
    }
    return success(check(root) == int(ops.size()));
  }

  /// Renews every value once, by a greedy rewrite.
  LogicalResult rewrite(Operation *root) {
    struct Renew : RewritePattern {
      Renew(StressTest &test)
          : RewritePattern("test.op", 1, &test.context), test(test) {}
      LogicalResult matchAndRewrite(Operation *op,
                                    PatternRewriter &rewriter) const override {
        if (op->hasAttr("done"))
          return failure();
        rewriter.modifyOpInPlace(op, [&] {
          test.set(op, numberOf(op->getAttr("x")) + 1);
          op->setAttr("done", rewriter.getUnitAttr());
        });
        return success();
      }
      StressTest &test;
    };
    SafePointListener listener(&context);
    RewritePatternSet patterns(&context);
    patterns.add(std::make_unique<Renew>(*this));
    GreedyRewriteConfig config;
    config.setListener(&listener);
    (void)applyPatternsGreedily(root, std::move(patterns), config);
    root->walk([](Operation *op) { op->removeAttr("done"); });
    return success();
  }

  void work(ModuleOp module, unsigned seed) {
    for (int i = 0; i < rounds(); ++i) {
      PassManager pm(&context);
      addCollector(pm, {.pressureBytes = i % 2 ? 8000u : 0u});
      pm.addPass(callPass<ModuleOp>(
          [&](ModuleOp op) { return change(op, seed + 2 * i); }));
      pm.addNestedPass<func::FuncOp>(
          callPass<func::FuncOp>([&](func::FuncOp op) {
            return change(op, seed + 2 * i + op.getName().size());
          }));
      pm.addNestedPass<func::FuncOp>(
          callPass<func::FuncOp>([&](func::FuncOp op) { return rewrite(op); }));
      EXPECT_TRUE(succeeded(pm.run(module)));
      OwningOpRef<ModuleOp> clone;
      ModuleRoot cloneRoot;
      {
        NoCollection guard(pool());
        clone = module.clone();
        cloneRoot = ModuleRoot(*clone);
      }
      pool().collect();
      EXPECT_EQ(check(*clone), functions * constants);
    }
  }

  /// Until `done`: values outside of all roots, pinned ones, a module that
  /// becomes a root and ends.
  void visit(const std::atomic<int> &running) {
    while (running != 0) {
      AttributePin pin;
      {
        NoCollection guard(pool());
        pin = AttributePin(valueOf(5));
      }
      OwningOpRef<ModuleOp> late;
      {
        DisposableStore::OutsideRoots outside;
        late = buildModule();
      }
      {
        ModuleRoot root(*late);
        EXPECT_EQ(check(*late), functions * constants);
        EXPECT_EQ(numberOf(pin.get()), 5);
        DisposableStatistics statistics = pool().statistics();
        EXPECT_LE(statistics.liveBytes, statistics.peakBytes);
      }
      ++visits;
      std::this_thread::yield();
    }
  }
};

TEST_F(StressTest, PassesRootsAndPinsOnSeveralThreads) {
  OwningOpRef<ModuleOp> first = buildModule(), second = buildModule();
  ModuleRoot firstRoot(*first), secondRoot(*second);
  std::atomic<int> running = 2;
  std::vector<std::thread> threads;
  for (auto [module, seed] : {std::pair(*first, 1u), std::pair(*second, 77u)})
    threads.emplace_back([&, module = module, seed = seed] {
      work(module, seed);
      --running;
    });
  threads.emplace_back([&] { visit(running); });
  threads.emplace_back([&] {
    while (running != 0) {
      unsigned seen = visits;
      pool().collect();
      while (running != 0 && visits == seen)
        std::this_thread::yield();
    }
  });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(check(*first) + check(*second), 2 * functions * constants);
  pool().collect();
  EXPECT_EQ(pool().statistics().live(), uint64_t(2 * functions * constants));
}

} // namespace
