//===- ElementsRecordTest.cpp - Records of attributes in bytecode ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Records of one attribute are written and read in a simple encoding of the
// test's own, so that damage hits our code and not MLIR's.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/elements/AttrTest.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// Writes numbers as 8 bytes and blobs as their size and their bytes; types are
/// numbers of a list.
class RecordWriter : public DialectBytecodeWriter {
public:
  std::string bytes;
  std::vector<Type> types;
  const char *lastOwned = nullptr;

  void writeVarInt(uint64_t value) override {
    bytes.append(reinterpret_cast<char *>(&value), 8);
  }
  void writeType(Type type) override {
    writeVarInt(types.size());
    types.push_back(type);
  }
  void writeOwnedBlob(ArrayRef<char> blob) override {
    lastOwned = blob.data();
    writeVarInt(blob.size());
    bytes.append(blob.begin(), blob.end());
  }
  void writeAPIntWithKnownWidth(const llvm::APInt &value) override {
    EXPECT_EQ(value.getBitWidth(), 8u);
    bytes.push_back(char(value.getZExtValue()));
  }
  int64_t getBytecodeVersion() const override { return 6; }
  FailureOr<const DialectVersion *>
  getDialectVersion(llvm::StringRef) const override {
    return failure();
  }

  // Not used by the encoding.
  void writeAttribute(Attribute) override { ADD_FAILURE(); }
  void writeOptionalAttribute(Attribute) override { ADD_FAILURE(); }
  void writeResourceHandle(const AsmDialectResourceHandle &) override {
    ADD_FAILURE();
  }
  void writeSignedVarInt(int64_t) override { ADD_FAILURE(); }
  void writeAPFloatWithKnownSemantics(const llvm::APFloat &) override {
    ADD_FAILURE();
  }
  void writeOwnedString(llvm::StringRef) override { ADD_FAILURE(); }
  void writeOwnedBool(bool) override { ADD_FAILURE(); }
};

class RecordReader : public DialectBytecodeReader {
public:
  RecordReader(MLIRContext *context, llvm::StringRef bytes,
               ArrayRef<Type> types)
      : context(context), rest(bytes), types(types) {}

  llvm::StringRef remaining() const { return rest; }

  InFlightDiagnostic emitError(const Twine &message) const override {
    return mlir::emitError(UnknownLoc::get(context), message);
  }
  FailureOr<const DialectVersion *>
  getDialectVersion(llvm::StringRef) const override {
    return failure();
  }
  MLIRContext *getContext() const override { return context; }
  uint64_t getBytecodeVersion() const override { return 6; }
  LogicalResult readVarInt(uint64_t &result) override {
    if (rest.size() < 8)
      return emitError("end of the record");
    std::memcpy(&result, rest.data(), 8);
    rest = rest.drop_front(8);
    return success();
  }
  LogicalResult readBlob(ArrayRef<char> &result) override {
    uint64_t size = 0;
    if (failed(readVarInt(size)))
      return failure();
    if (size > rest.size())
      return emitError("end of the record");
    result = {rest.data(), size_t(size)};
    rest = rest.drop_front(size);
    return success();
  }
  LogicalResult readType(Type &result) override {
    uint64_t number = 0;
    if (failed(readVarInt(number)))
      return failure();
    if (number >= types.size())
      return emitError("no such type");
    result = types[number];
    return success();
  }

  // Not used by the encoding, but for a handle, of which there is none.
  LogicalResult readAttribute(Attribute &) override { return failure(); }
  LogicalResult readOptionalAttribute(Attribute &) override {
    return failure();
  }
  LogicalResult readSignedVarInt(int64_t &) override { return failure(); }
  FailureOr<llvm::APInt> readAPIntWithKnownWidth(unsigned) override {
    return failure();
  }
  FailureOr<llvm::APFloat>
  readAPFloatWithKnownSemantics(const llvm::fltSemantics &) override {
    return failure();
  }
  LogicalResult readString(llvm::StringRef &) override { return failure(); }
  LogicalResult readBool(bool &) override { return failure(); }

private:
  FailureOr<AsmDialectResourceHandle> readResourceHandle() override {
    return emitError("no such resource");
  }

  MLIRContext *context;
  llvm::StringRef rest;
  ArrayRef<Type> types;
};

class ElementsRecordTest : public AttrTest {
protected:
  ElementsRecordTest()
      : interface(context.getLoadedDialect<ElementsDialect>()
                      ->getRegisteredInterface<BytecodeDialectInterface>()) {}

  RecordWriter written(Attribute attr) {
    RecordWriter writer;
    EXPECT_TRUE(succeeded(interface->writeAttribute(attr, writer)));
    return writer;
  }

  /// Null if there was an error, which was reported then.
  DisposableElementsAttr readRecord(llvm::StringRef bytes,
                                    ArrayRef<Type> types) {
    diagnostics.clear();
    RecordReader reader(&context, bytes, types);
    Attribute attr = interface->readAttribute(reader);
    EXPECT_EQ(!attr, !diagnostics.empty()) << diagnostics;
    return cast_or_null<DisposableElementsAttr>(attr);
  }

  const BytecodeDialectInterface *interface;
};

/// The record as a list of numbers and bytes.
std::string record(std::initializer_list<uint64_t> numbers,
                   llvm::StringRef bytes = {}) {
  std::string result;
  for (uint64_t number : numbers)
    result.append(reinterpret_cast<const char *>(&number), 8);
  return result + bytes.str();
}

/// The encoding as the header has it: what older files have.
TEST_F(ElementsRecordTest, EncodingIsAsDocumented) {
  EXPECT_EQ(
      written(attrOf(Elements::fromValues<int8_t>({3}, {1, 2, -1}))).bytes,
      record({1, 0, 2, 3}, "\1\2\xff"));
  EXPECT_EQ(written(attrOf(Elements::splat<int16_t>({9, 9}, 258))).bytes,
            record({1, 0, 1, 2}, "\2\1"));
  EXPECT_EQ(written(attrOf(Elements::fromValues<bool>(
                        {9}, {1, 0, 0, 1, 0, 0, 0, 0, 1})))
                .bytes,
            record({1, 0, 2, 2}, "\x09\1"));
  EXPECT_EQ(written(attrOf(Elements::splat<bool>({100}, true))).bytes,
            record({1, 0, 1, 1}, "\1"));
  EXPECT_EQ(
      written(attrOf(Elements::fromValues<Int4>({2}, {Int4{-1}, Int4{7}})))
          .bytes,
      record({1, 0, 2, 2}, "\x0f\7"));
  Elements strings = Elements::fromStrings({2}, {"ab", ""});
  EXPECT_EQ(written(attrOf(strings, stringType())).bytes,
            record({1, 0, 3, 2}, "ab") + record({0}));
  EXPECT_EQ(
      written(attrOf(strings.slice(0, 0, 1).expand({7}), stringType())).bytes,
      record({1, 0, 4, 2}, "ab"));
  EXPECT_EQ(written(DisposableElementsAttr::getElided(
                        RankedTensorType::get({2}, stringType())))
                .bytes,
            record({1, 0, 0}));
}

TEST_F(ElementsRecordTest, WhatLiesInMemoryIsNotCopied) {
  Elements x = Elements::fromValues<float>({4}, {1, 2, 3, 4});
  EXPECT_EQ(written(attrOf(x)).lastOwned, x.residentBytes());
  Elements part = x.slice(0, 1, 2);
  EXPECT_EQ(written(attrOf(part)).lastOwned, x.residentBytes() + 4);
  EXPECT_FALSE(
      written(attrOf(x.slice(Shape{3}, Shape{2}, Shape{-2}))).lastOwned);
  // A buffer that is readable only while it is pinned.
  struct Pinned : Buffer {
    Pinned() : Buffer(8) {}
    const char *acquire() override {
      pins++;
      return "\1\2\3\4\5\6\7\10";
    }
    void release() override { pins--; }
    int pins = 0;
  };
  auto buffer = llvm::makeIntrusiveRefCnt<Pinned>();
  RecordWriter writer =
      written(attrOf(Elements::fromBuffer(DataType::Int8, {8}, buffer)));
  EXPECT_FALSE(writer.lastOwned);
  EXPECT_EQ(writer.bytes, record({1, 0, 2, 8}, "\1\2\3\4\5\6\7\10"));
  EXPECT_EQ(buffer->pins, 0);
}

TEST_F(ElementsRecordTest, WrongRecordsAreReported) {
  Builder b(&context);
  auto i32 = RankedTensorType::get({3}, b.getI32Type());
  auto error = [&](Type type, std::string bytes) {
    EXPECT_FALSE(readRecord(bytes, type));
    return diagnostics;
  };
  EXPECT_EQ(error(i32, record({2, 0, 2, 12}, "123456789012")),
            "#elements.dense is encoded in version 2, expected 1\n");
  EXPECT_EQ(error(i32, record({1, 0, 2, 11}, "12345678901")),
            "#elements.dense of type 'tensor<3xi32>' has 11 bytes, expected "
            "12\n");
  EXPECT_EQ(error(i32, record({1, 0, 1, 12}, "123456789012")),
            "#elements.dense of type 'tensor<3xi32>' has 12 bytes, expected "
            "4\n");
  EXPECT_EQ(error(i32, record({1, 0, 6})),
            "#elements.dense of type 'tensor<3xi32>' has an unknown form 6\n");
  EXPECT_EQ(error(i32, record({1, 0, 3, 1}, "a")),
            "#elements.dense of type 'tensor<3xi32>' has values of another "
            "type\n");
  EXPECT_EQ(error(RankedTensorType::get({3}, stringType()),
                  record({1, 0, 2, 3}, "123")),
            "#elements.dense of type 'tensor<3x!my.string>' has values of "
            "another type\n");
  EXPECT_EQ(error(RankedTensorType::get({3}, b.getIntegerType(3)),
                  record({1, 0, 2, 3}, "123")),
            "#elements.dense of type 'tensor<3xi3>' has an element type "
            "without disposable form\n");
  EXPECT_EQ(error(RankedTensorType::get({ShapedType::kDynamic}, b.getI8Type()),
                  record({1, 0, 2, 3}, "123")),
            "#elements.dense of type 'tensor<?xi8>' has no static shape of a "
            "size that can be\n");
  EXPECT_EQ(
      error(RankedTensorType::get({1ll << 40, 1ll << 40}, b.getI8Type()),
            record({1, 0, 2, 3}, "123")),
      "#elements.dense of type 'tensor<1099511627776x1099511627776xi8>' has "
      "no static shape of a size that can be\n");
  EXPECT_NE(error(b.getI8Type(), record({1, 0, 2, 3}, "123")).find("i8"),
            std::string::npos);
  // No memory is asked for what the record cannot hold.
  error(RankedTensorType::get({1ll << 50}, stringType()),
        record({1, 0, 3, 1}, "a"));
  error(RankedTensorType::get({1ll << 58}, b.getI8Type()),
        record({1, 0, 2, 1ull << 58}, "a"));
  error(i32, record({1, 0, 5, 0}));
}

/// Records with a changed byte, or without their end, are errors or values.
TEST_F(ElementsRecordTest, DamagedRecordsNeverCrash) {
  int errors = 0, values = 0;
  for (Type elementType : allTypesAndStrings())
    for (Shape shape : std::initializer_list<Shape>{{}, {5}, {2, 9}}) {
      Elements x = randomElements(toDataType(elementType), shape);
      for (const Elements &way :
           {x, x.slice(Shape(shape.size(), 0), Shape(shape.size(), 1),
                       Shape(shape.size(), 1))
                   .expand(shape)}) {
        RecordWriter good = written(attrOf(way, elementType));
        good.types.push_back(RankedTensorType::get(
            {3}, toElementType(DataType::Int4, &context)));
        auto check = [&](const std::string &bytes) {
          DisposableElementsAttr attr = readRecord(bytes, good.types);
          ++(attr ? values : errors);
          if (attr && !attr.isElided()) {
            EXPECT_TRUE(attr.getElements().identicalTo(
                attr.getElements().materialize()));
          }
        };
        for (size_t size = 0; size < good.bytes.size(); ++size)
          check(good.bytes.substr(0, size));
        for (int i = 0; i < 60; ++i) {
          std::string bytes = good.bytes;
          bytes[random() % bytes.size()] = char(random());
          check(bytes);
        }
      }
    }
  EXPECT_GT(errors, 1000);
  EXPECT_GT(values, 100);
}

} // namespace
