//===- CollectorTest.cpp - Collection between passes ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/gc/Collector.h"
#include "CallPass.h"
#include "GcTest.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/gc/Passes.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/Passes.h"
#include <thread>

using namespace onnxfold;
using namespace mlir;

namespace {

class CollectorTest : public GcTest {
protected:
  /// Replaces the constants of a function by new ones, and makes garbage.
  LogicalResult renew(func::FuncOp function, int garbage) {
    function.walk([&](arith::ConstantOp constant) {
      for (int i = 0; i < garbage; ++i)
        make(i);
      constant.setValueAttr(make(7));
    });
    return success();
  }
};

TEST_F(CollectorTest, CollectsAfterPassesOnTheRoot) {
  ModuleRoot root(*module);
  PassManager pm(&context);
  addCollector(pm);
  addOp(*module, "x", make(1));
  std::vector<uint64_t> live;
  for (int i = 0; i < 3; ++i)
    pm.addPass(callPass<ModuleOp>([&](ModuleOp op) {
      live.push_back(pool().statistics().live());
      op.getBody()->front().setAttr("x", make(2));
      make(3);
      return success();
    }));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  EXPECT_EQ(live, (std::vector<uint64_t>{1, 1, 1}));
  EXPECT_EQ(pool().statistics().live(), 1u);
  EXPECT_EQ(pool().statistics().created, 7u);
}

TEST_F(CollectorTest, DoesNothingInsideAPassOrWithoutARoot) {
  PassManager pm(&context);
  addCollector(pm);
  DisposableElementsAttr attr;
  pm.addPass(callPass<ModuleOp>([&](ModuleOp) {
    attr = make();
    return success();
  }));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  EXPECT_FALSE(attr.isDisposed()); // born outside every root
  ModuleRoot root(*module);
  pm.addPass(callPass<ModuleOp>([&](ModuleOp) {
    DisposableElementsAttr young = make();
    EXPECT_EQ(pool().collect(), 0u);
    EXPECT_FALSE(young.isDisposed());
    return success();
  }));
  ASSERT_TRUE(succeeded(pm.run(*module)));
}

TEST_F(CollectorTest, NothingIsCollectedAfterAFailedPass) {
  ModuleRoot root(*module);
  PassManager pm(&context);
  addCollector(pm);
  DisposableElementsAttr attr;
  pm.addPass(callPass<ModuleOp>([&](ModuleOp) {
    attr = make();
    return failure();
  }));
  EXPECT_TRUE(failed(pm.run(*module)));
  EXPECT_FALSE(attr.isDisposed());
  EXPECT_EQ(pool().collect(), 1u); // the failed pass left no lock behind
}

TEST_F(CollectorTest, NestedPassesCollectWhatTheyMade) {
  // A single thread, so that the order of passes is known.
  context.disableMultithreading();
  ModuleRoot root(*module);
  constexpr int functions = 20, garbage = 10;
  for (int i = 0; i < functions; ++i)
    addFunction(*module, "f" + std::to_string(i), {make(i)});
  PassManager pm(&context);
  addCollector(pm);
  std::vector<uint64_t> live;
  for (int i = 0; i < 2; ++i)
    pm.addNestedPass<func::FuncOp>(
        callPass<func::FuncOp>([&](func::FuncOp function) {
          live.push_back(pool().statistics().live());
          return renew(function, garbage);
        }));
  uint64_t after = 0;
  pm.addPass(callPass<ModuleOp>([&](ModuleOp) {
    after = pool().statistics().live();
    return success();
  }));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  // Each pass leaves the constant that it replaced, which is older than it, and
  // none of its garbage; the end of the nested pipeline collects the rest.
  ASSERT_EQ(live.size(), size_t(2 * functions));
  for (size_t i = 0; i < live.size(); ++i)
    EXPECT_EQ(live[i], functions + i);
  EXPECT_EQ(after, uint64_t(functions));
}

TEST_F(CollectorTest, ManyThreads) {
  ModuleRoot root(*module);
  constexpr int functions = 200, garbage = 20;
  for (int i = 0; i < functions; ++i)
    addFunction(*module, "f" + std::to_string(i), {make(i)});
  PassManager pm(&context);
  addCollector(pm);
  for (int i = 0; i < 5; ++i)
    pm.addNestedPass<func::FuncOp>(callPass<func::FuncOp>(
        [&](func::FuncOp function) { return renew(function, garbage); }));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  DisposableStatistics statistics = pool().statistics();
  EXPECT_EQ(statistics.live(), uint64_t(functions));
  EXPECT_EQ(statistics.created, uint64_t(functions * (1 + 5 * (garbage + 1))));
  // At worst what the functions' passes replaced, and the garbage in work.
  EXPECT_LE(statistics.peakBytes, 800u * (functions * 6 + 64 * garbage));
  module->walk([&](arith::ConstantOp constant) {
    auto attr = cast<DisposableElementsAttr>(Attribute(constant.getValue()));
    EXPECT_EQ(attr.getElements().value<float>(), 7);
  });
}

/// Two pass managers at work on two modules of one context.
TEST_F(CollectorTest, SeveralRootsAtOnce) {
  constexpr int rounds = 200;
  auto work = [&](ModuleOp module) {
    for (int i = 0; i < rounds; ++i) {
      PassManager pm(&context);
      addCollector(pm);
      pm.addPass(callPass<ModuleOp>([&](ModuleOp op) {
        for (Operation &each : *op.getBody()) {
          auto attr = each.getAttrOfType<DisposableElementsAttr>("x");
          EXPECT_EQ(attr.getElements().value<float>(2), 2);
          each.setAttr("x", make(0));
          make(9);
        }
        return success();
      }));
      EXPECT_TRUE(succeeded(pm.run(module)));
    }
  };
  OwningOpRef<ModuleOp> other = ModuleOp::create(builder.getUnknownLoc());
  ModuleRoot root(*module), otherRoot(*other);
  for (int i = 0; i < 20; ++i) {
    addOp(*module, "x", make());
    addOp(*other, "x", make());
  }
  context.disableMultithreading(false);
  std::thread thread([&] { work(*other); });
  work(*module);
  thread.join();
  pool().collect();
  EXPECT_EQ(pool().statistics().live(), 40u);
}

TEST_F(CollectorTest, RegistersTheRootOnDemand) {
  PassManager pm(&context);
  addCollector(pm, {.registerRoot = true});
  DisposableElementsAttr old = make(1), kept = make(2);
  addOp(*module, "x", old);
  addOp(*module, "x", kept);
  pm.addPass(callPass<ModuleOp>([&](ModuleOp op) {
    op.getBody()->front().erase();
    return success();
  }));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  EXPECT_TRUE(old.isDisposed());
  EXPECT_FALSE(kept.isDisposed());
  // After the run the module is no root again, and its attributes are kept.
  OwningOpRef<ModuleOp> other = ModuleOp::create(builder.getUnknownLoc());
  ModuleRoot root(*other);
  EXPECT_EQ(pool().collect(), 0u);
  EXPECT_FALSE(kept.isDisposed());
}

TEST_F(CollectorTest, WritesStatistics) {
  std::string text;
  llvm::raw_string_ostream os(text);
  MappedBytes mapped;
  {
    ModuleRoot root(*module);
    PassManager pm(&context);
    addCollector(pm, {.statistics = &os});
    pm.addPass(callPass<ModuleOp>([&](ModuleOp op) {
      addOp(op, "x", make(1));
      make(2), make(3);
      return success();
    }));
    pm.addPass(createCollectPass());
    ASSERT_TRUE(succeeded(pm.run(*module)));
    EXPECT_EQ(text, "");
    mapped = MappedBytes(12345);
  }
  // After the first pass; in the second, and after it.
  EXPECT_EQ(pool().statistics().collections, 3u);
  EXPECT_GT(pool().statistics().nanoseconds, 0u);
  for (const char *row :
       {" 3 created ", " 1 live ", " 800 live-bytes ", " 2400 peak-bytes ",
        " 2 freed ", " 1600 freed-bytes ", " 3 collections ",
        " 12345 mapped-bytes "})
    EXPECT_NE(text.find(row), std::string::npos) << row << "\n" << text;
}

TEST_F(CollectorTest, ThePassCollectsWithoutAnInstrumentation) {
  ModuleRoot root(*module);
  addOp(*module, "x", make(1));
  make(2);
  PassManager pm(&context);
  pm.addPass(createCollectPass());
  ASSERT_TRUE(succeeded(pm.run(*module)));
  EXPECT_EQ(pool().statistics().live(), 1u);
  // On an operation that is no root, too, what it refers to is kept.
  OwningOpRef<ModuleOp> other = ModuleOp::create(builder.getUnknownLoc());
  DisposableElementsAttr attr = make(3);
  addOp(*other, "x", attr);
  ASSERT_TRUE(succeeded(pm.run(*other)));
  EXPECT_FALSE(attr.isDisposed());
}

/// With an LLVM that was built with statistics -mlir-pass-statistics shows
/// them; Debian's compiles values and table away.
TEST_F(CollectorTest, PassesHaveStatistics) {
  EXPECT_EQ(createCollectPass()->getStatistics().size(), 7u);
  EXPECT_EQ(createScrubPass()->getStatistics().size(), 2u);
}

/// What a nested pass made and still had in use at one collection, and not at
/// a later one, has a last owner.
TEST_F(CollectorTest, MessagesNameTheLastOwnerAfterNestedPasses) {
  context.disableMultithreading();
  ModuleRoot root(*module);
  addFunction(*module, "f", {make()});
  DisposableElementsAttr stale;
  PassManager pm(&context);
  addCollector(pm);
  pm.addNestedPass<func::FuncOp>(
      callPass<func::FuncOp>([&](func::FuncOp function) {
        Operation *op = &function.getBody().front().front();
        op->setLoc(FileLineColLoc::get(&context, "f.mlir", 3, 4));
        op->setAttr("x", stale = make());
        EXPECT_EQ(pool().collectInPass(), 0u);
        op->removeAttr("x");
        EXPECT_EQ(pool().collectInPass(), 1u);
        return success();
      }));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  EXPECT_DEATH(stale.getElements(),
               "gc: read of constant #2 \\(tensor<200xf32>\\) after "
               "collection 2 freed it; last owner .*f.mlir.*:3:4");
}

/// MLIR's own passes fold operations whose constants are disposable: they read
/// them by the interface.
TEST_F(CollectorTest, UpstreamPassesFoldAndCollect) {
  std::string ones = "1", text;
  for (int i = 1; i < 300; ++i)
    ones += ", " + std::to_string(1 + i % 2);
  text = "func.func @f() -> (tensor<300xi32>, tensor<300xi32>) {\n"
         "  %0 = arith.constant #elements.dense<[" +
         ones +
         "]> : "
         "tensor<300xi32>\n"
         "  %1 = arith.constant #elements.dense<[" +
         ones +
         "]> : "
         "tensor<300xi32>\n"
         "  %2 = arith.addi %0, %1 : tensor<300xi32>\n"
         "  %3 = arith.muli %2, %0 : tensor<300xi32>\n"
         "  %4 = arith.muli %2, %0 : tensor<300xi32>\n"
         "  return %3, %4 : tensor<300xi32>, tensor<300xi32>\n}\n";
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(parsed);
  ModuleRoot root(*parsed);
  EXPECT_EQ(pool().statistics().live(), 2u);
  PassManager pm(&context);
  addCollector(pm);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  ASSERT_TRUE(succeeded(pm.run(*parsed)));
  EXPECT_EQ(pool().statistics().live(), 0u);
  std::vector<arith::ConstantOp> constants;
  parsed->walk([&](arith::ConstantOp op) { constants.push_back(op); });
  ASSERT_EQ(constants.size(), 1u);
  auto values = cast<ElementsAttr>(constants[0].getValue());
  for (auto [i, value] : llvm::enumerate(values.getValues<int32_t>()))
    EXPECT_EQ(value, i % 2 ? 8 : 2);
}

} // namespace
