//===- DisposablePoolTest.cpp - Which attributes are alive ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "GcTest.h"
#include "TestOps.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Threading.h"
#include "mlir/Parser/Parser.h"
#include <atomic>
#include <malloc.h>
#include <thread>

using namespace onnxfold;
using namespace mlir;

namespace {

using DisposablePoolTest = GcTest;

TEST_F(DisposablePoolTest, DisposesWhatNobodyRefersTo) {
  ModuleRoot root(*module);
  DisposableElementsAttr used = make(1), unused = make(2);
  addOp(*module, "x", used);
  DisposableStatistics before = pool().statistics();
  EXPECT_EQ(before.live(), 2u);
  EXPECT_EQ(before.liveBytes, 1600u);
  EXPECT_EQ(pool().collect(), 1u);
  EXPECT_FALSE(used.isDisposed());
  EXPECT_TRUE(unused.isDisposed());
  EXPECT_EQ(used.getElements().value<float>(5), 6);
  DisposableStatistics after = pool().statistics();
  EXPECT_EQ(after.live(), 1u);
  EXPECT_EQ(after.liveBytes, 800u);
  EXPECT_EQ(after.peakBytes, 1600u);
  EXPECT_EQ(after.disposedBytes, 800u);
  EXPECT_EQ(pool().collect(), 0u);
}

TEST_F(DisposablePoolTest, FreesTheData) {
  ModuleRoot root(*module);
  auto alive = std::make_shared<int>();
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(4000);
  buffer->keepAlive = alive;
  Elements x = Elements::fromBuffer(DataType::Float32, {1000}, buffer);
  buffer.reset();
  auto attr = DisposableElementsAttr::get(toTensorType(x, &context), x);
  x = Elements();
  EXPECT_EQ(alive.use_count(), 2);
  Elements reader = attr.getElements(); // a handle of its own
  pool().collect();
  EXPECT_TRUE(attr.isDisposed());
  EXPECT_EQ(alive.use_count(), 2);
  reader = Elements();
  EXPECT_EQ(alive.use_count(), 1);
}

TEST_F(DisposablePoolTest, ContextFreesWhatIsLeft) {
  auto alive = std::make_shared<int>();
  {
    MLIRContext other;
    other.loadDialect<ElementsDialect>();
    auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(4000);
    buffer->keepAlive = alive;
    Elements x = Elements::fromBuffer(DataType::Float32, {1000}, buffer);
    DisposableElementsAttr::get(toTensorType(x, &other), x);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

TEST_F(DisposablePoolTest, ReadingADisposedAttributeIsDiagnosed) {
  ModuleRoot root(*module);
  DisposableElementsAttr attr = make();
  Operation *op = addOp(*module, "x", attr);
  op->setLoc(FileLineColLoc::get(&context, "m.mlir", 12, 8));
  pool().collect();
  op->erase();
  pool().collect();
  ASSERT_TRUE(attr.isDisposed());
  // Every way to read it, in release builds too.
  const char *message = "gc: read of constant #1 \\(tensor<200xf32>\\) after "
                        "collection 2 freed it; last owner .*m.mlir.*:12:8";
  EXPECT_DEATH(attr.getElements(), message);
  EXPECT_DEATH(ElementsAttr(attr).getValues<float>(), message);
  EXPECT_DEATH((void)ElementsAttr(attr).isSplat(), message);
  EXPECT_DEATH(fromAttribute(attr), message);
  EXPECT_DEATH(str(attr), message);
  EXPECT_DEATH(AttributePin{attr}, message);
  EXPECT_EQ(attr.getType().getNumElements(), 200); // not data
}

/// Every place where an operation can refer to an attribute.
TEST_F(DisposablePoolTest, FindsAttributesWhereverTheyAre) {
  ModuleRoot root(*module);
  std::vector<DisposableElementsAttr> used;
  auto next = [&] { return used.emplace_back(make(used.size())); };

  addOp(*module, "x", builder.getArrayAttr({builder.getUnitAttr(), next()}));
  addOp(*module, "x",
        builder.getDictionaryAttr(
            builder.getNamedAttr("y", builder.getArrayAttr(next()))));
  module->getOperation()->setAttr("on.module", next());
  auto function = addFunction(*module, "f", {next(), next()}); // properties
  function->setAttr("on.function", next());
  function.setResultAttr(0, "on.result", next());
  function.getBody().front().getTerminator()->setAttr("deep", next());
  // In a location, in a type, in the properties of an unregistered operation.
  addOp(*module)->setLoc(
      FusedLoc::get(&context, {builder.getUnknownLoc()}, next()));
  builder.setInsertionPointToEnd(module->getBody());
  OperationState state(builder.getUnknownLoc(), "test.typed");
  state.addTypes(
      RankedTensorType::get({1}, builder.getF32Type(), /*encoding=*/next()));
  builder.create(state);
  OperationState withProperties(builder.getUnknownLoc(), "test.properties");
  withProperties.propertiesAttr =
      builder.getDictionaryAttr(builder.getNamedAttr("p", next()));
  builder.create(withProperties);
  Block *block = new Block;
  OperationState withRegion(builder.getUnknownLoc(), "test.region");
  withRegion.addRegion()->push_back(block);
  builder.create(withRegion);
  block->addArgument(
      RankedTensorType::get({1}, builder.getF32Type(), /*encoding=*/next()),
      FusedLoc::get(&context, {builder.getUnknownLoc()}, next()));

  DisposableElementsAttr unused = make(-1);
  EXPECT_EQ(pool().collect(), 1u);
  EXPECT_TRUE(unused.isDisposed());
  for (auto [i, attr] : llvm::enumerate(used))
    EXPECT_FALSE(attr.isDisposed()) << "place " << i;
  module->getBody()->clear();
  module->getOperation()->removeAttr("on.module");
  EXPECT_EQ(pool().collect(), used.size());
}

/// Properties of registered operations that are no plain attributes: only
/// turning them into one shows what they hold.
TEST_F(DisposablePoolTest, FindsAttributesInPropertiesOfAnyKind) {
  context.loadDialect<testops::TestDialect>();
  ModuleRoot root(*module);
  builder.setInsertionPointToEnd(module->getBody());
  DisposableElementsAttr listed = make(1), nested = make(2), unused = make(3);
  auto holder = testops::create<testops::HolderOp>(
      builder,
      ArrayRef<Attribute>{listed, builder.getArrayAttr({nested, nested})});
  EXPECT_EQ(pool().collect(), 1u);
  EXPECT_TRUE(unused.isDisposed());
  EXPECT_FALSE(listed.isDisposed() || nested.isDisposed());
  holder.getProperties().list.pop_back();
  EXPECT_EQ(pool().collect(), 1u);
  EXPECT_TRUE(nested.isDisposed());
}

TEST_F(DisposablePoolTest, CollectingOneModuleSparesTheOthers) {
  OwningOpRef<ModuleOp> other = ModuleOp::create(builder.getUnknownLoc());
  ModuleRoot root(*module);
  DisposableElementsAttr inModule = make(1), inOther = make(2);
  addOp(*module, "x", inModule);
  addOp(*other, "x", inOther);
  {
    ModuleRoot otherRoot(*other);
    EXPECT_EQ(pool().collect(), 0u);
    ModuleRoot moved = std::move(otherRoot);
    EXPECT_EQ(pool().collect(), 0u);
  }
  EXPECT_EQ(pool().collect({*other}), 0u); // not registered, but named
  EXPECT_EQ(pool().collect(), 1u);
  EXPECT_TRUE(inOther.isDisposed());
  EXPECT_FALSE(inModule.isDisposed());
}

TEST_F(DisposablePoolTest, ACloneKeepsWhatItShares) {
  ModuleRoot root(*module);
  DisposableElementsAttr attr = make();
  addOp(*module, "x", attr);
  OwningOpRef<ModuleOp> clone = module->clone();
  ModuleRoot cloneRoot(*clone);
  module->getBody()->clear();
  EXPECT_EQ(pool().collect(), 0u);
  clone->getBody()->clear();
  EXPECT_EQ(pool().collect(), 1u);
}

/// A copy that nobody registered is diagnosed when it is read, at worst.
TEST_F(DisposablePoolTest, ACloneThatIsNoRootIsDiagnosed) {
  ModuleRoot root(*module);
  addOp(*module, "x", make())
      ->setLoc(FileLineColLoc::get(&context, "m.mlir", 12, 8));
  OwningOpRef<ModuleOp> clone = module->clone();
  pool().collect();
  module->getBody()->clear();
  EXPECT_EQ(pool().collect(), 1u);
  auto stale = clone->getBody()->front().getAttrOfType<ElementsAttr>("x");
  EXPECT_DEATH(fromAttribute(stale), "gc: read of constant #1 .*m.mlir.*:12:8");
}

TEST_F(DisposablePoolTest, PinsKeepAlive) {
  ModuleRoot root(*module);
  DisposableElementsAttr attr = make();
  {
    AttributePin pin(builder.getArrayAttr({builder.getUnitAttr(), attr}));
    AttributePin copy = pin;
    pin = AttributePin();
    EXPECT_EQ(pool().collect(), 0u);
    AttributePin moved = std::move(copy);
    EXPECT_EQ(pool().collect(), 0u);
    EXPECT_EQ(attr.getElements().value<float>(3), 3);
  }
  EXPECT_EQ(pool().collect(), 1u);
}

TEST_F(DisposablePoolTest, KeepsWhatIsBornOutsideRootsUntilARootAdoptsIt) {
  DisposableElementsAttr early = make(1), lost = make(2);
  addOp(*module, "x", early);
  OwningOpRef<ModuleOp> other = ModuleOp::create(builder.getUnknownLoc());
  {
    ModuleRoot root(*other);
    DisposableElementsAttr scoped;
    {
      DisposableStore::OutsideRoots outside;
      scoped = make(3);
    }
    // Text that is being read may belong to no root yet.
    auto parsed = cast<DisposableElementsAttr>(
        parseAttribute("#elements.dense<[1, 2]> : tensor<2xi8>", &context));
    EXPECT_EQ(pool().collect(), 0u);
    EXPECT_FALSE(early.isDisposed() || lost.isDisposed() ||
                 scoped.isDisposed() || parsed.isDisposed());
  }
  ModuleRoot root(*module); // adopts `early`
  EXPECT_EQ(pool().collect(), 0u);
  module->getBody()->clear();
  EXPECT_EQ(pool().collect(), 1u);
  EXPECT_TRUE(early.isDisposed());
  EXPECT_FALSE(lost.isDisposed());
}

TEST_F(DisposablePoolTest, ReadsWholeModulesOfText) {
  const char *text = R"(
    func.func @f() -> tensor<3xi32> {
      %0 = arith.constant #elements.dense<[1, 2, 3]> : tensor<3xi32>
      return %0 : tensor<3xi32>
    })";
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(parsed);
  ModuleRoot root(*parsed);
  EXPECT_EQ(pool().statistics().live(), 1u);
  EXPECT_EQ(pool().collect(), 0u);
  std::string printed;
  llvm::raw_string_ostream os(printed);
  parsed->print(os);
  EXPECT_NE(printed.find("arith.constant #elements.dense<[1, 2, 3]> : "
                         "tensor<3xi32>"),
            std::string::npos)
      << printed;
  parsed->getBody()->clear();
  EXPECT_EQ(pool().collect(), 1u);
}

TEST_F(DisposablePoolTest, ThreadsMakeAttributes) {
  ModuleRoot root(*module);
  constexpr size_t count = 20000;
  std::vector<Attribute> attributes(count);
  Elements x = make().getElements();
  auto type = toTensorType(x, &context);
  parallelFor(&context, 0, count, [&](size_t i) {
    attributes[i] = DisposableElementsAttr::get(type, x);
  });
  EXPECT_EQ(pool().statistics().live(), count + 1);
  llvm::DenseSet<Attribute> distinct(attributes.begin(), attributes.end());
  EXPECT_EQ(distinct.size(), count);
  addOp(*module, "x", builder.getArrayAttr(attributes));
  EXPECT_EQ(pool().collect(), 1u);
}

/// The time of N constants grows with N: 10 to 10,000 must all finish, and
/// each collection must see exactly what is there.
TEST_F(DisposablePoolTest, Scales) {
  ModuleRoot root(*module);
  for (int64_t n : {10, 100, 1000, 10000}) {
    for (int64_t i = 0; i < n; ++i)
      addOp(*module, "x", make(i));
    EXPECT_EQ(pool().collect(), 0u);
    for (int64_t i = 0; i < n / 2; ++i)
      module->getBody()->back().erase();
    EXPECT_EQ(pool().collect(), size_t(n / 2));
    module->getBody()->clear();
    EXPECT_EQ(pool().collect(), size_t(n - n / 2));
    EXPECT_EQ(pool().statistics().liveBytes, 0u);
  }
}

/// What malloc has given out. (Resident memory would miss what is taken from
/// the memory that earlier tests gave back.)
static size_t allocatedBytes() {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

class DeadAttributesTest : public GcTest,
                           public testing::WithParamInterface<bool> {};

/// What a dead attribute leaves behind: its slot in the uniquer, for ever. With
/// threads the uniquer has a cache for each.
TEST_P(DeadAttributesTest, TakeLittleMemory) {
  context.disableMultithreading(!GetParam());
  ModuleRoot root(*module);
  Elements x = make().getElements();
  auto type = toTensorType(x, &context);
  DisposableElementsAttr first = make(), last;
  pool().collect();
  size_t before = allocatedBytes();
  constexpr size_t count = 1000000, batch = 10000;
  for (size_t i = 0; i < count; i += batch) {
    parallelFor(&context, 0, batch, [&](size_t j) {
      auto attr = DisposableElementsAttr::get(type, x);
      if (j == 0)
        last = attr;
    });
    EXPECT_EQ(pool().collect(), batch);
  }
  double each = double(allocatedBytes() - before) / count;
  std::printf("a dead attribute keeps %.0f bytes%s\n", each,
              GetParam() ? " (threads)" : "");
  if (measuresMemory) {
    EXPECT_LE(each, 128);
  }
  EXPECT_EQ(pool().statistics().peakBytes, batch * 800);
  // No slot was used again: both are known for what they were.
  EXPECT_TRUE(first.isDisposed() && last.isDisposed());
  EXPECT_NE(first, last);
  context.disableMultithreading(); // death tests fork
  EXPECT_DEATH(first.getElements(), "gc: read of constant #2 ");
  EXPECT_DEATH(last.getElements(), "gc: read of constant #" +
                                       std::to_string(last.getId()) +
                                       " .*after collection 101 freed it");
}

INSTANTIATE_TEST_SUITE_P(Threads, DeadAttributesTest, testing::Bool());

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Lets another thread start, and then run until it has to wait.
void giveWay(const std::atomic<bool> &started) {
  while (!started)
    std::this_thread::yield();
  for (int round = 0; round < 1000; ++round)
    std::this_thread::yield();
}

/// Who enters waits for a collection that runs, never for one that waits:
/// the second enter() would be a deadlock.
TEST(WorldLockTest, EntersBeforeACollectionThatWaits) {
  WorldLock world;
  world.enter();
  std::atomic<int> step = 0;
  std::thread collector([&] {
    step = 1;
    world.stop();
    EXPECT_EQ(step, 2);
    world.resume();
  });
  while (step == 0)
    std::this_thread::yield();
  // The collector begins to wait during one of these rounds.
  std::thread([&] {
    for (int round = 0; round < 1000; ++round) {
      world.enter();
      world.leave();
      std::this_thread::yield();
    }
  }).join();
  step = 2;
  world.leave();
  collector.join();
}

TEST(WorldLockTest, TheLastOneInsideMayCollect) {
  WorldLock world;
  world.enter();
  world.enter();
  EXPECT_FALSE(world.tryStopInside());
  world.leave();
  EXPECT_TRUE(world.tryStopInside());
  std::atomic<bool> started = false, resumed = false;
  std::thread other([&] {
    started = true;
    world.enter();
    EXPECT_TRUE(resumed);
    world.leave();
  });
  giveWay(started);
  resumed = true;
  world.resume();
  other.join();
  world.leave();
}

TEST_F(DisposablePoolTest, CollectionWaitsForNoCollection) {
  ModuleRoot root(*module);
  std::thread collector;
  DisposableElementsAttr kept, lost;
  std::atomic<size_t> collected = 0;
  std::atomic<bool> started = false, mayCollect = false;
  {
    NoCollection guard(pool());
    EXPECT_EQ(pool().collect(), 0u); // not inside of it, either
    kept = make(1), lost = make(2);
    collector = std::thread([&] {
      started = true;
      collected = pool().collect();
      EXPECT_TRUE(mayCollect);
    });
    giveWay(started);
    EXPECT_FALSE(kept.isDisposed());
    addOp(*module, "x", kept);
    mayCollect = true;
  }
  collector.join();
  EXPECT_EQ(collected, 1u);
  EXPECT_FALSE(kept.isDisposed());
  EXPECT_TRUE(lost.isDisposed());
}

} // namespace
