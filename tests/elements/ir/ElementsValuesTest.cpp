//===- ElementsValuesTest.cpp - Iteration by the interface ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What ElementsAttr gives of a disposable attribute is compared with what it
// gives of MLIR's DenseElementsAttr of the same values: for every builtin
// element type and every C++ type that MLIR's attributes iterate, and some that
// they do not.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/AttrTest.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <ctime>

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace mlir;

namespace {

class ElementsValuesTest : public AttrTest {};

template <class T> bool isSame(const T &x, const T &y) {
  if constexpr (std::is_same_v<T, llvm::APFloat>)
    return &x.getSemantics() == &y.getSemantics() && x.bitwiseIsEqual(y);
  else if constexpr (std::is_same_v<T, llvm::APInt>)
    return x.getBitWidth() == y.getBitWidth() && x == y;
  else if constexpr (std::is_same_v<T, std::complex<llvm::APFloat>> ||
                     std::is_same_v<T, std::complex<llvm::APInt>>)
    return isSame(x.real(), y.real()) && isSame(x.imag(), y.imag());
  else if constexpr (std::is_base_of_v<Attribute, T> ||
                     std::is_same_v<T, llvm::StringRef>)
    return x == y;
  else
    return std::memcmp(&x, &y, sizeof(T)) == 0;
}

std::string describe(ElementsAttr attr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << attr.getShapedType();
  return text;
}

/// Whether both iterate T, and the same values then. `ours` may not know that
/// all its elements are one.
template <class T>
void expectSameValues(ElementsAttr ours, ElementsAttr dense) {
  auto a = ours.tryGetValues<T>();
  auto b = dense.tryGetValues<T>();
  ASSERT_EQ(a.has_value(), b.has_value())
      << llvm::getTypeName<T>().str() << " of " << describe(dense);
  EXPECT_EQ(ours.try_value_begin<T>().has_value(), b.has_value());
  if (!a)
    return;
  ASSERT_EQ(a->size(), b->size());
  EXPECT_EQ(a->empty(), b->empty());
  int64_t count = a->size();
  auto begin = a->begin();
  EXPECT_EQ(a->end() - begin, count);
  auto expected = b->begin();
  for (int64_t i = 0; i < count; ++i, ++expected) {
    EXPECT_TRUE(isSame<T>(*(begin + i), *expected))
        << llvm::getTypeName<T>().str() << " of " << describe(dense);
    EXPECT_TRUE(isSame<T>((*a)[i], *expected));
  }
  if (count != 0 && ours.isSplat()) {
    EXPECT_TRUE(isSame<T>(ours.getSplatValue<T>(), *b->begin()));
  }
}

template <class... T>
void expectSameValuesOf(ElementsAttr ours, ElementsAttr dense) {
  (expectSameValues<T>(ours, dense), ...);
}

/// All that are no complex numbers.
void expectSameScalars(ElementsAttr ours, ElementsAttr dense) {
  expectSameValuesOf<
      bool, char, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
      uint32_t, uint64_t, short, unsigned short, int, unsigned, long,
      unsigned long, long long, unsigned long long, float, double, long double,
      llvm::APInt, llvm::APFloat, llvm::StringRef, std::string, Attribute>(
      ours, dense);
}

/// Asked for these, a DenseElementsAttr of no complex type crashes.
void expectSameComplexes(ElementsAttr ours, ElementsAttr dense) {
  expectSameValuesOf<std::complex<float>, std::complex<double>,
                     std::complex<int8_t>, std::complex<int16_t>,
                     std::complex<int32_t>, std::complex<int64_t>,
                     std::complex<uint8_t>, std::complex<uint16_t>,
                     std::complex<uint32_t>, std::complex<uint64_t>,
                     std::complex<llvm::APInt>, std::complex<llvm::APFloat>>(
      ours, dense);
}

/// Kinds of attributes, which are asked for only where they are right.
void expectSameAttributes(ElementsAttr ours, ElementsAttr dense) {
  Type type = dense.getElementType();
  if (isa<FloatType>(type))
    expectSameValues<FloatAttr>(ours, dense);
  else if (type.isIntOrIndex())
    expectSameValuesOf<IntegerAttr, TypedAttr>(ours, dense);
  else if (isa<ComplexType>(type))
    expectSameValues<ArrayAttr>(ours, dense);
  else
    expectSameValues<StringAttr>(ours, dense);
  if (type.isSignlessInteger(1))
    expectSameValues<BoolAttr>(ours, dense);
}

void expectSameInterface(ElementsAttr ours, ElementsAttr dense) {
  EXPECT_EQ(ours.getShapedType(), dense.getShapedType());
  EXPECT_EQ(ours.getElementType(), dense.getElementType());
  EXPECT_EQ(ours.getNumElements(), dense.getNumElements());
  EXPECT_EQ(ours.size(), dense.size());
  EXPECT_EQ(ours.empty(), dense.empty());
  expectSameScalars(ours, dense);
  expectSameAttributes(ours, dense);
  if (isa<ComplexType>(dense.getElementType()))
    expectSameComplexes(ours, dense);
  else
    EXPECT_EQ(ours.tryGetValues<std::complex<float>>().has_value(),
              dense.empty() && !isa<DenseStringElementsAttr>(dense));
}

const std::vector<std::vector<int64_t>> comparedShapes = {
    {}, {1}, {3}, {8}, {2, 3}, {2, 0, 3}, {0}, {3, 1, 5}, {101}};

TEST_F(ElementsValuesTest, AreThoseOfDenseElementsAttr) {
  for (Type elementType : allTypes())
    for (const auto &shape : comparedShapes)
      for (bool equal : {false, true}) {
        auto type = RankedTensorType::get(shape, elementType);
        DenseElementsAttr dense = randomDense(type, equal);
        DisposableElementsAttr ours = disposable(dense);
        expectSameInterface(ours, dense);
        EXPECT_EQ(ours.isSplat(), dense.isSplat() && dense.size() != 0);
        // Typed by a vector.
        if (!shape.empty() && dense.size() != 0 &&
            VectorType::isValidElementType(elementType)) {
          auto vector = VectorType::get(shape, elementType);
          expectSameInterface(
              DisposableElementsAttr::get(vector, ours.getElements()),
              dense.reshape(vector));
        }
      }
}

/// Values that are held in other ways: strided, deferred, programs, splats.
TEST_F(ElementsValuesTest, HoweverTheyAreHeld) {
  for (Type elementType : allTypes()) {
    auto type = RankedTensorType::get({5, 9}, elementType);
    DenseElementsAttr dense = randomDense(type);
    Elements x = fromAttribute(dense);
    Elements moved = x.transpose({1, 0}).materialize();
    auto check = [&](const Elements &held) {
      expectSameInterface(DisposableElementsAttr::get(type, held), dense);
    };
    check(moved.transpose({1, 0}));
    check(Elements::deferred(x.type(), x.shape(), {moved}, [=](char *out) {
      moved.transpose({1, 0}).read(out);
    }));
    check(concat({x.slice(0, 0, 2), x.slice(0, 2, 3)}, 0));
    check(mapBlocks(
        x, x.type(),
        [width = byteWidth(x.type())](const void *in, void *out, size_t count) {
          std::memcpy(out, in, count * width);
        }));

    DenseElementsAttr equal = randomDense(type, /*equal=*/true);
    Elements splat = fromAttribute(equal);
    ElementsAttr known = DisposableElementsAttr::get(type, splat);
    EXPECT_TRUE(known.isSplat());
    expectSameInterface(known, equal);
    // What nobody knows to be a splat iterates all the same.
    ElementsAttr unknown =
        DisposableElementsAttr::get(type, splat.materialize());
    expectSameInterface(unknown, equal);
  }
}

TEST_F(ElementsValuesTest, Strings) {
  for (int n : {0, 1, 6}) {
    auto type = RankedTensorType::get({n, 1}, stringType());
    std::vector<llvm::StringRef> words = {"a\"b",        "",  "z\xff\n",
                                          "long enough", "a", "b"};
    words.resize(n);
    auto dense = DenseStringElementsAttr::get(type, words);
    ElementsAttr ours = DisposableElementsAttr::get(type, fromAttribute(dense));
    // A DenseStringElementsAttr of no element crashes in its iterators.
    if (n != 0)
      expectSameInterface(ours, dense);
    EXPECT_TRUE(llvm::equal(ours.getValues<llvm::StringRef>(), words));
  }
}

TEST_F(ElementsValuesTest, OfViewsAndPrograms) {
  Elements x =
      Elements::build<float>({40, 50}, [](llvm::MutableArrayRef<float> out) {
        std::iota(out.begin(), out.end(), -3.25f);
      });
  auto type = RankedTensorType::get({50, 40}, builder.getF32Type());
  auto attr = DisposableElementsAttr::get(type, x.transpose({1, 0}));
  auto values = attr.getValues<float>();
  EXPECT_EQ(values.size(), 2000u);
  EXPECT_EQ((values[{7, 3}]),
            x.slice(Shape{3, 7}, Shape{1, 1}, Shape{1, 1}).value<float>());
  EXPECT_EQ(ElementsAttr(attr).getValues<FloatAttr>()[41].getValueAsDouble(),
            values[41]);
  // Iterators own what they read.
  auto it = attr.value_begin<float>();
  auto copy = it + 3;
  EXPECT_EQ(*copy, values[3]);
}

/// Upstream code looks at single elements of large constants, each time anew.
TEST_F(ElementsValuesTest, SingleElementsOfLargeViewsAreCheap) {
  Elements x =
      Elements::build<float>({2048, 2048},
                             [](llvm::MutableArrayRef<float> out) {
                               std::iota(out.begin(), out.end(), -3.25f);
                             })
          .transpose({1, 0});
  ElementsAttr attr = DisposableElementsAttr::get(toTensorType(x, &context), x);
  std::clock_t start = std::clock(); // processor time: tests run in parallel
  for (uint64_t i = 0; i < 1000; ++i)
    EXPECT_EQ((attr.getValues<float>()[{i, 2 * i}]), -3.25f + 4096 * i + i);
  // To copy 16 MB each time would take longer than 5 s.
  EXPECT_LT(std::clock() - start, CLOCKS_PER_SEC);
}

//===----------------------------------------------------------------------===//
// Out of ordinary attributes
//===----------------------------------------------------------------------===//

/// Raw bytes are ours, but for types narrower than a byte: nothing is copied.
TEST_F(ElementsValuesTest, OrdinaryAttributesAreReadWhereTheyLie) {
  for (Type elementType : allTypes())
    for (bool equal : {false, true}) {
      auto type = RankedTensorType::get({7, 100}, elementType);
      DenseElementsAttr dense = randomDense(type, equal);
      Elements x = fromAttribute(dense);
      EXPECT_EQ(x.isSplat(), equal);
      Elements one = equal ? x.slice(Shape{0, 0}, Shape{1, 1}, Shape{1, 1}) : x;
      bool packed = x.type() == DataType::Bool || isSubByte(x.type());
      if (!packed) {
        EXPECT_EQ(one.residentBytes(), dense.getRawData().data())
            << describe(dense);
      }
      EXPECT_EQ(toDenseAttribute(x, type), dense);
      if (equal)
        continue;
      // The bytes of a resource, one or more for each element.
      std::vector<char> bytes(x.bytes());
      x.read(bytes.data());
      auto resource = DenseResourceElementsAttr::get(
          type, "r",
          HeapAsmResourceBlob::allocateAndCopyInferAlign<char>(bytes));
      EXPECT_EQ(fromAttribute(resource).residentBytes(),
                resource.getData().data());
      EXPECT_TRUE(fromAttribute(resource).identicalTo(x));
    }
  auto type = RankedTensorType::get({3}, stringType());
  auto strings = DenseStringElementsAttr::get(type, {"a", "bc", ""});
  EXPECT_EQ(fromAttribute(strings).residentBytes(),
            reinterpret_cast<const char *>(strings.getRawStringData().data()));
}

/// Builtin types that have no DataType are refused, never misread.
TEST_F(ElementsValuesTest, TypesWithoutDataType) {
  for (Type type : std::initializer_list<Type>{
           Float8E3M4Type::get(&context), Float8E4M3Type::get(&context),
           Float8E4M3B11FNUZType::get(&context), builder.getTF32Type(),
           builder.getF80Type(), builder.getF128Type(),
           builder.getIntegerType(3), builder.getIntegerType(24),
           builder.getIntegerType(128), builder.getIntegerType(1, true),
           builder.getIntegerType(1, false),
           ComplexType::get(builder.getF16Type()),
           ComplexType::get(builder.getI32Type())}) {
    bool isBool = type.isInteger(1);
    EXPECT_EQ(toDataType(type) == DataType::Undefined, !isBool)
        << str(TypeAttr::get(type));
    if (isBool || isa<ComplexType>(type))
      continue;
    auto tensor = RankedTensorType::get({2}, type);
    auto dense =
        isa<FloatType>(type)
            ? DenseElementsAttr::get(tensor, FloatAttr::get(type, 1))
            : DenseElementsAttr::get(tensor, IntegerAttr::get(type, 1));
    EXPECT_FALSE(fromAttribute(dense));
  }
}

} // namespace
