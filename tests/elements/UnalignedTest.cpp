//===- UnalignedTest.cpp - Bytes of others, wherever they lie -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Payloads in files begin at any byte. Every operation gives the same for them
// as for aligned copies; aligned bytes are read where they lie, also those of
// attributes.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Quantize.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/Sort.h"
#include "onnxfold/tests/elements/MemoryTests.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

/// A copy of x whose bytes begin at an odd address.
Elements atOddAddress(const Elements &x) {
  auto bytes = std::make_shared<std::vector<char>>(x.bytes() + 2);
  char *to = bytes->data();
  if (reinterpret_cast<uintptr_t>(to) % 2 == 0)
    ++to;
  ElementsBytes from(x);
  std::copy_n(from.data(), x.bytes(), to);
  Elements result = Elements::fromBuffer(
      x.type(), x.shape(), foreignBuffer({to, size_t(x.bytes())}, [bytes] {}));
  EXPECT_EQ(Elements::Reader(result).contiguousBytes(), to);
  return result;
}

/// An operand of each kind, for operations on tensors of shape [30, 40].
struct Operands {
  Elements x, y;            // of the type
  Elements rows, positions; // indices along axis 0: [7], and [7, 40]
  Elements tuples, condition;
};

using Function = std::function<Elements(const Operands &)>;
using Functions = std::vector<std::pair<std::string, Function>>;

Functions movements() {
  return {
      {"transpose",
       [](auto &o) {
         return o.x.transpose({1, 0});
       }},
      {"reshape",
       [](auto &o) {
         return o.x.transpose({1, 0}).reshape({1200});
       }},
      {"expand",
       [](auto &o) {
         return o.x.expand({3, 30, 40});
       }},
      {"slice",
       [](auto &o) {
         return o.x.slice({29, 1}, {10, 13}, {-2, 3});
       }},
      {"select", [](auto &o) { return select(o.condition, o.x, o.y); }},
      {"concat",
       [](auto &o) {
         return concat({o.x, o.y, o.x}, 1);
       }},
      {"tile",
       [](auto &o) {
         return tile(o.x, {2, 3});
       }},
      {"pad",
       [](auto &o) {
         return pad(o.x, {1, 2}, {3, -1});
       }},
      {"reflect",
       [](auto &o) {
         return pad(o.x, {1, 2}, {3, 5}, PadMode::Reflect);
       }},
      {"materialize", [](auto &o) { return o.x.materialize(); }},
      {"spill",
       [](auto &o) {
         return spill(o.x.transpose({1, 0}));
       }},
  };
}

Functions selections() {
  return {
      {"gather", [](auto &o) { return gather(o.x, o.rows, 0); }},
      {"gather columns", [](auto &o) { return gather(o.x, o.rows, 1); }},
      {"gatherElements",
       [](auto &o) { return gatherElements(o.x, o.positions, 0); }},
      {"gatherND", [](auto &o) { return gatherND(o.x, o.tuples); }},
      {"scatterElements",
       [](auto &o) {
         return scatterElements(o.x, o.positions, o.y.slice(0, 0, 7), 0);
       }},
      {"scatterND",
       [](auto &o) {
         return scatterND(o.x, o.tuples, o.y.reshape({1200}).slice(0, 1, 5));
       }},
      {"trilu", [](auto &o) { return trilu(o.x, true, 1); }},
      {"compress",
       [](auto &o) {
         return compress(o.x, o.condition.reshape({1200}).slice(0, 0, 30), 0);
       }},
      {"nonZero", [](auto &o) { return nonZero(o.x); }},
  };
}

Functions arithmetic() {
  auto sum = [](auto a, auto b) { return add(a, b); };
  return {
      {"map",
       [](auto &o) { return map(o.x, [](auto v) { return add(v, v); }); }},
      {"zip", [=](auto &o) { return zip(o.x, o.y, sum); }},
      {"zip transposed",
       [=](auto &o) {
         return zip(o.x, o.y.reshape({40, 30}).transpose({1, 0}), sum);
       }},
      {"compare",
       [](auto &o) {
         return zipTo<bool>(o.x, o.y, [](auto a, auto b) { return a < b; });
       }},
      {"to f64", [](auto &o) { return cast(o.x, DataType::Float64); }},
      {"to f16", [](auto &o) { return cast(o.x, DataType::Float16); }},
      {"to i8", [](auto &o) { return cast(o.x, DataType::Int8); }},
      {"to int4", [](auto &o) { return cast(o.x, DataType::Int4); }},
      {"scatter sums",
       [](auto &o) {
         return scatterElements(o.x, o.positions, o.y.slice(0, 0, 7), 0,
                                ScatterReduction::Add);
       }},
      {"sum", [](auto &o) { return reduce(o.x, {1}, false, Reduction::Sum); }},
      {"sum of rows",
       [](auto &o) { return reduce(o.x, {0}, true, Reduction::Sum); }},
      {"max",
       [](auto &o) {
         return reduce(o.x, {0, 1}, false, Reduction::Max);
       }},
      {"mean",
       [](auto &o) { return reduce(o.x, {1}, false, Reduction::Mean); }},
      {"argmax", [](auto &o) { return argReduce(o.x, 1, false, true, false); }},
      {"topK", [](auto &o) { return topK(o.x, 5, 1, true).values; }},
      {"topK indices", [](auto &o) { return topK(o.x, 5, 0, false).indices; }},
      {"sort", [](auto &o) { return sort(o.x, 0); }},
      {"unique", [](auto &o) { return unique(o.x).values; }},
      {"cumulativeSum", [](auto &o) { return cumulativeSum(o.x, 0); }},
      {"matmul",
       [](auto &o) {
         return matmul(o.x, o.y.transpose({1, 0}));
       }},
  };
}

Functions floatFunctions() {
  return {
      {"exp", [](auto &o) { return mapWide(o.x, wide::exp); }},
      {"pow", [](auto &o) { return zipWide(o.x, o.y, wide::pow); }},
      {"wide",
       [](auto &o) {
         return map(map(o.x.widened(), [](auto v) { return v / 3; }),
                    [](auto v) { return v * 3; });
       }},
      {"softmax", [](auto &o) { return softmax(o.x, 1); }},
      {"log softmax", [](auto &o) { return logSoftmax(o.x, 0); }},
      {"gemm",
       [](auto &o) {
         GemmOptions options;
         options.transB = true;
         return gemm(o.x, o.y, o.x.slice(1, 0, 1), options);
       }},
      {"quantize",
       [](auto &o) {
         return quantize(o.x, o.y.slice({0, 1}, {1, 1}, {1, 1}).reshape({}), {},
                         {});
       }},
  };
}

/// Compares each operation on operands at odd addresses with that on aligned
/// ones.
void expectSame(DataType type, const Functions &operations) {
  SCOPED_TRACE("type " + std::to_string(int(type)));
  auto small = [&](int64_t factor) {
    Elements numbers = iota({30, 40}, 1);
    return cast(map(numbers, [=](int64_t v) { return v * factor % 7 + 1; }),
                type)
        .materialize();
  };
  Operands aligned;
  aligned.x = small(3);
  aligned.y = small(5);
  aligned.rows = Elements::fromValues<int64_t>({7}, {3, 1, -1, 0, 29, 3, 8});
  aligned.positions =
      aligned.rows.reshape({7, 1}).expand({7, 40}).materialize();
  aligned.tuples = Elements::fromValues<int64_t>(
      {5, 2}, {0, 0, 29, 39, -1, -2, 7, 7, 3, 39});
  aligned.condition = mapAs<bool, int64_t>(
      iota({30, 40}, 1), [](int64_t v) { return v % 3 == 1; });
  aligned.condition = aligned.condition.materialize();
  Operands odd{atOddAddress(aligned.x),      atOddAddress(aligned.y),
               atOddAddress(aligned.rows),   atOddAddress(aligned.positions),
               atOddAddress(aligned.tuples), atOddAddress(aligned.condition)};
  for (const auto &[name, operation] : operations) {
    Elements expected = operation(aligned), actual = operation(odd);
    EXPECT_TRUE(actual.identicalTo(expected)) << name;
    EXPECT_EQ(contentHash(actual), contentHash(expected)) << name;
  }
}

} // namespace

TEST(Unaligned, DataMovementOfEveryWidth) {
  ScopedLimits scope([](MemoryLimits &l) { l.smallestSpilled = 1; });
  for (DataType type : {DataType::Int4, DataType::Float8E4M3FN, DataType::UInt8,
                        DataType::Float16, DataType::Int16, DataType::Float32,
                        DataType::Int64, DataType::Float64}) {
    expectSame(type, movements());
    expectSame(type, selections());
  }
}

TEST(Unaligned, Arithmetic) {
  for (DataType type :
       {DataType::Int8, DataType::UInt16, DataType::Float16, DataType::BFloat16,
        DataType::Float32, DataType::Int32, DataType::Int64, DataType::Float64})
    expectSame(type, arithmetic());
}

TEST(Unaligned, FunctionsOfFloats) {
  for (DataType type : {DataType::Float16, DataType::BFloat16,
                        DataType::Float32, DataType::Float64})
    expectSame(type, floatFunctions());
}

TEST(Unaligned, ComplexAndSingleElements) {
  using Complex = std::complex<double>;
  Naive<Complex> x = Naive<Complex>::make(
      {50, 9}, [](ShapeRef i) { return Complex(double(i[0]), -double(i[1])); });
  Elements odd = atOddAddress(x.elements());
  expectEqual(odd, x);
  EXPECT_EQ(odd.value<Complex>(10), Complex(1, -1));
  EXPECT_TRUE(
      odd.transpose({1, 0}).identicalTo(x.elements().transpose({1, 0})));
  Elements i64 = atOddAddress(iota({100}, 0));
  EXPECT_EQ(i64.ints()[99], 99);
  EXPECT_EQ(i64.number(98).to<int64_t>(), 98);
  EXPECT_EQ(firstOutOfRange(i64, 50), 50);
  EXPECT_EQ(firstNotConvertible(map(i64, [](auto v) { return v * 2; }),
                                DataType::Int8),
            64);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {

class ZeroCopy : public testing::Test {
protected:
  ZeroCopy() { context.loadDialect<ElementsDialect>(); }

  mlir::ShapedType typeOf(const Elements &x) {
    return toTensorType(x, &context);
  }
  std::vector<Elements> tensors() {
    std::vector<Elements> all;
    for (DataType type :
         {DataType::Int8, DataType::Float16, DataType::Float32, DataType::Int64,
          DataType::Float64, DataType::Float8E5M2})
      all.push_back(cast(iota({100, 700}, 1), type).materialize());
    return all;
  }

  mlir::MLIRContext context;
};

/// Reading all of `attr` copies nothing: its bytes are at `address`.
void expectReadWhereItLies(mlir::ElementsAttr attr, const void *address) {
  uint64_t before = memoryStatistics().heapBytes;
  resetPeakHeapBytes();
  Elements x = fromAttribute(attr);
  EXPECT_EQ(Elements::Reader(x).contiguous(), address);
  EXPECT_EQ(Elements::Reader(x.slice(0, 50, 2)).contiguous(),
            static_cast<const char *>(address) +
                50 * 700 * byteWidth(x.type()));
  EXPECT_EQ(memoryStatistics().peakHeapBytes, before);
}

} // namespace

TEST_F(ZeroCopy, DisposableElementsAttr) {
  for (const Elements &x : tensors()) {
    ElementsBytes bytes(x);
    Elements foreign = Elements::fromBuffer(
        x.type(), x.shape(), foreignBuffer({bytes.data(), size_t(x.bytes())}));
    expectReadWhereItLies(DisposableElementsAttr::get(typeOf(x), foreign),
                          bytes.data());
    Elements odd = atOddAddress(x);
    auto attr = DisposableElementsAttr::get(typeOf(x), odd);
    EXPECT_EQ(Elements::Reader(fromAttribute(attr)).contiguousBytes(),
              Elements::Reader(odd).contiguousBytes());
    EXPECT_TRUE(fromAttribute(attr).identicalTo(x));
  }
}

TEST_F(ZeroCopy, DenseElementsAttr) {
  for (const Elements &x : tensors()) {
    mlir::DenseElementsAttr attr = toDenseAttribute(x, typeOf(x));
    expectReadWhereItLies(attr, attr.getRawData().data());
    EXPECT_TRUE(fromAttribute(attr).identicalTo(x));
  }
}

TEST_F(ZeroCopy, DenseResourceElementsAttr) {
  for (const Elements &x : tensors()) {
    // Once as it is made by programs, once as it lies in a file: at an odd
    // address, in memory of somebody else.
    Elements odd = atOddAddress(x);
    for (const Elements &source : {x, odd}) {
      ElementsBytes bytes(source);
      auto attr = mlir::DenseResourceElementsAttr::get(
          typeOf(x), "r",
          mlir::UnmanagedAsmResourceBlob::allocateWithAlign(
              {bytes.data(), size_t(x.bytes())}, 1));
      Elements read = fromAttribute(attr);
      EXPECT_EQ(Elements::Reader(read).contiguousBytes(), bytes.data());
      EXPECT_TRUE(read.identicalTo(x));
    }
    ElementsBytes bytes(x);
    auto attr = mlir::DenseResourceElementsAttr::get(
        typeOf(x), "r",
        mlir::UnmanagedAsmResourceBlob::allocateWithAlign(
            {bytes.data(), size_t(x.bytes())}, 64));
    expectReadWhereItLies(attr, bytes.data());
  }
}
