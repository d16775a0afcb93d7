//===- DisposableElementsAttrTest.cpp - Elements as an attribute ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The independent result is MLIR's own DenseElementsAttr of the same values, in
// every builtin element type.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ir/ElementsText.h"
#include "onnxfold/tests/elements/AttrTest.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace onnxfold;
using namespace mlir;

namespace {

class DisposableElementsAttrTest : public AttrTest {
protected:
  using AttrTest::str;
  static std::string str(Operation *op, OpPrintingFlags flags) {
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os, flags);
    return text;
  }

  Elements floats(ShapeRef shape) {
    std::vector<float> values(numElements(shape));
    std::iota(values.begin(), values.end(), -3.25f);
    return Elements::fromValues<float>(shape, values);
  }

  /// The error that parsing gives.
  std::string parseError(llvm::StringRef text) {
    diagnostics.clear();
    EXPECT_FALSE(parseAttribute(text, &context)) << text.str();
    return diagnostics;
  }
};

const std::vector<std::vector<int64_t>> testedShapes = {
    {}, {1}, {3}, {8}, {2, 3}, {2, 0, 3}, {3, 1, 5}, {101}, {13, 777}};

TEST_F(DisposableElementsAttrTest, TypesMapBothWays) {
  Builder b(&context);
  for (Type type : allTypes())
    EXPECT_NE(toDataType(type), DataType::Undefined);
  for (int number = 1; number < 64; ++number)
    if (Type type = toElementType(DataType(number), &context)) {
      EXPECT_EQ(toDataType(type), DataType(number));
    }
  EXPECT_EQ(toDataType(b.getIntegerType(8, true)), DataType::Int8);
  EXPECT_EQ(toDataType(b.getIndexType()), DataType::Int64);
  for (Type type : std::initializer_list<Type>{
           b.getIntegerType(3), b.getIntegerType(128), b.getF80Type(),
           b.getTF32Type(), ComplexType::get(b.getI32Type()), b.getNoneType()})
    EXPECT_EQ(toDataType(type), DataType::Undefined);
  EXPECT_FALSE(toElementType(DataType::String, &context));
}

TEST_F(DisposableElementsAttrTest, TextIsThatOfDenseElementsAttr) {
  for (Type elementType : allTypes())
    for (const auto &shape : testedShapes)
      for (bool equal : {false, true}) {
        auto type = RankedTensorType::get(shape, elementType);
        DenseElementsAttr dense = randomDense(type, equal);
        DisposableElementsAttr ours = disposable(dense);
        EXPECT_EQ(str(ours), "#elements." + str(dense));

        auto parsed = dyn_cast_or_null<DisposableElementsAttr>(
            parseAttribute(str(ours), &context));
        ASSERT_TRUE(parsed) << str(ours) << diagnostics;
        EXPECT_EQ(parsed.getType(), type);
        EXPECT_TRUE(parsed.getElements().identicalTo(ours.getElements()))
            << str(ours) << "\n"
            << str(parsed);
        EXPECT_EQ(str(toDenseAttribute(parsed.getElements(), type)),
                  str(dense));
      }
}

TEST_F(DisposableElementsAttrTest, DenseIsTheSameAttributeAgain) {
  for (Type elementType : allTypes())
    for (const auto &shape : testedShapes)
      for (bool equal : {false, true}) {
        auto type = RankedTensorType::get(shape, elementType);
        DenseElementsAttr dense = randomDense(type, equal);
        Elements elements = fromAttribute(dense);
        EXPECT_EQ(elements.shape(), ShapeRef(shape));
        EXPECT_EQ(toDenseAttribute(elements, type), dense) << str(dense);
        // Values that are not contiguous give the same.
        Shape perm(shape.size());
        std::iota(perm.begin(), perm.end(), 0);
        std::reverse(perm.begin(), perm.end());
        Elements twice = elements.transpose(perm).materialize().transpose(perm);
        EXPECT_EQ(toDenseAttribute(twice, type), dense) << str(dense);
      }
}

TEST_F(DisposableElementsAttrTest, Strings) {
  auto type = RankedTensorType::get({2, 2}, stringType());
  std::vector<llvm::StringRef> words = {"a\"b", "", "z\xff\n", "long enough"};
  auto dense = DenseStringElementsAttr::get(type, words);
  Elements elements = fromAttribute(dense);
  EXPECT_EQ(elements.values<llvm::StringRef>(), words);
  auto ours = DisposableElementsAttr::get(type, elements);
  EXPECT_EQ(str(ours), "#elements." + str(dense));
  EXPECT_EQ(toAttribute(elements, type), dense);
  auto parsed =
      cast<DisposableElementsAttr>(parseAttribute(str(ours), &context));
  EXPECT_TRUE(parsed.getElements().identicalTo(elements));

  // One string for all elements.
  auto splat = DenseStringElementsAttr::get(type, {"all"});
  Elements all = fromAttribute(splat);
  EXPECT_TRUE(all.isSplat());
  EXPECT_EQ(str(DisposableElementsAttr::get(type, all)),
            "#elements." + str(splat));
}

TEST_F(DisposableElementsAttrTest, SmallValuesBecomeDense) {
  auto make = [&](int64_t n) {
    Elements x = floats({n});
    return toAttribute(x, toTensorType(x, &context));
  };
  EXPECT_TRUE(isa<DenseElementsAttr>(make(64)));
  EXPECT_EQ(make(64), make(64));
  EXPECT_TRUE(isa<DisposableElementsAttr>(make(65)));
  EXPECT_NE(make(65), make(65));
  Elements splat = Elements::splat<float>({1000, 1000}, 2);
  auto attr = toAttribute(splat, toTensorType(splat, &context));
  EXPECT_TRUE(isa<SplatElementsAttr>(attr));
  EXPECT_TRUE(fromAttribute(attr).isSplat());
}

TEST_F(DisposableElementsAttrTest, ReadsWithoutCopying) {
  Elements x = floats({1000});
  auto type = toTensorType(x, &context);
  DenseElementsAttr dense = toDenseAttribute(x, type);
  ElementsArray<float> values(fromAttribute(dense));
  EXPECT_EQ((const char *)values.begin(), dense.getRawData().data());

  auto resource = DenseResourceElementsAttr::get(
      type, "r", HeapAsmResourceBlob::allocateAndCopyInferAlign<float>(values));
  ElementsArray<float> same(fromAttribute(resource));
  EXPECT_EQ((const char *)same.begin(), resource.getData().data());
  EXPECT_TRUE(fromAttribute(resource).identicalTo(x));
}

TEST_F(DisposableElementsAttrTest, ReadsResourcesOfOddForms) {
  auto resource = [&](Type type, ArrayRef<char> bytes, int64_t count = 4) {
    return fromAttribute(DenseResourceElementsAttr::get(
        RankedTensorType::get({count}, type), "r",
        HeapAsmResourceBlob::allocateAndCopyInferAlign<char>(bytes)));
  };
  Builder b(&context);
  using Bools = std::vector<bool>;
  EXPECT_EQ(resource(b.getI1Type(), {0, 1, 2, -1}).values<bool>(),
            (Bools{false, true, true, true}));
  EXPECT_EQ(resource(b.getI1Type(), {5}).values<bool>(),
            (Bools{true, false, true, false}));
  auto nibbles = resource(b.getIntegerType(4), {1, 15, -1, 8}).values<Int4>();
  EXPECT_EQ(nibbles[1].value, -1);
  EXPECT_EQ(nibbles[2].value, -1);
  EXPECT_EQ(nibbles[3].value, -8);
  EXPECT_FALSE(resource(b.getF32Type(), {1, 2, 3})); // too short
  EXPECT_FALSE(fromAttribute(DenseResourceElementsAttr::get(
      RankedTensorType::get({1}, b.getF32Type()),
      DenseResourceElementsHandle::getManagerInterface(&context).insert(
          "without data")))); // as after dense_resource<__elided__>
}

TEST_F(DisposableElementsAttrTest, ReadsSparseAttributes) {
  auto attr = cast<ElementsAttr>(parseAttribute(
      "sparse<[[0, 1], [1, 0]], [7, -2]> : tensor<2x2xi8>", &context));
  EXPECT_EQ(fromAttribute(attr).values<int8_t>(),
            (std::vector<int8_t>{0, 7, -2, 0}));
  attr = cast<ElementsAttr>(parseAttribute(
      "sparse<[[1]], [(1.5, -2.0)]> : tensor<2xcomplex<f64>>", &context));
  EXPECT_EQ(fromAttribute(attr).values<std::complex<double>>()[1],
            std::complex<double>(1.5, -2));
  attr =
      cast<ElementsAttr>(parseAttribute("dense<1> : tensor<2xi128>", &context));
  EXPECT_FALSE(fromAttribute(attr));
}

TEST_F(DisposableElementsAttrTest, ObeysPrintingFlags) {
  auto type = RankedTensorType::get({40, 50}, Builder(&context).getF32Type());
  DenseElementsAttr dense = randomDense(type);
  OpBuilder b(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  auto text = [&](Attribute attr, OpPrintingFlags flags) {
    module->getOperation()->setAttr("test.x", b.getArrayAttr(attr));
    return str(*module, flags);
  };
  auto expected = [&](OpPrintingFlags flags) {
    std::string theirs = text(dense, flags);
    size_t elided = theirs.find("dense_resource<__elided__>");
    if (elided != std::string::npos)
      theirs.replace(elided, 14, "dense");
    return theirs.replace(theirs.find("dense<"), 6, "#elements.dense<");
  };
  DisposableElementsAttr ours = disposable(dense);
  for (int64_t hex : {-1, 1999, 2000, 100000})
    for (int64_t elide : {0, 1999, 2000, 5000}) {
      OpPrintingFlags flags;
      flags.printLargeElementsAttrWithHex(hex).elideLargeElementsAttrs(elide);
      EXPECT_EQ(text(ours, flags), expected(flags)) << hex << " " << elide;
    }
  OpPrintingFlags hexAlways;
  hexAlways.printLargeElementsAttrWithHex(1);
  EXPECT_EQ(text(ours, hexAlways), expected(hexAlways));
  {
    ElementsPrintingScope scope(OpPrintingFlags().elideLargeElementsAttrs(9));
    EXPECT_EQ(str(ours), "#elements.dense<__elided__> : tensor<40x50xf32>");
  }
  EXPECT_EQ(str(ours), "#elements." + str(dense));
}

/// The body of the text can be printed to any stream, as it is in an attribute.
TEST_F(DisposableElementsAttrTest, PrintsToStreams) {
  auto text = [](const Elements &x, ShapedType type, OpPrintingFlags flags) {
    std::string result;
    llvm::raw_string_ostream os(result);
    printElements(os, x, type, flags);
    return result;
  };
  for (Type elementType : allTypes())
    for (const auto &shape : testedShapes)
      for (bool equal : {false, true}) {
        auto type = RankedTensorType::get(shape, elementType);
        DenseElementsAttr dense = randomDense(type, equal);
        Elements x = fromAttribute(dense);
        EXPECT_EQ("dense<" + text(x, type, {}) +
                      "> : " + str(TypeAttr::get(type)),
                  str(dense));
      }
  // Digits are MLIR's own: large and small, exact and not, no numbers.
  for (double value :
       {0.0, -0.0, 1e300, 1e-310, 0.1, 1.0 / 3, 123456789.0, 1.5e9, 1e22,
        5e-324, 9007199254740993.0, HUGE_VAL, -HUGE_VAL, std::nan("")}) {
    Elements x = Elements::fromValues<double>({}, {value});
    auto type = toTensorType(x, &context);
    EXPECT_EQ("dense<" + text(x, type, {}) + "> : tensor<f64>",
              str(toDenseAttribute(x, type)));
    Elements y = Elements::fromValues<float>({}, {float(value)});
    EXPECT_EQ("dense<" + text(y, toTensorType(y, &context), {}) +
                  "> : tensor<f32>",
              str(toDenseAttribute(y, toTensorType(y, &context))));
  }
  Elements x = floats({2});
  auto type = toTensorType(x, &context);
  OpPrintingFlags hex, elide;
  hex.printLargeElementsAttrWithHex(1);
  elide.elideLargeElementsAttrs(1);
  EXPECT_EQ(text(x, type, hex), "\"0x000050C0000010C0\"");
  EXPECT_EQ(text(x, type, elide), "__elided__");
  EXPECT_EQ(text(Elements(), type, {}), "__elided__");
}

TEST_F(DisposableElementsAttrTest, PrintingComputesOnce) {
  int computed = 0;
  Elements x =
      Elements::deferred(DataType::Float32, {100000}, {}, [&](char *out) {
        ++computed;
        std::fill_n(reinterpret_cast<float *>(out), 100000, 1.5f);
        reinterpret_cast<float *>(out)[7] = 2;
      });
  auto attr = DisposableElementsAttr::get(toTensorType(x, &context), x);
  EXPECT_EQ(computed, 0);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  module->getOperation()->setAttr("test.x", attr);
  std::string text = str(*module, OpPrintingFlags());
  EXPECT_EQ(computed, 1);
  EXPECT_GT(text.size(), 800000u);
}

TEST_F(DisposableElementsAttrTest, ElidedParsesBack) {
  std::string text = "#elements.dense<__elided__> : tensor<40x50xf32>";
  auto attr = cast<DisposableElementsAttr>(parseAttribute(text, &context));
  EXPECT_TRUE(attr.isElided());
  EXPECT_FALSE(attr.getElements());
  EXPECT_FALSE(fromAttribute(attr));
  EXPECT_FALSE(attr.isSplat());
  EXPECT_FALSE(attr.tryGetValues<float>());
  EXPECT_EQ(str(attr), text);
}

TEST_F(DisposableElementsAttrTest, ParsesEveryFormOfLiterals) {
  auto parsed = [&](llvm::StringRef text) {
    auto ours = dyn_cast_or_null<DisposableElementsAttr>(
        parseAttribute(("#elements." + text).str(), &context));
    auto theirs = cast<DenseElementsAttr>(parseAttribute(text, &context));
    EXPECT_TRUE(ours) << text.str() << diagnostics;
    return ours &&
           toDenseAttribute(ours.getElements(), ours.getType()) == theirs;
  };
  for (llvm::StringRef text :
       {"dense<> : tensor<0xf32>",
        "dense<[]> : tensor<0xi8>",
        "dense<[[], []]> : tensor<2x0xf32>",
        "dense<-0.0> : tensor<f32>",
        "dense<[0x7FC00000, -1.5e-3, 2.0E+5]> : tensor<3xf32>",
        "dense<0.1> : tensor<2xf16>",
        "dense<[true, false]> : tensor<2xi1>",
        "dense<[1, 0, -1]> : tensor<3xi1>",
        "dense<[-128, 255]> : tensor<2xi8>",
        "dense<[0, 010, 255]> : tensor<3xui8>",
        "dense<0xFF> : tensor<2xi8>",
        "dense<[-8, 7]> : tensor<2xi4>",
        "dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>",
        "dense<(1.0, 2.0)> : tensor<3xcomplex<f64>>",
        "dense<\"0x0102\"> : tensor<2xi8>",
        "dense<\"0x05\"> : tensor<9xi8>",
        "dense<\"0x05\"> : tensor<4xi1>",
        "dense<[18446744073709551615]> : tensor<1xui64>",
        "dense<[-9223372036854775808]> : tensor<1xi64>",
        "dense<[[1, 2], [3, 4]]> : vector<2x2xindex>"})
    EXPECT_TRUE(parsed(text)) << text.str();
}

TEST_F(DisposableElementsAttrTest, RejectsWrongText) {
  auto error = [&](llvm::StringRef text) {
    return parseError(("#elements." + text).str());
  };
  EXPECT_EQ(error("dense<[1, 2]> : tensor<3xi8>"),
            "inferred shape of elements literal ([2]) does not match type "
            "([3])\n");
  EXPECT_EQ(error("dense<[256]> : tensor<1xi8>"),
            "integer constant out of range for type\n");
  EXPECT_EQ(error("dense<[-1]> : tensor<1xui8>"),
            "integer constant out of range for type\n");
  EXPECT_EQ(error("dense<[128]> : tensor<1xsi8>"),
            "integer constant out of range for type\n");
  EXPECT_EQ(error("dense<[-129]> : tensor<1xi8>"),
            "integer constant out of range for type\n");
  EXPECT_EQ(error("dense<[true]> : tensor<1xi8>"),
            "expected i1 type for 'true' or 'false' values\n");
  EXPECT_EQ(error("dense<[1]> : tensor<1xf32>"),
            "expected floating-point elements, but parsed integer\n");
  EXPECT_EQ(error("dense<[1.0]> : tensor<1xi32>"),
            "expected integer elements, but parsed floating-point\n");
  EXPECT_EQ(error("dense<0x1FFFF> : tensor<1xf16>"),
            "hexadecimal float constant out of range for type\n");
  EXPECT_EQ(error("dense<[[1, 2], [3]]> : tensor<2x2xi8>"),
            "tensor literal is invalid; ranks are not consistent between "
            "elements\n");
  EXPECT_EQ(error("dense<[[1], 3]> : tensor<2x1xi8>"),
            "tensor literal is invalid; ranks are not consistent between "
            "elements\n");
  EXPECT_EQ(error("dense<\"0x010\"> : tensor<2xi8>"),
            "elements hex string should start with '0x' and have two digits "
            "for each byte\n");
  EXPECT_EQ(error("dense<\"0x01020g\"> : tensor<3xi8>"),
            "elements hex string has a character that is not a hex digit\n");
  EXPECT_EQ(error("dense<\"0x010203\"> : tensor<2xi8>"),
            "elements hex data size is invalid for provided type: "
            "'tensor<2xi8>'\n");
  EXPECT_EQ(error("dense<[\"a\"]> : tensor<1xi8>"),
            "values do not fit the element type 'i8'\n");
  EXPECT_EQ(error("dense<1> : tensor<1xi3>"),
            "element type 'i3' has no disposable form\n");
  EXPECT_EQ(error("dense<> : tensor<2xi8>"),
            "expected values for a tensor of shape [2]\n");
  EXPECT_EQ(error("dense<1>"), "expected a type of static shape after "
                               "'#elements.dense<...>'\n");
  EXPECT_EQ(error("dense<1> : tensor<?xi8>"),
            "expected a type of static shape after '#elements.dense<...>'\n");
}

TEST_F(DisposableElementsAttrTest, IdsAreOfTheContext) {
  MLIRContext second;
  second.loadDialect<ElementsDialect>();
  Elements x = floats({100});
  auto first = DisposableElementsAttr::get(toTensorType(x, &context), x);
  auto other = DisposableElementsAttr::get(toTensorType(x, &second), x);
  EXPECT_EQ(first.getId(), other.getId());
  auto next = DisposableElementsAttr::get(toTensorType(x, &context), x);
  EXPECT_NE(next, first);
  EXPECT_NE(next.getId(), first.getId());
}

TEST_F(DisposableElementsAttrTest, NeedsItsDialect) {
  MLIRContext bare;
  Elements x = floats({100});
  EXPECT_DEATH(DisposableElementsAttr::get(toTensorType(x, &bare), x),
               "elements: the dialect must be loaded");
}

} // namespace
