//===- MergeTest.cpp - Equal constants become one attribute ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/gc/Merge.h"
#include "GcTest.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/Passes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <chrono>
#include <random>

using namespace onnxfold;
using namespace mlir;

namespace {

class MergeTest : public GcTest {
protected:
  ElementsAttr at(int i) {
    return std::next(module->getBody()->begin(), i)
        ->getAttrOfType<ElementsAttr>("x");
  }
  DisposableElementsAttr attrOf(const Elements &x) {
    return DisposableElementsAttr::get(toTensorType(x, &context), x);
  }
  DenseResourceElementsAttr resourceOf(const Elements &x) {
    return DenseResourceElementsAttr::get(
        toTensorType(x, &context), "r",
        HeapAsmResourceBlob::allocateAndCopyInferAlign<float>(
            ElementsArray<float>(x)));
  }
};

TEST_F(MergeTest, EqualBecomeTheFirst) {
  ModuleRoot root(*module);
  DisposableElementsAttr first = make(1), other = make(2), same = make(1),
                         third = make(1);
  for (Attribute attr : std::initializer_list<Attribute>{
           first, other, builder.getArrayAttr({same, builder.getUnitAttr()}),
           same, third})
    addOp(*module, "x", attr);
  MergeResult result = mergeEqual(*module);
  EXPECT_EQ(result.merged, 2u);
  EXPECT_EQ(result.bytes, 1600u);
  EXPECT_EQ(at(0), first);
  EXPECT_EQ(at(1), other);
  EXPECT_EQ(std::next(module->getBody()->begin(), 2)->getAttr("x"),
            builder.getArrayAttr({first, builder.getUnitAttr()}));
  EXPECT_EQ(at(3), first);
  EXPECT_EQ(at(4), first);
  EXPECT_EQ(pool().collect(), 2u);
  EXPECT_TRUE(same.isDisposed() && third.isDisposed());
  EXPECT_FALSE(first.isDisposed());
  EXPECT_EQ(mergeEqual(*module).merged, 0u);
}

/// What is equal in bytes only, or nearly, is not merged.
TEST_F(MergeTest, DifferentStay) {
  ModuleRoot root(*module);
  Elements x = make(1, 4096).getElements();
  auto changed = [&](int64_t at, float value) {
    std::vector<float> values = x.values<float>();
    values[at] = value;
    return Elements::fromValues<float>(x.shape(), values);
  };
  Elements zeros = changed(0, 0.0f);
  std::vector<Elements> all = {
      x,
      x.reshape({64, 64}),
      x.reshape({1, 4096}),
      changed(4095, 7),
      changed(2000, 7),
      changed(0, 7),
      zeros,
      changed(0, -0.0f),
      Elements::fromBuffer(
          DataType::Int32, x.shape(),
          foreignBuffer({x.residentBytes(), size_t(x.bytes())}))};
  for (const Elements &each : all)
    addOp(*module, "x", attrOf(each));
  // The same bytes with another type of the same form.
  Elements ints = all.back();
  addOp(*module, "x",
        DisposableElementsAttr::get(
            RankedTensorType::get(x.shape(), builder.getIntegerType(32, true)),
            ints));
  auto elided = [&] {
    return DisposableElementsAttr::getElided(
        RankedTensorType::get({4096}, builder.getF32Type()));
  };
  addOp(*module, "x", elided());
  addOp(*module, "x", elided());
  EXPECT_EQ(mergeEqual(*module).merged, 0u);
}

TEST_F(MergeTest, HowAValueIsHeldDoesNotMatter) {
  ModuleRoot root(*module);
  Elements x = make(1, 6000).getElements().reshape({60, 100});
  Elements moved = x.transpose({1, 0}).materialize();
  Elements strings = Elements::fromStrings({2}, {"long", "er"});
  for (const Elements &each :
       {x, moved.transpose({1, 0}),
        Elements::fromReader(DataType::Float32, x.shape(),
                             [=](int64_t first, int64_t count, void *out) {
                               x.read(first, count, out);
                             })})
    addOp(*module, "x", attrOf(each));
  auto splat = Elements::splat<float>({60, 100}, 1);
  addOp(*module, "x", attrOf(splat));
  addOp(*module, "x", attrOf(splat.materialize()));
  EXPECT_EQ(mergeEqual(*module).merged, 3u);
  EXPECT_EQ(at(1), at(0));
  EXPECT_EQ(at(2), at(0));
  EXPECT_EQ(at(4), at(3));
}

TEST_F(MergeTest, Strings) {
  ModuleRoot root(*module);
  auto add = [&](llvm::StringRef a, llvm::StringRef b) {
    auto type = RankedTensorType::get(
        {2}, OpaqueType::get(builder.getStringAttr("my"), "string"));
    addOp(
        *module, "x",
        DisposableElementsAttr::get(type, Elements::fromStrings({2}, {a, b})));
  };
  std::string text = "text";
  add("text", "b");
  add(text, "b");
  add("textb", "");
  EXPECT_EQ(mergeEqual(*module).merged, 1u);
  EXPECT_EQ(at(0), at(1));
}

/// Ordinary attributes are preferred, and never become another kind.
TEST_F(MergeTest, OrdinaryAttributes) {
  ModuleRoot root(*module);
  Elements x = make(1).getElements(), y = make(2).getElements();
  DenseElementsAttr dense = toDenseAttribute(x, toTensorType(x, &context));
  DenseResourceElementsAttr resource = resourceOf(x), again = resourceOf(x),
                            alone = resourceOf(y);
  ASSERT_NE(resource, again);
  for (Attribute attr :
       std::initializer_list<Attribute>{attrOf(x), resource, dense, again,
                                        attrOf(x), attrOf(y), alone, attrOf(y)})
    addOp(*module, "x", attr);
  // A resource without data equals nothing.
  auto empty = DenseResourceElementsAttr::get(
      toTensorType(x, &context),
      DenseResourceElementsHandle::getManagerInterface(&context).insert(
          "none"));
  addOp(*module, "x", empty);
  EXPECT_EQ(mergeEqual(*module).merged, 5u);
  for (int i : {0, 2, 4})
    EXPECT_EQ(at(i), dense);
  for (int i : {1, 3})
    EXPECT_EQ(at(i), resource);
  for (int i : {5, 6, 7})
    EXPECT_EQ(at(i), alone);
  EXPECT_EQ(at(8), empty);
}

/// Values that do not look alike at the beginning are not read.
TEST_F(MergeTest, ReadsOnlyWhatLooksAlike) {
  ModuleRoot root(*module);
  std::atomic<int64_t> elementsRead = 0;
  auto counted = [&](float first, int64_t size) {
    struct Counted : Buffer {
      Counted(uint64_t size, std::atomic<int64_t> &count)
          : Buffer(size), count(count), bytes(size) {}
      const char *acquire() override {
        ++count;
        return bytes.data();
      }
      void release() override {}
      std::atomic<int64_t> &count;
      std::vector<char> bytes;
    };
    auto buffer = llvm::makeIntrusiveRefCnt<Counted>(size * 4, elementsRead);
    std::memcpy(buffer->bytes.data(), &first, 4);
    return attrOf(Elements::fromBuffer(DataType::Float32, {size}, buffer));
  };
  addOp(*module, "x", counted(1, 5000));
  addOp(*module, "x", counted(1, 5001));
  EXPECT_EQ(mergeEqual(*module).merged, 0u);
  EXPECT_EQ(elementsRead, 0); // alone of their types
  addOp(*module, "x", counted(2, 5000));
  addOp(*module, "x", counted(3, 5000));
  EXPECT_EQ(mergeEqual(*module).merged, 0u);
  EXPECT_EQ(elementsRead, 3); // the beginnings
  addOp(*module, "x", counted(3, 5000));
  EXPECT_EQ(mergeEqual(*module).merged, 1u);
  EXPECT_EQ(elementsRead, 3 + 4 + 2 + 2); // two are hashed, and compared
}

TEST_F(MergeTest, AsAPassBeforeCSE) {
  ModuleRoot root(*module);
  addFunction(*module, "f", {make(1), make(2), make(1)});
  PassManager pm(&context);
  addCollector(pm);
  pm.addPass(createMergeConstantsPass());
  pm.addPass(createCSEPass());
  ASSERT_TRUE(succeeded(pm.run(*module)));
  EXPECT_EQ(pool().statistics().live(), 2u);
  int constants = 0;
  module->walk([&](arith::ConstantOp) { ++constants; });
  EXPECT_EQ(constants, 2);
}

/// Each of N values stands ten times, N = 10 ... 10,000.
TEST_F(MergeTest, Scales) {
  ModuleRoot root(*module);
  for (int64_t n : {10, 100, 1000, 10000}) {
    for (int64_t i = 0; i < n; ++i)
      addOp(*module, "x", make(i % (n / 10), 70));
    EXPECT_EQ(mergeEqual(*module).merged, uint64_t(n - n / 10));
    pool().collect();
    EXPECT_EQ(pool().statistics().live(), uint64_t(n / 10));
    module->getBody()->clear();
    pool().collect();
  }
}

} // namespace
