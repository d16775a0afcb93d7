//===- SafePointTest.cpp - Collection inside passes -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/gc/SafePoint.h"
#include "CallPass.h"
#include "GcTest.h"
#include "TestOps.h"
#include "onnxfold/gc/Collector.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/ThreadPool.h"
#include <future>
#include <thread>

using namespace onnxfold;
using namespace mlir;

namespace {

constexpr int64_t valueBytes = 100 << 10;
constexpr uint64_t pressure = CollectorOptions().pressureBytes;

class SafePointTest : public GcTest {
protected:
  SafePointTest() { context.loadDialect<testops::TestDialect>(); }

  /// 100 KB that nobody writes, so that many take little time.
  DisposableElementsAttr makeLarge(int64_t bytes = valueBytes) {
    Elements x = Elements::fromBuffer(
        DataType::Int8, {bytes}, llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes));
    return DisposableElementsAttr::get(toTensorType(x, &context), x);
  }

  LogicalResult run(std::unique_ptr<Pass> pass, CollectorOptions options = {}) {
    PassManager pm(&context);
    addCollector(pm, options);
    pm.addPass(std::move(pass));
    return pm.run(*module);
  }

  /// Runs on all functions of the module.
  LogicalResult runNested(CallPass<func::FuncOp>::Function function,
                          CollectorOptions options = {}) {
    PassManager pm(&context);
    addCollector(pm, options);
    pm.addNestedPass<func::FuncOp>(callPass<func::FuncOp>(std::move(function)));
    return pm.run(*module);
  }
};

/// 10 GB in all.
TEST_F(SafePointTest, BoundsAPassOnARoot) {
  ModuleRoot root(*module);
  Operation *op = addOp(*module, "x", makeLarge());
  constexpr int count = 100000;
  ASSERT_TRUE(succeeded(run(callPass<ModuleOp>([&](ModuleOp) {
    for (int i = 0; i < count; ++i) {
      op->setAttr("x", makeLarge());
      pool().safePoint();
    }
    return success();
  }))));
  DisposableStatistics statistics = pool().statistics();
  EXPECT_EQ(statistics.created, uint64_t(count + 1));
  EXPECT_EQ(statistics.live(), 1u);
  EXPECT_LE(statistics.peakBytes, pressure + 3 * valueBytes);
  EXPECT_GE(statistics.collections, count * valueBytes / pressure / 2);
  EXPECT_LE(statistics.collections, count * valueBytes / pressure + 2);
}

TEST_F(SafePointTest, BoundsNestedPassesOnSeveralThreads) {
  ModuleRoot root(*module);
  constexpr int functions = 8, count = 100000 / functions;
  for (int i = 0; i < functions; ++i)
    addFunction(*module, "f" + std::to_string(i), {makeLarge()});
  ASSERT_TRUE(succeeded(runNested([&](func::FuncOp function) {
    auto constant = cast<arith::ConstantOp>(function.getBody().front().front());
    for (int i = 0; i < count; ++i) {
      constant.setValueAttr(makeLarge());
      pool().safePoint();
    }
    return success();
  })));
  DisposableStatistics statistics = pool().statistics();
  EXPECT_EQ(statistics.created, uint64_t(functions * (count + 1)));
  EXPECT_EQ(statistics.live(), uint64_t(functions));
  uint64_t threads = context.getThreadPool().getMaxConcurrency();
  EXPECT_LE(statistics.peakBytes,
            threads * (pressure + 3 * valueBytes) + 3 * functions * valueBytes);
}

TEST_F(SafePointTest, APassThatSaysNoneIsLeftAlone) {
  ModuleRoot root(*module);
  constexpr int count = 2000; // 200 MB
  static_assert(count * valueBytes > 2 * pressure);
  ASSERT_TRUE(succeeded(run(callPass<ModuleOp>([&](ModuleOp) {
    std::vector<DisposableElementsAttr> all;
    for (int i = 0; i < count; ++i)
      all.push_back(makeLarge());
    for (DisposableElementsAttr attr : all)
      EXPECT_FALSE(attr.isDisposed());
    EXPECT_EQ(pool().statistics().collections, 0u);
    return success();
  }))));
  EXPECT_EQ(pool().statistics().live(), 0u);
}

/// A pass whose attributes are all alive collects each time that its data has
/// grown by an eighth, not at every step.
TEST_F(SafePointTest, CollectionsAreAmortized) {
  ModuleRoot root(*module);
  constexpr int count = 2000; // 200 MB
  ASSERT_TRUE(succeeded(run(callPass<ModuleOp>([&](ModuleOp) {
                              for (int i = 0; i < count; ++i) {
                                addOp(*module, "x", makeLarge());
                                pool().safePoint();
                              }
                              return success();
                            }),
                            {.pressureBytes = 1 << 20})));
  EXPECT_EQ(pool().statistics().live(), uint64_t(count));
  // 8 until there are 8 MB; 1.125 to the power of 27 is 25.
  EXPECT_GE(pool().statistics().collections, 20u);
  EXPECT_LE(pool().statistics().collections, 40u);
}

/// As many bytes are made between two collections as looking at the operations
/// is worth, however little is alive.
TEST_F(SafePointTest, WalkingTheModuleIsAmortized) {
  ModuleRoot root(*module);
  for (int i = 0; i < 20000; ++i)
    addOp(*module);
  constexpr uint64_t count = 20000; // 40 MB, and 1 KB for each operation
  ASSERT_TRUE(succeeded(run(callPass<ModuleOp>([&](ModuleOp) {
                              for (uint64_t i = 0; i < count; ++i) {
                                makeLarge(2048);
                                pool().safePoint();
                              }
                              return success();
                            }),
                            {.pressureBytes = 64 << 10})));
  EXPECT_EQ(pool().statistics().live(), 0u);
  EXPECT_LE(pool().statistics().collections, 5u);
}

TEST_F(SafePointTest, KeepsWhatTheOperationPinsAndArgumentsHold) {
  ModuleRoot root(*module);
  DisposableElementsAttr inModule, pinned, held, nested, older = make(0), lost;
  ASSERT_TRUE(succeeded(run(callPass<ModuleOp>([&](ModuleOp op) {
    addOp(op, "x", inModule = make(1));
    AttributePin pin(pinned = make(2));
    held = make(3), nested = make(4), lost = make(5);
    EXPECT_EQ(pool().collectInPass({held, builder.getArrayAttr(nested)}), 2u);
    EXPECT_TRUE(older.isDisposed() && lost.isDisposed());
    EXPECT_FALSE(inModule.isDisposed() || pinned.isDisposed() ||
                 held.isDisposed() || nested.isDisposed());
    EXPECT_EQ(pool().collectInPass(), 2u);
    EXPECT_FALSE(inModule.isDisposed() || pinned.isDisposed());
    EXPECT_TRUE(held.isDisposed() && nested.isDisposed());
    return success();
  }))));
  EXPECT_TRUE(pinned.isDisposed());
}

/// Who else holds what is older than a nested pass, nobody knows.
TEST_F(SafePointTest, NestedPassesCollectOnlyWhatTheyMade) {
  context.disableMultithreading();
  ModuleRoot root(*module);
  DisposableElementsAttr older = make(1), sibling = make(2);
  addFunction(*module, "f", {older});
  addFunction(*module, "g", {sibling});
  DisposableElementsAttr ofFirstPass;
  int calls = 0;
  auto pass = [&](func::FuncOp function) {
    auto constant = cast<arith::ConstantOp>(function.getBody().front().front());
    if (calls++ == 0) {
      ofFirstPass = make(3);
      DisposableElementsAttr young = make(4);
      constant.setValueAttr(make(5));
      function->setAttr("keep", ofFirstPass);
      EXPECT_EQ(pool().collectInPass(), 1u); // `young`
      EXPECT_TRUE(young.isDisposed());
      EXPECT_FALSE(older.isDisposed()); // though nobody refers to it
      function->removeAttr("keep");
      EXPECT_EQ(pool().collectInPass(), 1u); // marks of before count no more
      EXPECT_TRUE(ofFirstPass.isDisposed());
    }
    EXPECT_EQ(pool().collectInPass(), 0u);
    return success();
  };
  ASSERT_TRUE(succeeded(runNested(pass)));
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(older.isDisposed());
  EXPECT_FALSE(sibling.isDisposed());
}

/// A pass that runs another one on the same root holds attributes meanwhile.
TEST_F(SafePointTest, APassInsideOfAPassCollectsOnlyWhatItMade) {
  ModuleRoot root(*module);
  struct Outer : PassWrapper<Outer, OperationPass<ModuleOp>> {
    explicit Outer(std::function<void(Outer &)> body) : body(std::move(body)) {}
    void runOnOperation() override { body(*this); }
    using Pass::runPipeline;
    std::function<void(Outer &)> body;
  };
  DisposableElementsAttr lost;
  auto inner = [&](ModuleOp) {
    lost = make(2);
    EXPECT_EQ(pool().collectInPass(), 1u);
    EXPECT_TRUE(lost.isDisposed());
    lost = make(3);
    return success();
  };
  ASSERT_TRUE(succeeded(run(std::make_unique<Outer>([&](Outer &pass) {
    DisposableElementsAttr held = make(1);
    OpPassManager pipeline("builtin.module");
    pipeline.addPass(callPass<ModuleOp>(inner));
    EXPECT_TRUE(succeeded(pass.runPipeline(pipeline, *module)));
    EXPECT_TRUE(lost.isDisposed());
    EXPECT_EQ(held.getElements().value<float>(), 1);
  }))));
  EXPECT_EQ(pool().statistics().live(), 0u);
}

TEST_F(SafePointTest, WithAnotherRootAtWorkOnlyWhatThePassMade) {
  OwningOpRef<ModuleOp> other = ModuleOp::create(builder.getUnknownLoc());
  ModuleRoot root(*module), otherRoot(*other);
  DisposableElementsAttr older = make(1);
  ASSERT_TRUE(succeeded(run(callPass<ModuleOp>([&](ModuleOp) {
    DisposableElementsAttr young = make(2), held;
    std::promise<void> made, looked;
    std::thread thread([&] {
      NoCollection guard(pool()); // at work
      held = make(3);
      made.set_value();
      looked.get_future().wait();
      EXPECT_FALSE(held.isDisposed());
      addOp(*other, "x", held);
    });
    made.get_future().wait();
    EXPECT_EQ(pool().collectInPass(), 1u);
    EXPECT_TRUE(young.isDisposed());
    EXPECT_FALSE(older.isDisposed());
    looked.set_value();
    thread.join();
    EXPECT_EQ(pool().collectInPass(), 1u);
    EXPECT_TRUE(older.isDisposed());
    EXPECT_FALSE(held.isDisposed());
    return success();
  }))));
}

TEST_F(SafePointTest, SaysNothingOutsideOfPassesAndRoots) {
  pool().safePoint();
  EXPECT_EQ(pool().collectInPass(), 0u);
  OwningOpRef<ModuleOp> other = ModuleOp::create(builder.getUnknownLoc());
  ModuleRoot root(*other);
  // `module` is no root: what is made in passes on it is no one's to free.
  DisposableElementsAttr attr;
  ASSERT_TRUE(succeeded(run(callPass<ModuleOp>([&](ModuleOp op) {
    addOp(op, "x", attr = make());
    EXPECT_EQ(pool().collectInPass(), 0u);
    return success();
  }))));
  EXPECT_EQ(pool().collect(), 0u);
  EXPECT_FALSE(attr.isDisposed());
  ModuleRoot late(*module);
  module->getBody()->clear();
  EXPECT_EQ(pool().collect(), 1u);
}

TEST_F(SafePointTest, NoCollectionStopsThem) {
  ModuleRoot root(*module);
  ASSERT_TRUE(succeeded(run(callPass<ModuleOp>([&](ModuleOp) {
                              NoCollection guard(pool());
                              DisposableElementsAttr attr = make();
                              {
                                NoCollection nested(pool());
                                pool().safePoint();
                              }
                              pool().safePoint();
                              EXPECT_EQ(pool().collectInPass(), 0u);
                              EXPECT_FALSE(attr.isDisposed());
                              return success();
                            }),
                            {.pressureBytes = 0})));
  EXPECT_EQ(pool().statistics().live(), 0u);
}

/// With a pressure of 0 a safe point that was said too early shows at once.
TEST_F(SafePointTest, ASafePointTooEarlyIsDiagnosed) {
  ModuleRoot root(*module);
  auto pass = callPass<ModuleOp>([&](ModuleOp op) {
    DisposableElementsAttr attr = make();
    pool().safePoint();
    addOp(op, "x", builder.getF32FloatAttr(attr.getElements().value<float>()));
    return success();
  });
  EXPECT_DEATH((void)run(std::move(pass), {.pressureBytes = 0}),
               "gc: read of constant #1 \\(tensor<200xf32>\\) after collection "
               "1 freed it; last owner unknown");
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// test.op {x, n}: replaces x by a new value until n is 0.
struct CountDown : RewritePattern {
  CountDown(MLIRContext *context, std::function<DisposableElementsAttr()> make)
      : RewritePattern("test.op", 1, context), make(std::move(make)) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    DisposableElementsAttr value = make(); // garbage if it does not match
    auto n = op->getAttrOfType<IntegerAttr>("n");
    if (!n || n.getInt() == 0)
      return failure();
    Operation *next = rewriter.clone(*op);
    next->setAttr("n", rewriter.getI64IntegerAttr(n.getInt() - 1));
    rewriter.eraseOp(op); // in the middle of the pattern
    EXPECT_FALSE(value.isDisposed());
    rewriter.modifyOpInPlace(next, [&] { next->setAttr("x", value); });
    return success();
  }
  std::function<DisposableElementsAttr()> make;
};

class RewriteTest : public SafePointTest {
protected:
  void addCountDown(int64_t n) {
    Operation *op = addOp(*module, "x", makeLarge());
    op->setAttr("n", builder.getI64IntegerAttr(n));
  }

  FrozenRewritePatternSet countDown() {
    RewritePatternSet patterns(&context);
    patterns.add(
        std::make_unique<CountDown>(&context, [&] { return makeLarge(); }));
    return patterns;
  }

  LogicalResult runGreedily(GreedyRewriteConfig config) {
    auto patterns = countDown();
    return run(callPass<ModuleOp>([&](ModuleOp op) {
      return applyPatternsGreedily(op, patterns, config);
    }));
  }

  void addChain(ModuleOp to, int64_t length) {
    builder.setInsertionPointToEnd(to.getBody());
    Elements zeros = Elements::build<int8_t>(
        {valueBytes}, [](llvm::MutableArrayRef<int8_t> out) {
          std::fill(out.begin(), out.end(), 0);
        });
    auto start =
        DisposableElementsAttr::get(toTensorType(zeros, &context), zeros);
    auto function = func::FuncOp::create(
        builder, builder.getUnknownLoc(),
        "f" + std::to_string(to.getBody()->getOperations().size()),
        builder.getFunctionType({}, start.getType()));
    builder.setInsertionPointToStart(function.addEntryBlock());
    Value value =
        testops::create<testops::ConstantOp>(builder, start)->getResult(0);
    for (int64_t i = 0; i < length; ++i)
      value = testops::create<testops::NextOp>(builder, value)->getResult(0);
    func::ReturnOp::create(builder, builder.getUnknownLoc(), value);
  }
};

TEST_F(RewriteTest, BoundsAGreedyPassWithoutAChangeOfItsPatterns) {
  ModuleRoot root(*module);
  constexpr int count = 20000; // 2 GB
  addCountDown(count);
  SafePointListener listener(&context);
  GreedyRewriteConfig config;
  ASSERT_TRUE(succeeded(runGreedily(config.setListener(&listener))));
  DisposableStatistics statistics = pool().statistics();
  EXPECT_GE(statistics.created, uint64_t(count + 1));
  EXPECT_EQ(statistics.live(), 1u);
  EXPECT_LE(statistics.peakBytes, pressure + 3 * valueBytes);
}

TEST_F(RewriteTest, WithoutTheListenerNothingIsCollected) {
  ModuleRoot root(*module);
  constexpr int count = 2000;
  addCountDown(count);
  ASSERT_TRUE(succeeded(runGreedily({})));
  EXPECT_GE(pool().statistics().peakBytes, uint64_t(count * valueBytes));
}

/// Patterns that do not match leave garbage, too.
TEST_F(RewriteTest, CollectsWhatFailedPatternsMade) {
  ModuleRoot root(*module);
  constexpr int count = 2000;
  for (int i = 0; i < count; ++i)
    addOp(*module);
  SafePointListener listener(&context);
  GreedyRewriteConfig config;
  ASSERT_TRUE(succeeded(runGreedily(config.setListener(&listener))));
  EXPECT_GE(pool().statistics().created, uint64_t(count));
  EXPECT_LE(pool().statistics().peakBytes, pressure + 3 * valueBytes);
}

/// A driver inside of a pattern, with the same listener: the outer pattern
/// holds a value meanwhile.
TEST_F(RewriteTest, ADriverInsideOfAPatternSaysNone) {
  ModuleRoot root(*module);
  addOp(*module, "start");
  addCountDown(10);
  SafePointListener listener(&context);
  GreedyRewriteConfig config;
  config.setListener(&listener);
  auto inner = countDown();
  struct Outer : RewritePattern {
    Outer(MLIRContext *context, std::function<LogicalResult(Operation *)> body)
        : RewritePattern("test.op", 2, context), body(std::move(body)) {}
    LogicalResult matchAndRewrite(Operation *op,
                                  PatternRewriter &) const override {
      return body(op);
    }
    std::function<LogicalResult(Operation *)> body;
  };
  bool done = false;
  RewritePatternSet patterns(&context);
  patterns.add(std::make_unique<Outer>(&context, [&](Operation *op) {
    if (done)
      return failure();
    done = true;
    DisposableElementsAttr held = make();
    (void)applyPatternsGreedily(*module, inner, config);
    EXPECT_EQ(pool().statistics().collections, 0u);
    op = &module->getBody()->front();
    op->setAttr("start", held); // ends the program were it disposed
    return success(held.getElements().value<float>(1) == 1);
  }));
  FrozenRewritePatternSet frozen(std::move(patterns));
  ASSERT_TRUE(succeeded(run(callPass<ModuleOp>([&](ModuleOp op) {
                              (void)applyPatternsGreedily(op, frozen, config);
                              return success();
                            }),
                            {.pressureBytes = 0})));
  EXPECT_TRUE(done);
  EXPECT_GE(pool().statistics().collections, 2u);
}

/// MLIR's own canonicalizer, of which each function's run folds a chain of
/// constants: one listener for all threads.
TEST_F(RewriteTest, BoundsFoldsOfTheCanonicalizerOnSeveralThreads) {
  constexpr int functions = 8, length = 120; // 96 MB in all
  constexpr uint64_t limit = 1 << 20;
  for (int i = 0; i < functions; ++i)
    addChain(*module, length);
  ModuleRoot root(*module);
  SafePointListener listener(&context);
  GreedyRewriteConfig config;
  config.setListener(&listener).setUseTopDownTraversal();
  PassManager pm(&context);
  addCollector(pm, {.pressureBytes = limit});
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass(config));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  DisposableStatistics statistics = pool().statistics();
  EXPECT_EQ(statistics.created, uint64_t(functions * (length + 1)));
  EXPECT_EQ(statistics.live(), uint64_t(functions));
  uint64_t threads = context.getThreadPool().getMaxConcurrency();
  EXPECT_LE(statistics.peakBytes,
            threads * (limit + 4 * valueBytes) + 3 * functions * valueBytes);
  module->walk([&](testops::ConstantOp op) {
    Elements x = fromAttribute(op->getAttrOfType<ElementsAttr>("value"));
    EXPECT_EQ(x.value<int8_t>(valueBytes - 1), int8_t(length));
  });
}

TEST_F(RewriteTest, TellsTheNextListenerEverything) {
  struct Counter : RewriterBase::Listener {
    int begun = 0, ended = 0, erased = 0, modified = 0, inserted = 0;
    void notifyPatternBegin(const Pattern &, Operation *) override { ++begun; }
    void notifyPatternEnd(const Pattern &, LogicalResult) override { ++ended; }
    void notifyOperationErased(Operation *) override { ++erased; }
    void notifyOperationModified(Operation *) override { ++modified; }
    void notifyOperationInserted(Operation *, OpBuilder::InsertPoint) override {
      ++inserted;
    }
  } alone, behind;
  GreedyRewriteConfig config;
  addCountDown(5);
  OwningOpRef<ModuleOp> copy = module->clone();
  ASSERT_TRUE(succeeded(runGreedily(config.setListener(&alone))));
  module = std::move(copy);
  SafePointListener listener(&context, &behind);
  ASSERT_TRUE(succeeded(runGreedily(config.setListener(&listener))));
  EXPECT_EQ(alone.erased, 5);
  for (auto member : {&Counter::begun, &Counter::ended, &Counter::erased,
                      &Counter::modified, &Counter::inserted})
    EXPECT_EQ(behind.*member, alone.*member);
}

} // namespace
