//===- ScrubTest.cpp - Disposable to ordinary attributes ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/gc/Scrub.h"
#include "GcTest.h"
#include "TestOps.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/Passes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/ThreadPool.h"
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

using namespace onnxfold;
using namespace mlir;

namespace {

class ScrubTest : public GcTest {
protected:
  size_t countDisposables(Operation *op) {
    size_t count = 0;
    walkDisposables(op, [&](DisposableElementsAttr, Location) { ++count; });
    return count;
  }
};

/// The same text as a module with DenseElementsAttr from the start has.
TEST_F(ScrubTest, GivesTheAttributesOfEqualDenseOnes) {
  auto build = [&](bool dense) {
    OwningOpRef<ModuleOp> result = ModuleOp::create(builder.getUnknownLoc());
    int n = 0;
    auto next = [&]() -> TypedAttr {
      DisposableElementsAttr attr = make(n++ % 5);
      if (!dense)
        return attr;
      return toDenseAttribute(attr.getElements(), attr.getType());
    };
    addOp(*result, "x", builder.getArrayAttr({builder.getUnitAttr(), next()}));
    addOp(*result, "x",
          builder.getDictionaryAttr(builder.getNamedAttr("y", next())));
    result->getOperation()->setAttr("on.module", next());
    auto function = addFunction(*result, "f", {next(), next()});
    function->setAttr("on.function", next());
    function.setResultAttr(0, "on.result", next());
    addOp(*result)->setLoc(
        FusedLoc::get(&context, {builder.getUnknownLoc()}, next()));
    OperationState state(builder.getUnknownLoc(), "test.typed");
    state.addTypes(RankedTensorType::get({1}, builder.getF32Type(), next()));
    state.propertiesAttr =
        builder.getDictionaryAttr(builder.getNamedAttr("p", next()));
    builder.create(state);
    return result;
  };
  auto print = [](ModuleOp op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os, OpPrintingFlags().enableDebugInfo());
    return text;
  };
  OwningOpRef<ModuleOp> ours = build(false), expected = build(true);
  ModuleRoot root(*ours);
  EXPECT_EQ(countDisposables(*ours), 10u);
  ScrubResult result = scrub(*ours);
  EXPECT_EQ(result.replaced, 10u);
  EXPECT_EQ(result.bytes, 10u * 800);
  EXPECT_EQ(countDisposables(*ours), 0u);
  EXPECT_EQ(print(*ours), print(*expected));
  EXPECT_EQ(scrub(*ours).replaced, 0u);
}

TEST_F(ScrubTest, ReplacesInPropertiesOfAnyKind) {
  context.loadDialect<testops::TestDialect>();
  ModuleRoot root(*module);
  builder.setInsertionPointToEnd(module->getBody());
  DisposableElementsAttr attr = make();
  Attribute dense = toDenseAttribute(attr.getElements(), attr.getType());
  auto holder = testops::create<testops::HolderOp>(
      builder, ArrayRef<Attribute>{attr, builder.getArrayAttr(attr)});
  EXPECT_EQ(scrub(*module).replaced, 1u);
  EXPECT_EQ(holder.getProperties().list[0], dense);
  EXPECT_EQ(holder.getProperties().list[1], builder.getArrayAttr(dense));
}

TEST_F(ScrubTest, DisposesWhatNobodyElseHolds) {
  OwningOpRef<ModuleOp> other = ModuleOp::create(builder.getUnknownLoc());
  ModuleRoot root(*module), otherRoot(*other);
  DisposableElementsAttr mine = make(1), pinned = make(2), shared = make(3);
  AttributePin pin(pinned);
  for (DisposableElementsAttr attr : {mine, pinned, shared})
    addOp(*module, "x", attr);
  addOp(*other, "x", shared);
  scrub(*module);
  EXPECT_TRUE(mine.isDisposed());
  EXPECT_FALSE(pinned.isDisposed());
  EXPECT_FALSE(shared.isDisposed());
  EXPECT_EQ(other->getBody()->front().getAttr("x"), shared);
}

TEST_F(ScrubTest, PartOfAModule) {
  ModuleRoot root(*module);
  DisposableElementsAttr inBoth = make(1), inOne = make(2);
  func::FuncOp f = addFunction(*module, "f", {inBoth, inOne});
  func::FuncOp g = addFunction(*module, "g", {inBoth});
  EXPECT_EQ(scrub(f).replaced, 2u);
  EXPECT_TRUE(inOne.isDisposed());
  EXPECT_FALSE(inBoth.isDisposed());
  EXPECT_EQ(countDisposables(g), 1u);
}

TEST_F(ScrubTest, AsAPassThatTheCollectorWatches) {
  ModuleRoot root(*module);
  DisposableElementsAttr attr = make(1);
  Elements x = attr.getElements();
  addOp(*module, "x", attr);
  PassManager pm(&context);
  addCollector(pm);
  pm.addPass(createScrubPass());
  ASSERT_TRUE(succeeded(pm.run(*module)));
  EXPECT_TRUE(attr.isDisposed());
  EXPECT_EQ(module->getBody()->front().getAttr("x"),
            toDenseAttribute(x, attr.getType()));

  // What another root refers to is kept.
  OwningOpRef<ModuleOp> other = ModuleOp::create(builder.getUnknownLoc());
  ModuleRoot otherRoot(*other);
  DisposableElementsAttr mine = make(2), shared = make(3);
  for (DisposableElementsAttr each : {mine, shared})
    addOp(*module, "x", each);
  addOp(*other, "x", shared);
  ASSERT_TRUE(succeeded(pm.run(*module)));
  EXPECT_EQ(countDisposables(*module), 0u);
  EXPECT_TRUE(mine.isDisposed());
  EXPECT_FALSE(shared.isDisposed());
}

TEST_F(ScrubTest, ResourcesInAFile) {
  ModuleRoot root(*module);
  constexpr int64_t count = 100'000;
  Elements x =
      Elements::build<float>({count}, [](llvm::MutableArrayRef<float> out) {
        for (auto [i, value] : llvm::enumerate(out))
          value = float(i);
      });
  Elements y = ops::map(x, [](auto v) { return v + v; });
  addOp(*module, "x",
        DisposableElementsAttr::get(toTensorType(y, &context), y));
  uint64_t before = memoryStatistics().spilledBytes;
  EXPECT_EQ(scrub(*module, {ScrubForm::ResourceInFile}).replaced, 1u);
  EXPECT_GE(memoryStatistics().spilledBytes, before + count * sizeof(float));
  auto attr =
      module->getBody()->front().getAttrOfType<DenseResourceElementsAttr>("x");
  ASSERT_TRUE(attr);
  EXPECT_TRUE(fromAttribute(attr).identicalTo(y));
}

TEST_F(ScrubTest, Resources) {
  ModuleRoot root(*module);
  DisposableElementsAttr attr = make(1), small = make(2, 3);
  Elements nibbles =
      Elements::build<Int4>({1000}, [](llvm::MutableArrayRef<Int4> out) {
        for (auto [i, value] : llvm::enumerate(out))
          value = {int8_t(i % 16 - 8)};
      });
  auto sub =
      DisposableElementsAttr::get(toTensorType(nibbles, &context), nibbles);
  Elements x = attr.getElements();
  for (Attribute each : std::initializer_list<Attribute>{attr, small, sub})
    addOp(*module, "x", each);
  EXPECT_EQ(scrub(*module, {ScrubForm::Resource}).replaced, 3u);
  auto at = [&](int i) {
    return std::next(module->getBody()->begin(), i)
        ->getAttrOfType<ElementsAttr>("x");
  };
  EXPECT_TRUE(isa<DenseResourceElementsAttr>(at(0)));
  EXPECT_TRUE(fromAttribute(at(0)).identicalTo(x));
  EXPECT_TRUE(isa<DenseElementsAttr>(at(1)));
  EXPECT_TRUE(fromAttribute(at(2)).identicalTo(nibbles));
  // It prints and parses as MLIR's own does.
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(
      fromAttribute(parsed->getBody()->front().getAttrOfType<ElementsAttr>("x"))
          .identicalTo(x));
}

TEST_F(ScrubTest, ElidedAttributesStay) {
  ModuleRoot root(*module);
  auto elided = DisposableElementsAttr::getElided(
      RankedTensorType::get({100}, builder.getF32Type()));
  addOp(*module, "x", elided);
  EXPECT_EQ(scrub(*module).replaced, 0u);
  EXPECT_EQ(module->getBody()->front().getAttr("x"), elided);
}

static size_t statusBytes(const char *key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(key, 0) == 0)
      return std::stoull(line.substr(line.find(':') + 1)) * 1024;
  return 0;
}

/// How far this process has risen above `before` bytes. The kernel counts pages
/// in batches for each thread: the peak that it names can lie below what it
/// named before.
static size_t peakAbove(size_t before) {
  size_t peak = statusBytes("VmHWM");
  return peak > before ? peak - before : 0;
}

/// At no time twice the data: 128 MB in pieces of 4 MB, half of them computed
/// only when they are read.
TEST_F(ScrubTest, PeakIsBounded) {
  ModuleRoot root(*module);
  constexpr int64_t pieces = 32, count = 1 << 20;
  for (int64_t i = 0; i < pieces; ++i) {
    Elements x = make(float(i), count).getElements();
    if (i % 2)
      x = x.reshape({1024, 1024}).transpose({1, 0});
    addOp(*module, "x",
          DisposableElementsAttr::get(toTensorType(x, &context), x));
  }
  pool().collect();
  std::ofstream("/proc/self/clear_refs") << 5;
  size_t before = statusBytes("VmRSS");
  EXPECT_EQ(scrub(*module).replaced, uint64_t(pieces));
  size_t peak = peakAbove(before);
  std::printf("scrub of 128 MB: %zu MB above\n", peak >> 20);
  if (measuresMemory) {
    EXPECT_LE(peak, size_t(48) << 20);
  }
  EXPECT_EQ(pool().statistics().live(), 0u);
}

/// Scrub stopped the world and waited for the threads of the pool; all of them
/// waited for the world to go on.
TEST_F(ScrubTest, DoesNotWaitForThreadsThatWaitForIt) {
  ModuleRoot root(*module);
  llvm::ThreadPoolInterface &threads = context.getThreadPool();
  std::atomic<bool> isRead = false;
  for (unsigned i = 0; i < threads.getMaxConcurrency(); ++i)
    threads.async([&] {
      while (!isRead)
        std::this_thread::yield();
      NoCollection guard(pool());
    });
  // The world is stopped when the values are read, which no thread of the pool
  // can do.
  Elements x = Elements::fromReader(
      DataType::Int32, {1000}, [&](int64_t first, int64_t count, void *out) {
        isRead = true;
        for (int64_t i = 0; i < count; ++i)
          static_cast<int32_t *>(out)[i] = first + i;
      });
  for (int i = 0; i < 20; ++i) {
    NoCollection guard(pool());
    addOp(*module, "x", make(i));
  }
  addOp(*module, "x",
        DisposableElementsAttr::get(toTensorType(x, &context), x));
  EXPECT_EQ(scrub(*module).replaced, 21u);
  threads.wait();
}

/// A thread that has no value of its own helps with the last one.
TEST_F(ScrubTest, ThreadsShareOneConstant) {
  ModuleRoot root(*module);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  const bool canShare = context.getThreadPool().getMaxConcurrency() > 1;
  std::atomic<bool> isShared = false;
  Elements x = Elements::fromReader(
      DataType::Int32, {8 << 20}, [&](int64_t first, int64_t count, void *out) {
        for (int64_t i = 0; i < count; ++i)
          static_cast<int32_t *>(out)[i] = first + i;
        {
          std::lock_guard<std::mutex> lock(mutex);
          threads.insert(std::this_thread::get_id());
          isShared = threads.size() > 1;
        }
        // The first thread leaves parts for others.
        while (canShare && !isShared)
          std::this_thread::yield();
      });
  addOp(*module, "x",
        DisposableElementsAttr::get(toTensorType(x, &context), x));
  scrub(*module, {.form = ScrubForm::Resource});
  EXPECT_EQ(isShared, canShare);
  Elements result = fromAttribute(
      module->getBody()->front().getAttrOfType<ElementsAttr>("x"));
  EXPECT_EQ(result.value<int32_t>(7654321), 7654321);
}

/// One tensor of 256 MB whose elements must move: the threads share it, and
/// beside itself and the result there is nothing.
TEST_F(ScrubTest, OneHugeConstant) {
  ModuleRoot root(*module);
  constexpr int64_t n = 8192;
  Elements x = Elements::build<float>({n, n}, [](MutableArrayRef<float> out) {
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = float(i % 1000003);
  });
  size_t bytes = x.bytes();
  x = x.transpose({1, 0});
  addOp(*module, "x",
        DisposableElementsAttr::get(toTensorType(x, &context), x));
  x = Elements();
  std::ofstream("/proc/self/clear_refs") << 5;
  size_t before = statusBytes("VmRSS");
  EXPECT_EQ(scrub(*module, {.form = ScrubForm::Resource}).replaced, 1u);
  size_t peak = peakAbove(before);
  std::printf("scrub of one constant of 256 MB: %zu MB above\n", peak >> 20);
  if (measuresMemory) {
    EXPECT_LE(peak, bytes + (size_t(8) << 20));
  }
  EXPECT_EQ(pool().statistics().live(), 0u);
  Elements result = fromAttribute(
      module->getBody()->front().getAttrOfType<ElementsAttr>("x"));
  for (int64_t i : {int64_t(0), int64_t(1), n, n * n - 1})
    EXPECT_EQ(result.value<float>(i), float((i % n * n + i / n) % 1000003));
}

/// N attributes in N operations, N = 10 ... 10,000.
TEST_F(ScrubTest, Scales) {
  ModuleRoot root(*module);
  for (int64_t n : {10, 100, 1000, 10000}) {
    for (int64_t i = 0; i < n; ++i)
      addOp(*module, "x", make(i));
    EXPECT_EQ(scrub(*module).replaced, uint64_t(n));
    EXPECT_EQ(countDisposables(*module), 0u);
    module->getBody()->clear();
  }
}

} // namespace
