//===- AttrTest.h - What tests of attributes share --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A context, every builtin element type that a tensor of ours can have, and
// random attributes of MLIR's own to compare with.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_ELEMENTS_ATTRTEST_H
#define ONNXFOLD_TESTS_ELEMENTS_ATTRTEST_H

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ir/RawData.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "gtest/gtest.h"
#include <random>

namespace onnxfold {

class AttrTest : public testing::Test {
protected:
  AttrTest() : builder(&context) {
    context.loadDialect<ElementsDialect>();
    context.allowUnregisteredDialects();
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      diagnostics += diagnostic.str() + "\n";
      return mlir::success();
    });
  }

  /// Every builtin element type that has a DataType.
  std::vector<mlir::Type> allTypes() {
    std::vector<mlir::Type> types = {builder.getIndexType()};
    for (int number = 1; number < 64; ++number)
      if (mlir::Type type = toElementType(DataType(number), &context))
        types.push_back(type);
    types.push_back(builder.getIntegerType(1, /*isSigned=*/false));
    for (unsigned width : {1, 2, 4, 8, 16, 32, 64})
      types.push_back(builder.getIntegerType(width, /*isSigned=*/true));
    return types;
  }

  mlir::Type stringType() {
    return mlir::OpaqueType::get(builder.getStringAttr("my"), "string");
  }

  std::vector<mlir::Type> allTypesAndStrings() {
    std::vector<mlir::Type> types = allTypes();
    types.push_back(stringType());
    return types;
  }

  /// Random elements of the type; strings of any characters.
  Elements randomElements(DataType type, ShapeRef shape) {
    int64_t count = numElements(shape);
    if (type == DataType::String) {
      std::vector<std::string> texts(count);
      for (std::string &text : texts)
        for (unsigned n = random() % 10; n > 0; --n)
          text.push_back(char(random()));
      return Elements::fromStrings(
          shape, std::vector<llvm::StringRef>(texts.begin(), texts.end()));
    }
    auto buffer =
        llvm::makeIntrusiveRefCnt<HeapBuffer>(count * byteWidth(type));
    for (size_t i = 0; i < buffer->size(); ++i) {
      int byte = random() % 256;
      if (type == DataType::Bool || isSubByte(type)) {
        unsigned width = type == DataType::Bool ? 1 : bitWidth(type);
        byte &= (1 << width) - 1;
        if (isSigned(type) && byte >> (width - 1))
          byte -= 1 << width;
      }
      buffer->data()[i] = char(byte);
    }
    return Elements::fromBuffer(type, shape, buffer);
  }

  DisposableElementsAttr attrOf(const Elements &x,
                                mlir::Type elementType = {}) {
    if (!elementType)
      elementType = toElementType(x.type(), &context);
    return DisposableElementsAttr::get(
        mlir::RankedTensorType::get(x.shape(), elementType), x);
  }

  /// Random bits; `equal` makes all elements the same.
  mlir::DenseElementsAttr randomDense(mlir::ShapedType type,
                                      bool equal = false) {
    DataType dataType = toDataType(type.getElementType());
    int64_t count = type.getNumElements();
    std::vector<char> raw(rawDataBytes(dataType, count));
    unsigned width = dataType == DataType::Bool ? 1 : byteWidth(dataType);
    for (size_t i = 0; i < raw.size(); ++i) {
      raw[i] = equal && i >= width ? raw[i - width] : char(random());
      if (isSubByte(dataType))
        raw[i] &= (1 << bitWidth(dataType)) - 1;
    }
    if (dataType == DataType::Bool && equal)
      std::fill(raw.begin(), raw.end(), random() % 2 ? char(0xff) : 0);
    if (dataType == DataType::Bool && count % 8 && !raw.empty())
      raw.back() &= (1 << count % 8) - 1;
    return mlir::DenseElementsAttr::getFromRawBuffer(type, raw);
  }

  static std::string str(mlir::Attribute attr) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << attr;
    return text;
  }

  DisposableElementsAttr disposable(mlir::DenseElementsAttr dense) {
    return DisposableElementsAttr::get(dense.getType(), fromAttribute(dense));
  }

  mlir::MLIRContext context;
  mlir::Builder builder;
  std::string diagnostics;
  std::mt19937 random{42};
};

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ELEMENTS_ATTRTEST_H
