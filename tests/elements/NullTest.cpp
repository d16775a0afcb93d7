//===- NullTest.cpp - Null handles, and reading as the wrong type --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every view and operation of a null handle gives a null one, and what asks a
// null handle, or reads elements as what they are not, ends the program with a
// message that says so: in builds without assertions, too.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/Spill.h"
#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/elements/nn/DeformableConv.h"
#include "onnxfold/elements/nn/Fourier.h"
#include "onnxfold/elements/nn/Interpolation.h"
#include "onnxfold/elements/nn/NonMaxSuppression.h"
#include "onnxfold/elements/nn/Pooling.h"
#include "onnxfold/elements/nn/Recurrence.h"
#include "onnxfold/elements/nn/RoiPooling.h"
#include "onnxfold/elements/ops/Contraction.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Determinant.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Quantize.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/ReduceWith.h"
#include "onnxfold/elements/ops/Sort.h"
#include "onnxfold/elements/ops/StringCast.h"
#include "onnxfold/elements/ops/StringText.h"
#include "gtest/gtest.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static const Elements null;
static Elements twoByTwo() {
  return Elements::fromValues<float>({2, 2}, {1, 2, 3, 4});
}
static auto addElements = [](auto a, auto b) { return decltype(a)(a + b); };

TEST(NullElements, Views) {
  EXPECT_FALSE(null.transpose({1, 0}));
  EXPECT_FALSE(null.reshape({2}));
  EXPECT_FALSE(null.expand({2, 2}));
  EXPECT_FALSE(null.slice(Shape{0}, Shape{1}, Shape{1}));
  EXPECT_FALSE(null.slice(0, 0, 1));
  EXPECT_FALSE(null.squeeze({0}));
  EXPECT_FALSE(null.unsqueeze({0}));
  std::vector<Elements> parts = null.split(0, {1, 2});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_FALSE(parts[0] || parts[1]);
}

TEST(NullElements, Precision) {
  EXPECT_FALSE(null.isWide());
  EXPECT_FALSE(null.widened());
  EXPECT_FALSE(null.unrounded());
  EXPECT_FALSE(null.narrowed());
  EXPECT_FALSE(Elements::rounded(null, DataType::Float32));
}

TEST(NullElements, Computing) {
  EXPECT_FALSE(null.materialize());
  EXPECT_FALSE(Elements().materialize());
  EXPECT_FALSE(null.compacted());
  EXPECT_FALSE(spill(null));
  bool called = false;
  EXPECT_FALSE(Elements::deferred(DataType::Float32, {2}, {twoByTwo(), null},
                                  [&](char *) { called = true; }));
  EXPECT_FALSE(called);
}

TEST(NullElements, Elementwise) {
  Elements x = twoByTwo();
  auto same = [](auto v) { return v; };
  EXPECT_FALSE(map(null, same));
  EXPECT_FALSE(mapFloat(null, same));
  EXPECT_FALSE(mapTo<bool>(null, same));
  EXPECT_FALSE((mapAs<float, float>(null, same)));
  EXPECT_FALSE(mapWide(null, wide::exp));
  EXPECT_FALSE(
      mapBlocks(null, DataType::Float32, [](const void *, void *, size_t) {}));
  auto either = [&](auto f) { return f(x, null) || f(null, x); };
  EXPECT_FALSE(
      either([](auto a, auto b) { return bool(zip(a, b, addElements)); }));
  EXPECT_FALSE(either(
      [](auto a, auto b) { return bool(zipTo<float>(a, b, addElements)); }));
  EXPECT_FALSE(either([](auto a, auto b) {
    return bool(zipAs<float, float, float>(a, b, addElements));
  }));
  EXPECT_FALSE(
      either([](auto a, auto b) { return bool(zipWide(a, b, wide::pow)); }));
  EXPECT_FALSE(either([](auto a, auto b) {
    auto [c, d] = broadcast(a, b);
    return c || d;
  }));
  EXPECT_FALSE(either([](auto a, auto b) {
    return bool(select(Elements::splat<bool>({}, true), a, b));
  }));
  EXPECT_FALSE(select(null, x, x));
  EXPECT_FALSE(clip(null, {}, {}));
  EXPECT_TRUE(clip(x, {}, {})); // bounds are optional
  EXPECT_FALSE(cast(null, DataType::Float16));
}

TEST(NullElements, Movement) {
  Elements x = twoByTwo(), i = Elements::fromValues<int64_t>({1, 1}, {0});
  EXPECT_FALSE(concat({x, null}, 0));
  EXPECT_FALSE(concat({null}, 0));
  EXPECT_FALSE(tile(null, {2}));
  EXPECT_FALSE(pad(null, {1}, {1}));
  EXPECT_TRUE(pad(x, {1, 0}, {0, 0})); // a fill value is optional
  EXPECT_FALSE(trilu(null, true, 0));
  EXPECT_FALSE(compress(null, i, 0));
  EXPECT_FALSE(compress(x, null, 0));
  EXPECT_FALSE(gather(null, i, 0));
  EXPECT_FALSE(gather(x, null, 0));
  EXPECT_FALSE(gatherElements(null, i, 0));
  EXPECT_FALSE(gatherElements(x, null, 0));
  EXPECT_FALSE(gatherND(null, i, 0));
  EXPECT_FALSE(gatherND(x, null, 0));
  for (int missing = 0; missing < 3; ++missing) {
    auto given = [&](int number, const Elements &e) {
      return number == missing ? null : e;
    };
    EXPECT_FALSE(scatterElements(given(0, x), given(1, i),
                                 given(2, x.slice({0, 0}, {1, 1}, {1, 1})), 0,
                                 ScatterReduction::None));
    EXPECT_FALSE(scatterND(given(0, x), given(1, i), given(2, x.slice(0, 0, 1)),
                           ScatterReduction::None));
    EXPECT_FALSE(oneHot(given(0, i), 2, 0,
                        given(1, x.slice({0, 0}, {1, 1}, {1, 1})),
                        given(2, x.slice({0, 0}, {1, 1}, {1, 1}))));
  }
}

TEST(NullElements, Reductions) {
  EXPECT_FALSE(reduce(null, {0}, false, Reduction::Sum));
  EXPECT_FALSE(all(null, {0}, false));
  EXPECT_FALSE(any(null, {0}, false));
  EXPECT_FALSE(argReduce(null, 0, false, true, false));
  EXPECT_FALSE(topK(null, 1, 0, true).values);
  EXPECT_FALSE(topK(null, 1, 0, true).indices);
  EXPECT_FALSE(cumulativeSum(null, 0));
  EXPECT_FALSE(cumulativeProduct(null, 0));
  EXPECT_FALSE(isNonZero(null));
  EXPECT_FALSE(nonZero(null));
  EXPECT_FALSE(softmax(null, 0));
  EXPECT_FALSE(logSoftmax(null, 0));
  EXPECT_FALSE(reduceWith(null, {0}, false, 0.0f, addElements));
  EXPECT_FALSE(scanWith(null, 0, 0.0f, addElements));
  EXPECT_FALSE(sort(null, 0));
  EXPECT_FALSE(argSort(null, 0));
  EXPECT_FALSE(unique(null).values);
  EXPECT_FALSE(unique(null).inverse);
}

TEST(NullElements, Products) {
  Elements x = twoByTwo();
  EXPECT_FALSE(matmul(x, null));
  EXPECT_FALSE(matmul(null, x));
  EXPECT_FALSE(gemm(x, null, {}, {}));
  EXPECT_FALSE(gemm(null, x, {}, {}));
  EXPECT_TRUE(gemm(x, x, {}, {})); // the third operand is optional
  Labelled rows{x, {0, 1}};
  EXPECT_FALSE(contract(rows, {null, {1, 2}}, {0, 2}).value);
  EXPECT_FALSE(contract({null, {0, 1}}, rows, {0}).value);
  EXPECT_FALSE(diagonals({null, {0, 0}}).value);
  EXPECT_FALSE(summed({null, {0, 1}}, {0}).value);
  EXPECT_FALSE(arranged({null, {0, 1}}, {1, 0}));
  EXPECT_FALSE(determinants(null));
}

TEST(NullElements, QuantizationAndText) {
  Elements x = twoByTwo();
  EXPECT_FALSE(quantize(null, x, {}, {}));
  EXPECT_FALSE(quantize(x, null, {}, {}));
  EXPECT_FALSE(dequantize(null, x, {}, {}));
  EXPECT_FALSE(dequantize(x, null, {}, {}));
  EXPECT_FALSE(quotientIsNaN(null, x, {}));
  EXPECT_FALSE(quotientIsNaN(x, null, {}));
  EXPECT_FALSE(parseStrings(null, DataType::Float32).value);
  EXPECT_FALSE(formatStrings(null).value);
  EXPECT_FALSE(concatStrings(null, Elements::fromStrings({1}, {"a"})));
}

TEST(NullElements, NeuralNetworks) {
  Elements x = twoByTwo();
  SlidingWindows windows;
  EXPECT_FALSE(convolve(null, x, windows, 1));
  EXPECT_FALSE(convolve(x, null, windows, 1));
  EXPECT_FALSE(convolveTransposed(null, x, windows, 1));
  EXPECT_FALSE(sumOverlaps(null, windows));
  EXPECT_FALSE(windowSums(null, windows));
  EXPECT_FALSE(windowMaxima(null, windows));
  EXPECT_FALSE(deformableColumns(null, x, {}, windows, 1));
  EXPECT_FALSE(deformableColumns(x, null, {}, windows, 1));
  EXPECT_FALSE(fourier(null, {}));
  EXPECT_FALSE(fourierOfFrames(null, {}, 1, {}));
  EXPECT_FALSE(interpolateAxis(null, 0, {}));
  EXPECT_FALSE(samplePoints(null, x, {}));
  EXPECT_FALSE(samplePoints(x, null, {}));
  EXPECT_FALSE(nearestToPoints(null, {2}, {}));
  EXPECT_FALSE(roiAlign(null, x, x, {}));
  EXPECT_FALSE(maxRoiPool(x, null, 1, 1, 1));
  EXPECT_FALSE(nonMaxSuppression(null, x, {}));
  EXPECT_FALSE(recur({}).y);
  EXPECT_FALSE(recur({}).h);
}

//===----------------------------------------------------------------------===//
// What ends the program
//===----------------------------------------------------------------------===//

TEST(NullElementsDeathTest, Asking) {
  const char *message = "a null Elements has no type, shape or elements";
  EXPECT_DEATH((void)null.type(), message);
  EXPECT_DEATH((void)null.shape(), message);
  EXPECT_DEATH((void)null.size(), message);
  EXPECT_DEATH((void)null.rank(), message);
  EXPECT_DEATH((void)null.dim(0), message);
  EXPECT_DEATH((void)null.isSplat(), message);
  EXPECT_DEATH((void)null.isContiguous(), message);
  EXPECT_DEATH((void)null.residentBytes(), message);
}

TEST(NullElementsDeathTest, Reading) {
  const char *message = "a null Elements has no type, shape or elements";
  float out;
  EXPECT_DEATH((void)null.values<float>(), message);
  EXPECT_DEATH((void)null.value<float>(), message);
  EXPECT_DEATH((void)null.number(), message);
  EXPECT_DEATH((void)null.ints(), message);
  EXPECT_DEATH(null.read(&out), message);
  EXPECT_DEATH(Elements::Reader{null}, message);
  EXPECT_DEATH(ElementsArray<float>{null}, message);
  EXPECT_DEATH((void)twoByTwo().identicalTo(null), message);
}

TEST(WrongTypeDeathTest, Reading) {
  // As wide as what it was read as, or not.
  Elements x = twoByTwo();
  EXPECT_DEATH((void)x.values<int32_t>(),
               "a tensor of type f32 were read as i32");
  EXPECT_DEATH((void)x.value<double>(),
               "a tensor of type f32 were read as f64");
  EXPECT_DEATH(ElementsArray<Float16>{x},
               "a tensor of type f32 were read as f16");
  EXPECT_DEATH((void)x.ints(), "a tensor of type f32 were read as i64");
}

TEST(WrongTypeDeathTest, Operations) {
  Elements x = twoByTwo(), y = cast(x, DataType::Int32);
  EXPECT_DEATH((void)zip(x, y, addElements),
               "a tensor of type i32 were read as f32");
  EXPECT_DEATH((void)zipTo<float>(x, y, addElements),
               "a tensor of type i32 were read as f32");
  EXPECT_DEATH((mapAs<int32_t, int32_t>(x, [](int32_t v) { return v; })),
               "a tensor of type f32 were read as i32");
  EXPECT_DEATH((zipAs<float, float, float>(x, y, addElements)),
               "a tensor of type i32 were read as f32");
  EXPECT_DEATH((void)firstWhere<double>(x, [](double) { return true; }),
               "a tensor of type f32 were read as f64");
  EXPECT_DEATH((void)reduceWith(y, {0}, false, 0.0f, addElements),
               "a tensor of type i32 were read as f32");
}
