//===- ElementsBytecodeTest.cpp - Tensors in MLIR bytecode ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What was written by MLIR's writer and read by its reader is compared with the
// value, element by element.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ir/ElementsBytecode.h"
#include "onnxfold/tests/elements/AttrTest.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include <fstream>
#include <thread>

using namespace onnxfold;
using namespace mlir;

namespace {

class ElementsBytecodeTest : public AttrTest {
protected:
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

const std::vector<Shape> writtenShapes = {
    {},    {1},       {3}, {8},        {2, 3},  {2, 0, 3},
    {101}, {3, 1, 5}, {0}, {13, 1777}, {90, 91}};

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
  for (Type elementType : allTypesAndStrings()) {
    std::vector<Attribute> attrs;
    std::vector<Elements> expected;
    for (const Shape &shape : writtenShapes)
      for (const Elements &x :
           waysToHold(randomElements(toDataType(elementType), shape))) {
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
    random.seed(7);
    SmallVector<Attribute, 20> attrs;
    for (int i = 0; i < 20; ++i)
      attrs.push_back(
          attrOf(randomElements(DataType::Float32, {10, 100 * (i % 5)})));
    return moduleOf(attrs);
  };
  OwningOpRef<ModuleOp> first = build(), second = build(); // ids differ
  EXPECT_EQ(write(*first), write(*second));
  EXPECT_EQ(writeInScope(*first), writeInScope(*second));
  EXPECT_NE(writeInScope(*first), write(*first));
}

TEST_F(ElementsBytecodeTest, SeveralFilesOfOneScope) {
  Elements x = randomElements(DataType::Float32, {2000});
  Elements y = randomElements(DataType::Int64, {2000});
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
  Elements large = randomElements(DataType::Float32, {40, 50});
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
  Elements x = randomElements(DataType::Float32, {100, 1000});
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
  SmallVector<OwningOpRef<ModuleOp>, 4> modules;
  for (int i = 0; i < 4; ++i)
    modules.push_back(
        moduleOf({attrOf(randomElements(DataType::Float32, {3000 + i})),
                  attrOf(randomElements(DataType::Int8, {i + 1}))}));
  SmallVector<std::thread, 4> threads;
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

/// Whole files, with MLIR's own reader: the end is missing.
TEST_F(ElementsBytecodeTest, TruncatedFilesAreErrors) {
  OwningOpRef<ModuleOp> module =
      moduleOf({attrOf(randomElements(DataType::Float32, {2000})),
                attrOf(randomElements(DataType::Bool, {77})),
                attrOf(randomElements(DataType::String, {5}), stringType())});
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
