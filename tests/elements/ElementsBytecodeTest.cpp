//===- ElementsBytecodeTest.cpp - Tensors in MLIR bytecode ----------------===//
//
// What was written and read again is compared with the value, element by
// element. Records of one attribute are also written and read by a simple
// encoding of the test's own, so that damage hits our code and not MLIR's.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ElementsBytecode.h"
#include "AttrTest.h"
#include "Naive.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include <fstream>
#include <sstream>
#include <thread>

using namespace onnxfold;
using namespace mlir;

namespace {

class ElementsBytecodeTest : public AttrTest {
protected:
  std::vector<Type> allTypesAndStrings() {
    std::vector<Type> types = allTypes();
    types.push_back(stringType());
    return types;
  }

  /// Random elements of the type; strings of any characters.
  Elements randomElements(Random &random, DataType type, ShapeRef shape) {
    int64_t count = numElements(shape);
    if (type == DataType::String) {
      std::vector<std::string> texts(count);
      for (std::string &text : texts)
        for (int64_t n = random.integer(0, 9); n > 0; --n)
          text.push_back(char(random.integer(0, 255)));
      return Elements::fromStrings(
          shape, std::vector<llvm::StringRef>(texts.begin(), texts.end()));
    }
    auto buffer =
        llvm::makeIntrusiveRefCnt<HeapBuffer>(count * byteWidth(type));
    for (size_t i = 0; i < buffer->size(); ++i) {
      int64_t byte = random.integer(0, 255);
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

  DisposableElementsAttr attrOf(const Elements &x, Type elementType = {}) {
    if (!elementType)
      elementType = toElementType(x.type(), &context);
    return DisposableElementsAttr::get(
        RankedTensorType::get(x.shape(), elementType), x);
  }

  OwningOpRef<ModuleOp> moduleOf(llvm::ArrayRef<Attribute> attrs) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    module->getOperation()->setAttr("test.x", ArrayAttr::get(&context, attrs));
    return module;
  }
  static ArrayAttr attrsOf(ModuleOp module) {
    return module->getAttrOfType<ArrayAttr>("test.x");
  }

  static std::string write(Operation *op,
                           const BytecodeWriterConfig &config = {}) {
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    EXPECT_TRUE(succeeded(writeBytecodeToFile(op, os, config)));
    return bytes;
  }
  static std::string writeInScope(Operation *op,
                                  const BytecodeWriterConfig &config = {}) {
    ElementsBytecodeScope scope;
    return write(op, config);
  }

  OwningOpRef<ModuleOp> read(const std::string &bytes) {
    return parseSourceString<ModuleOp>(bytes, &context);
  }
};

const std::vector<Shape> shapes = {{},     {1},        {3},     {8},
                                   {2, 3}, {2, 0, 3},  {101},   {3, 1, 5},
                                   {0},    {13, 1777}, {90, 91}};

/// The same elements, held in all the ways there are.
std::vector<Elements> waysToHold(const Elements &x) {
  Shape perm(x.rank()), zeros(x.rank(), 0), ones(x.rank(), 1);
  std::iota(perm.rbegin(), perm.rend(), 0);
  Elements moved = x.transpose(perm).materialize();
  std::vector<Elements> result = {
      x,                     // contiguous
      moved.transpose(perm), // strided
      Elements::deferred(x.type(), x.shape(), {moved},
                         [=](char *out) { moved.transpose(perm).read(out); })};
  if (x.type() != DataType::String && x.type() != DataType::Bool &&
      !isSubByte(x.type())) { // at an address that is not aligned
    auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(x.bytes() + 1);
    x.read(buffer->data() + 1 - 1);
    std::memmove(buffer->data() + 1, buffer->data(), x.bytes());
    result.push_back(Elements::fromBuffer(
        x.type(), x.shape(),
        foreignBuffer({buffer->data() + 1, size_t(x.bytes())}, [buffer] {})));
  }
  if (x.size() != 0) // splats, known as such and not
    for (bool known : {false, true}) {
      Elements splat = x.slice(zeros, ones, ones).expand(x.shape());
      result.push_back(known ? splat : splat.materialize());
    }
  return result;
}

TEST_F(ElementsBytecodeTest, RoundTripsEveryTypeShapeAndWayToHold) {
  Random random(31);
  for (Type elementType : allTypesAndStrings()) {
    std::vector<Attribute> attrs;
    std::vector<Elements> expected;
    for (const Shape &shape : shapes)
      for (const Elements &x :
           waysToHold(randomElements(random, toDataType(elementType), shape))) {
        expected.push_back(x);
        attrs.push_back(attrOf(x, elementType));
      }
    OwningOpRef<ModuleOp> module = moduleOf(attrs);
    for (bool inScope : {false, true}) {
      OwningOpRef<ModuleOp> again =
          read(inScope ? writeInScope(*module) : write(*module));
      ASSERT_TRUE(again) << diagnostics;
      for (auto [attr, original, x] :
           llvm::zip_equal(attrsOf(*again), attrs, expected)) {
        auto ours = dyn_cast<DisposableElementsAttr>(attr);
        ASSERT_TRUE(ours);
        EXPECT_NE(ours, original);
        EXPECT_EQ(ours.getType(),
                  cast<DisposableElementsAttr>(original).getType());
        EXPECT_TRUE(ours.getElements().identicalTo(x));
        EXPECT_EQ(ours.getElements().isSplat(), x.isSplat());
      }
    }
  }
  EXPECT_EQ(diagnostics, "");
}

TEST_F(ElementsBytecodeTest, TheFileIsTheSameEachTime) {
  auto build = [&] {
    Random random(7);
    std::vector<Attribute> attrs;
    for (int i = 0; i < 20; ++i)
      attrs.push_back(attrOf(
          randomElements(random, DataType::Float32, {10, 100 * (i % 5)})));
    return moduleOf(attrs);
  };
  OwningOpRef<ModuleOp> first = build(), second = build(); // ids differ
  EXPECT_EQ(write(*first), write(*second));
  EXPECT_EQ(writeInScope(*first), writeInScope(*second));
  EXPECT_NE(writeInScope(*first), write(*first));
}

TEST_F(ElementsBytecodeTest, SeveralFilesOfOneScope) {
  Random random(8);
  Elements x = randomElements(random, DataType::Float32, {2000});
  Elements y = randomElements(random, DataType::Int64, {2000});
  OwningOpRef<ModuleOp> one = moduleOf({attrOf(x)}),
                        both = moduleOf({attrOf(y), attrsOf(*one)[0]});
  ElementsBytecodeScope scope;
  std::string first = write(*one), second = write(*both);
  {
    ElementsBytecodeScope inner;
    EXPECT_EQ(write(*one), first);
  }
  for (const std::string &bytes : {second, first, second}) {
    OwningOpRef<ModuleOp> again = read(bytes);
    ASSERT_TRUE(again);
    auto last = cast<DisposableElementsAttr>(attrsOf(*again).getValue().back());
    EXPECT_TRUE(last.getElements().identicalTo(x));
  }
}

/// Attributes of one context stood where those of the next stand (mlir-opt with
/// -split-input-file), and the first one's values were written.
TEST_F(ElementsBytecodeTest, SeveralContextsOfOneScope) {
  ElementsBytecodeScope scope;
  for (int i = 0; i < 20; ++i) {
    MLIRContext other(MLIRContext::Threading::DISABLED);
    other.loadDialect<ElementsDialect>();
    Elements x = Elements::splat<int32_t>({2000}, i).materialize();
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&other));
    module->getOperation()->setAttr(
        "test.x", DisposableElementsAttr::get(toTensorType(x, &other), x));
    OwningOpRef<ModuleOp> again = read(write(*module));
    ASSERT_TRUE(again);
    auto attr = (*again)->getAttrOfType<DisposableElementsAttr>("test.x");
    EXPECT_TRUE(attr.getElements().identicalTo(x));
  }
}

TEST_F(ElementsBytecodeTest, Elided) {
  auto type = RankedTensorType::get({40, 50}, Builder(&context).getF32Type());
  OwningOpRef<ModuleOp> module =
      moduleOf({DisposableElementsAttr::getElided(type)});
  for (const std::string &bytes : {write(*module), writeInScope(*module)}) {
    auto attr = dyn_cast<DisposableElementsAttr>(attrsOf(*read(bytes))[0]);
    ASSERT_TRUE(attr);
    EXPECT_TRUE(attr.isElided());
    EXPECT_EQ(attr.getType(), type);
  }
  // MLIR's own option leaves out what is a resource.
  Elements small = Elements::fromValues<float>({3}, {1, 2, 3});
  Random random(3);
  Elements large = randomElements(random, DataType::Float32, {40, 50});
  module = moduleOf({attrOf(small), attrOf(large)});
  BytecodeWriterConfig config;
  config.setElideResourceDataFlag();
  std::string bytes = writeInScope(*module, config);
  EXPECT_LT(bytes.size(), 1000u);
  OwningOpRef<ModuleOp> again = read(bytes);
  ASSERT_TRUE(again) << diagnostics;
  auto at = [&](int i) {
    return cast<DisposableElementsAttr>(attrsOf(*again)[i]);
  };
  EXPECT_TRUE(at(0).getElements().identicalTo(small));
  EXPECT_TRUE(at(1).isElided());
}

class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &bytes) {
    EXPECT_FALSE(
        llvm::sys::fs::createTemporaryFile("bytecode", "mlirbc", path));
    std::ofstream(path.c_str(), std::ios::binary) << bytes;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  llvm::SmallString<64> path;
};

/// The file that is mapped at an address.
std::string fileAt(const void *address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin, end;
    if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) == 2 &&
        uintptr_t(address) >= begin && uintptr_t(address) < end)
      return line.find('/') == std::string::npos ? ""
                                                 : line.substr(line.find('/'));
  }
  return "";
}

TEST_F(ElementsBytecodeTest, ReadsFromTheMappedFile) {
  Random random(4);
  Elements x = randomElements(random, DataType::Float32, {100, 1000});
  Elements view = x.transpose({1, 0});
  OwningOpRef<ModuleOp> module = moduleOf({attrOf(x), attrOf(view)});
  TemporaryFile file(writeInScope(*module));
  OwningOpRef<ModuleOp> again = parseSourceFile<ModuleOp>(file.path, &context);
  ASSERT_TRUE(again);
  std::vector<Elements> values;
  for (auto attr : attrsOf(*again).getAsRange<DisposableElementsAttr>())
    values.push_back(attr.getElements());
  again = nullptr;
  for (const Elements &value : values) {
    const char *bytes = value.residentBytes();
    ASSERT_TRUE(bytes);
    EXPECT_EQ(fileAt(bytes), file.path);
    EXPECT_EQ(uintptr_t(bytes) % 8, 0u);
  }
  EXPECT_TRUE(values[0].identicalTo(x));
  EXPECT_TRUE(values[1].identicalTo(view));
}

TEST_F(ElementsBytecodeTest, ThreadsWriteAndRead) {
  Random random(6);
  std::vector<OwningOpRef<ModuleOp>> modules;
  for (int i = 0; i < 4; ++i)
    modules.push_back(
        moduleOf({attrOf(randomElements(random, DataType::Float32, {3000 + i})),
                  attrOf(randomElements(random, DataType::Int8, {i + 1}))}));
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        OwningOpRef<ModuleOp> again =
            read(round % 2 ? write(*modules[i]) : writeInScope(*modules[i]));
        auto a = attrsOf(*again).getAsRange<DisposableElementsAttr>();
        auto b = attrsOf(*modules[i]).getAsRange<DisposableElementsAttr>();
        right += llvm::all_of(llvm::zip_equal(a, b), [](auto pair) {
          auto [x, y] = pair;
          return x.getElements().identicalTo(y.getElements());
        });
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 80);
}

//===----------------------------------------------------------------------===//
// Records of single attributes
//===----------------------------------------------------------------------===//

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

class ElementsRecordTest : public ElementsBytecodeTest {
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
  Random random(11);
  int errors = 0, values = 0;
  for (Type elementType : allTypesAndStrings())
    for (Shape shape : std::initializer_list<Shape>{{}, {5}, {2, 9}}) {
      Elements x = randomElements(random, toDataType(elementType), shape);
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
          bytes[random.integer(0, bytes.size() - 1)] = random.integer(0, 255);
          check(bytes);
        }
      }
    }
  EXPECT_GT(errors, 1000);
  EXPECT_GT(values, 100);
}

/// Whole files, with MLIR's own reader: the end is missing.
TEST_F(ElementsBytecodeTest, TruncatedFilesAreErrors) {
  Random random(12);
  OwningOpRef<ModuleOp> module = moduleOf(
      {attrOf(randomElements(random, DataType::Float32, {2000})),
       attrOf(randomElements(random, DataType::Bool, {77})),
       attrOf(randomElements(random, DataType::String, {5}), stringType())});
  for (const std::string &bytes : {write(*module), writeInScope(*module)})
    for (size_t size = 4; size < bytes.size(); size += 1 + size / 50) {
      diagnostics.clear();
      EXPECT_FALSE(read(bytes.substr(0, size)));
      EXPECT_NE(diagnostics, "") << size;
    }
}

/// A byte of the file is another one. MLIR's reader itself survives not all of
/// what that does elsewhere, so only bytes of our records and values change.
TEST_F(ElementsBytecodeTest, DamagedFilesNeverCrash) {
  Random random(13);
  std::vector<uint8_t> pattern(5000);
  for (size_t i = 0; i < pattern.size(); ++i)
    pattern[i] = i % 5 ? 0xA0 + i % 7 : 0xEE;
  Elements large = Elements::fromValues<uint8_t>({5000}, pattern);
  Elements small = large.slice(0, 0, 30);
  OwningOpRef<ModuleOp> module = moduleOf({attrOf(large), attrOf(small)});
  for (const std::string &good : {write(*module), writeInScope(*module)}) {
    std::string text(pattern.begin(), pattern.begin() + 30);
    for (size_t at = good.find(text); at != std::string::npos;
         at = good.find(text, at + 1))
      for (size_t i = at - 6; i < at + 3; ++i)
        for (int bit = 0; bit < 8; ++bit) {
          std::string bytes = good;
          bytes[i] ^= 1 << bit;
          diagnostics.clear();
          OwningOpRef<ModuleOp> again = read(bytes);
          EXPECT_EQ(!again, !diagnostics.empty()) << diagnostics;
        }
  }
}

/// The data of a resource has another size than the type of its attribute.
TEST_F(ElementsBytecodeTest, ResourceOfWrongSize) {
  Elements x = Elements::splat<uint8_t>({5000}, 0xA5).materialize();
  OwningOpRef<ModuleOp> module = moduleOf({attrOf(x)});
  std::string bytes = writeInScope(*module);
  // The dimension of the type in the file: varint of 5000, zigzag, two bytes.
  uint16_t dim = (5000 * 2) << 2 | 2, other = (4999 * 2) << 2 | 2;
  size_t at = bytes.find(std::string(reinterpret_cast<char *>(&dim), 2));
  ASSERT_NE(at, std::string::npos);
  std::memcpy(&bytes[at], &other, 2);
  EXPECT_FALSE(read(bytes));
  EXPECT_EQ(diagnostics.substr(0, diagnostics.find('\n')),
            "#elements.dense of type 'tensor<4999xui8>' has 5000 bytes, "
            "expected 4999");
}

} // namespace
