//===- AttributeConversionTest.cpp - Operations on attributes -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// applyTo, with every group of the table in AttributeConversion.h; results are
// written by hand. What each operation does in general is tested where it is
// (ElementwiseTest, DataMovementTest, ...).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Quantize.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/ReduceWith.h"
#include "onnxfold/elements/ops/Sort.h"
#include "onnxfold/elements/ops/StringCast.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "gtest/gtest.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace mlir;
using E = const Elements &;

namespace {

class AttributeConversionTest : public testing::Test {
protected:
  AttributeConversionTest() : b(&context) {
    context.loadDialect<ElementsDialect>();
    context.allowUnregisteredDialects();
  }

  ElementsAttr attr(llvm::StringRef text) {
    return cast<ElementsAttr>(parseAttribute(text, &context));
  }

  /// Whether an attribute has the type and the values of the text.
  testing::AssertionResult is(ElementsAttr actual, llvm::StringRef text) {
    if (!actual)
      return testing::AssertionFailure() << "null";
    if (actual == attr(text))
      return testing::AssertionSuccess();
    std::string shown;
    llvm::raw_string_ostream os(shown);
    os << actual;
    return testing::AssertionFailure() << shown;
  }

  /// "[1, 2]", "2" for tensor<2xi16>.
  void expectNumbers(ElementsAttr actual, llvm::StringRef values,
                     llvm::StringRef shape) {
    EXPECT_TRUE(is(
        actual, ("dense<" + values + "> : tensor<" + shape + "xi16>").str()));
  }

  MLIRContext context;
  Builder b;
};

TEST_F(AttributeConversionTest, Elementwise) {
  ElementsAttr x = attr("dense<[1.0, -2.0, 4.0]> : tensor<3xf32>"),
               y = attr("dense<[1.0, 2.0, 3.0]> : tensor<3xf32>"),
               c = attr("dense<[true, false, true]> : tensor<3xi1>");
  EXPECT_TRUE(is(applyTo(
                     x.getShapedType(),
                     [](E u) { return map(u, [](auto v) { return -v; }); }, x),
                 "dense<[-1.0, 2.0, -4.0]> : tensor<3xf32>"));
  EXPECT_TRUE(is(applyTo(
                     {},
                     [](E u, E v) {
                       return zip(u, v,
                                  [](auto p, auto q) { return add(p, q); });
                     },
                     x, y),
                 "dense<[2.0, 0.0, 7.0]> : tensor<3xf32>"));
  EXPECT_TRUE(is(applyTo(
                     {},
                     [](E u, E v) {
                       return zipTo<bool>(u, v,
                                          [](auto p, auto q) { return p < q; });
                     },
                     x, y),
                 "dense<[false, true, false]> : tensor<3xi1>"));
  EXPECT_TRUE(
      is(applyTo(
             {}, [](E p, E u, E v) { return select(p, u, v); }, c, x, y),
         "dense<[1.0, 2.0, 4.0]> : tensor<3xf32>"));
  EXPECT_TRUE(
      is(applyTo(
             {},
             [](E u, E low, E high) {
               auto atLeast = [](auto p, auto q) { return maximum(p, q); };
               auto atMost = [](auto p, auto q) { return minimum(p, q); };
               return zip(zip(u, low, atLeast), high, atMost);
             },
             x, attr("dense<0.0> : tensor<f32>"),
             attr("dense<3.0> : tensor<f32>")),
         "dense<[1.0, 0.0, 3.0]> : tensor<3xf32>"));
}

TEST_F(AttributeConversionTest, TypesWideFunctionsAndBlocks) {
  ElementsAttr x = attr("dense<[1.0, -2.0, 4.0]> : tensor<3xf32>");
  EXPECT_TRUE(is(applyTo(
                     {}, [](E u) { return cast(u, DataType::Int8); }, x),
                 "dense<[1, -2, 4]> : tensor<3xi8>"));
  EXPECT_TRUE(is(applyTo(
                     {}, [](E u) { return mapWide(u, wide::exp); },
                     attr("dense<[0.0, 1.0]> : tensor<2xf32>")),
                 "dense<[1.0, 2.7182817]> : tensor<2xf32>"));
  EXPECT_TRUE(is(applyTo(
                     {}, [](E u, E v) { return zipWide(u, v, wide::pow); }, x,
                     attr("dense<[2, 3, 0]> : tensor<3xi32>")),
                 "dense<[1.0, -8.0, 1.0]> : tensor<3xf32>"));
  EXPECT_TRUE(is(applyTo(
                     {},
                     [](E u) {
                       return mapBlocks(
                           u, DataType::Bool,
                           [](const void *in, void *out, size_t count) {
                             for (size_t i = 0; i < count; ++i)
                               static_cast<bool *>(out)[i] = std::signbit(
                                   static_cast<const float *>(in)[i]);
                           });
                     },
                     x),
                 "dense<[false, true, false]> : tensor<3xi1>"));
}

TEST_F(AttributeConversionTest, Views) {
  ElementsAttr x = attr("dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>"),
               u = attr("dense<[[9], [8]]> : tensor<2x1xi16>");
  expectNumbers(applyTo(
                    {},
                    [](E v) {
                      return v.transpose({1, 0});
                    },
                    x),
                "[[1, 4], [2, 5], [3, 6]]", "3x2");
  expectNumbers(applyTo(
                    {},
                    [](E v) {
                      return v.reshape({3, 2});
                    },
                    x),
                "[[1, 2], [3, 4], [5, 6]]", "3x2");
  expectNumbers(applyTo(
                    {},
                    [](E v) {
                      return v.expand({2, 2, 1});
                    },
                    u),
                "[[[9], [8]], [[9], [8]]]", "2x2x1");
  expectNumbers(applyTo(
                    {}, [](E v) { return v.squeeze({1}); }, u),
                "[9, 8]", "2");
  expectNumbers(applyTo(
                    {}, [](E v) { return v.unsqueeze({0}); }, u),
                "[[[9], [8]]]", "1x2x1");
  expectNumbers(applyTo(
                    {},
                    [](E v) {
                      return v.slice(Shape{1, 2}, Shape{2, 2}, Shape{-1, -2});
                    },
                    x),
                "[[6, 4], [3, 1]]", "2x2");
  expectNumbers(applyTo(
                    {},
                    [](E v) {
                      return v.split(1, {1, 2})[1];
                    },
                    x),
                "[[2, 3], [5, 6]]", "2x2");
}

TEST_F(AttributeConversionTest, Movement) {
  ElementsAttr x = attr("dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>"),
               u = attr("dense<[[9], [8]]> : tensor<2x1xi16>");
  expectNumbers(
      applyTo({}, [](llvm::ArrayRef<Elements> all) { return concat(all, 1); },
              {x, u}),
      "[[1, 2, 3, 9], [4, 5, 6, 8]]", "2x4");
  expectNumbers(applyTo(
                    {},
                    [](E v) {
                      return tile(v, {1, 3});
                    },
                    u),
                "[[9, 9, 9], [8, 8, 8]]", "2x3");
  expectNumbers(applyTo(
                    {},
                    [](E v) {
                      return pad(v, {0, 1}, {0, 1}, PadMode::Reflect);
                    },
                    x),
                "[[2, 1, 2, 3, 2], [5, 4, 5, 6, 5]]", "2x5");
  expectNumbers(applyTo(
                    {}, [](E v) { return trilu(v, true); }, x),
                "[[1, 2, 3], [0, 5, 6]]", "2x3");
}

TEST_F(AttributeConversionTest, Indexed) {
  ElementsAttr x = attr("dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>"),
               i = attr("dense<[1, 0, 1]> : tensor<3xi64>"),
               j = attr("dense<[[2], [0]]> : tensor<2x1xi64>"),
               tuple = attr("dense<[[1, 2]]> : tensor<1x2xi64>"),
               u = attr("dense<[[9], [8]]> : tensor<2x1xi16>");
  expectNumbers(applyTo(
                    {}, [](E v, E at) { return gather(v, at, 0); }, x, i),
                "[[4, 5, 6], [1, 2, 3], [4, 5, 6]]", "3x3");
  expectNumbers(
      applyTo(
          {}, [](E v, E at) { return gatherElements(v, at, 1); }, x, j),
      "[[3], [4]]", "2x1");
  expectNumbers(applyTo(
                    {}, [](E v, E at) { return gatherND(v, at); }, x, tuple),
                "[6]", "1");
  expectNumbers(applyTo(
                    {}, [](E v, E at) { return compress(v, at, 1); }, x,
                    attr("dense<[true, false, true]> : tensor<3xi1>")),
                "[[1, 3], [4, 6]]", "2x2");
  expectNumbers(applyTo(
                    {},
                    [](E v, E at, E by) {
                      return scatterElements(v, at, by, 1,
                                             ScatterReduction::Add);
                    },
                    x, j, u),
                "[[1, 2, 12], [12, 5, 6]]", "2x3");
  expectNumbers(applyTo(
                    {}, [](E v, E at, E by) { return scatterND(v, at, by); }, x,
                    tuple, attr("dense<[7]> : tensor<1xi16>")),
                "[[1, 2, 3], [4, 5, 7]]", "2x3");
}

TEST_F(AttributeConversionTest, ReductionsAndOrder) {
  ElementsAttr x = attr("dense<[[3, 1, 2], [0, 5, 1]]> : tensor<2x3xi32>");
  auto check = [&](ElementsAttr actual, llvm::StringRef values,
                   llvm::StringRef type) {
    EXPECT_TRUE(
        is(actual, ("dense<" + values + "> : tensor<" + type + ">").str()));
  };
  check(applyTo(
            {}, [](E v) { return reduce(v, {0}, false, Reduction::Sum); }, x),
        "[3, 6, 3]", "3xi32");
  check(applyTo(
            {},
            [](E v) {
              return reduceWith<int32_t>(
                  v, {1}, true, 1, [](int32_t p, int32_t q) { return p * q; });
            },
            x),
        "[[6], [0]]", "2x1xi32");
  check(applyTo(
            {}, [](E v) { return argReduce(v, 1, false, true, false); }, x),
        "[0, 1]", "2xi64");
  check(applyTo(
            {}, [](E v) { return cumulativeSum(v, 1); }, x),
        "[[3, 4, 6], [0, 5, 6]]", "2x3xi32");
  check(applyTo(
            {}, [](E v) { return sort(v, 1); }, x),
        "[[1, 2, 3], [0, 1, 5]]", "2x3xi32");
  check(applyTo(
            {}, [](E v) { return argSort(v, 1); }, x),
        "[[1, 2, 0], [0, 2, 1]]", "2x3xi64");
  check(applyTo(
            {}, [](E v) { return unique(v).values; }, x),
        "[0, 1, 2, 3, 5]", "5xi32");
  check(applyTo(
            {}, [](E v) { return topK(v, 2, 1, true).values; }, x),
        "[[3, 2], [5, 1]]", "2x2xi32");
  check(applyTo(
            {}, [](E v) { return nonZero(v); },
            attr("dense<[[0, 7], [7, 0]]> : tensor<2x2xi8>")),
        "[[0, 1], [1, 0]]", "2x2xi64");
}

TEST_F(AttributeConversionTest, ProductsAndQuantisation) {
  ElementsAttr x = attr("dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>"),
               scale = attr("dense<0.5> : tensor<f32>"),
               zero = attr("dense<1> : tensor<i8>");
  EXPECT_TRUE(is(applyTo(
                     {}, [](E a, E c) { return matmul(a, c); }, x, x),
                 "dense<[[7.0, 10.0], [15.0, 22.0]]> : tensor<2x2xf32>"));
  EXPECT_TRUE(is(applyTo(
                     {}, [](E v, E s, E z) { return quantize(v, s, z, {}); }, x,
                     scale, zero),
                 "dense<[[3, 5], [7, 9]]> : tensor<2x2xi8>"));
  EXPECT_TRUE(is(applyTo(
                     {}, [](E v, E s, E z) { return dequantize(v, s, z, {}); },
                     attr("dense<[3, 5]> : tensor<2xi8>"), scale, zero),
                 "dense<[1.0, 2.0]> : tensor<2xf32>"));
}

/// The element types of operands are kept where they mean the same.
TEST_F(AttributeConversionTest, InfersTypes) {
  auto identity = [](E v) { return v; };
  for (llvm::StringRef text :
       {"dense<[1, 2]> : tensor<2xindex>", "dense<[1, -2]> : tensor<2xsi8>",
        "dense<[1, 2]> : tensor<2xui4>", "dense<[true, false]> : tensor<2xi1>"})
    EXPECT_TRUE(is(applyTo({}, identity, attr(text)), text));
  EXPECT_TRUE(is(applyTo(
                     {}, [](E v) { return cast(v, DataType::Int16); },
                     attr("dense<[1, -2]> : tensor<2xsi8>")),
                 "dense<[1, -2]> : tensor<2xi16>"));
  // Of the first operand with the result's type, here the second.
  EXPECT_TRUE(is(applyTo(
                     {}, [](E c, E x, E y) { return select(c, x, y); },
                     attr("dense<[true, false]> : tensor<2xi1>"),
                     attr("dense<[1, 2]> : tensor<2xsi8>"),
                     attr("dense<[3, 4]> : tensor<2xi8>")),
                 "dense<[1, 4]> : tensor<2xsi8>"));
  auto strings = cast<ElementsAttr>(Attribute(DenseStringElementsAttr::get(
      RankedTensorType::get({2},
                            OpaqueType::get(b.getStringAttr("my"), "string")),
      {"7", "12"})));
  EXPECT_EQ(applyTo({}, identity, strings), strings);
  EXPECT_TRUE(
      is(applyTo(
             {}, [](E v) { return parseStrings(v, DataType::Int32).value; },
             strings),
         "dense<[7, 12]> : tensor<2xi32>"));
  EXPECT_FALSE(applyTo(
      {}, [](E v) { return formatStrings(v).value; },
      attr("dense<1> : tensor<2xi32>")));
  // A type that is given counts, also one that is no tensor.
  auto vector = VectorType::get({2}, b.getIntegerType(8, true));
  EXPECT_TRUE(
      is(applyTo(vector, identity, attr("dense<[1, 2]> : tensor<2xi8>")),
         "dense<[1, 2]> : vector<2xsi8>"));
}

TEST_F(AttributeConversionTest, NullWhereNothingCanBeHad) {
  auto identity = [](E v) { return v; };
  ElementsAttr x = attr("dense<[1, 2]> : tensor<2xi32>");
  bool called = false;
  auto f = [&](E v, E) {
    called = true;
    return v;
  };
  EXPECT_FALSE(applyTo({}, f, x, ElementsAttr()));
  EXPECT_FALSE(applyTo({}, f, attr("dense<[1, 2]> : tensor<2xi128>"), x));
  EXPECT_FALSE(
      applyTo({}, f, x, attr("#elements.dense<__elided__> : tensor<2xi32>")));
  EXPECT_FALSE(called);
  EXPECT_FALSE(applyTo(
      {}, [](E) { return Elements(); }, x));
  // No arithmetic for the type: map itself gives null.
  EXPECT_FALSE(applyTo(
      {}, [](E v) { return map(v, [](auto e) { return e; }); },
      attr("dense<[1.0]> : tensor<1xf8E5M2>")));
  auto typed = [&](ArrayRef<int64_t> shape, Type type) {
    return applyTo(RankedTensorType::get(shape, type), identity, x);
  };
  EXPECT_TRUE(typed({2}, b.getI32Type()));
  EXPECT_TRUE(typed({2}, b.getIntegerType(32, true)));
  EXPECT_FALSE(typed({2, 1}, b.getI32Type()));
  EXPECT_FALSE(typed({2}, b.getI64Type()));
  EXPECT_FALSE(typed({2}, b.getIntegerType(32, false)));
  EXPECT_FALSE(typed({ShapedType::kDynamic}, b.getI32Type()));
  EXPECT_FALSE(applyTo(
      {},
      [](llvm::ArrayRef<Elements>) { return Elements::splat<float>({2}, 1); },
      llvm::ArrayRef<ElementsAttr>()));
}

/// Large results are deferred and disposable; nothing is copied.
TEST_F(AttributeConversionTest, LargeResultsAreDisposable) {
  Elements x = iota({100, 100}, 0).materialize();
  ElementsAttr large = toAttribute(x, toTensorType(x, &context));
  ASSERT_TRUE(isa<DisposableElementsAttr>(large));
  ElementsAttr same = applyTo(
      {}, [](E v) { return v; }, large);
  EXPECT_EQ(fromAttribute(same).residentBytes(), x.residentBytes());
  std::atomic<int> computed = 0;
  ElementsAttr lazy = applyTo(
      {},
      [&](E v) {
        return Elements::deferred(v.type(), v.shape(), {v}, [&, v](char *out) {
          ++computed;
          v.read(out);
        });
      },
      large);
  EXPECT_TRUE(isa<DisposableElementsAttr>(lazy));
  EXPECT_EQ(computed, 0);
  EXPECT_EQ(contentHash(fromAttribute(lazy)), contentHash(x));
  EXPECT_EQ(computed, 1);
}

} // namespace
