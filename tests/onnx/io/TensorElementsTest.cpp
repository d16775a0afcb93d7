//===- TensorElementsTest.cpp - Payloads of files as Elements -------------===//
#include "onnxfold/onnx/io/TensorElements.h"

#include "TestFiles.h"
#include "onnxfold/elements/Spill.h"
#include "onnxfold/elements/memory/Memory.h"

#include "onnx/onnx_pb.h"

using namespace onnxfold;
using onnx::TensorProto;

namespace {

class TensorElementsTest : public FileTest {
protected:
  Elements load(const TensorProto &proto) {
    std::string bytes = proto.SerializeAsString();
    WireReader reader(openBytes(bytes));
    MessageSpan span;
    span.end = bytes.size();
    llvm::BumpPtrAllocator arena;
    TensorIndex index = readTensor(reader, span, arena, {"tensor"});
    ExternalData external(folder);
    return cantFail(loadTensor(reader, index, external, "initializer 'w'"));
  }
};

TensorProto floats(std::vector<float> values) {
  TensorProto proto;
  proto.set_data_type(TensorProto::FLOAT);
  proto.add_dims(values.size());
  proto.set_raw_data(values.data(), values.size() * sizeof(float));
  return proto;
}

} // namespace

TEST_F(TensorElementsTest, LargePayloadsAreMappedWhileSomebodyReads) {
  std::vector<float> values(50000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i;
  Elements x = load(floats(values));
  uint64_t before = memoryStatistics().mappedBytes;
  {
    Elements::Reader reader(x), another(x.slice(0, 1, 9));
    EXPECT_EQ(memoryStatistics().mappedBytes, before + 200000);
  }
  EXPECT_EQ(memoryStatistics().mappedBytes, before);
  EXPECT_EQ(x.values<float>(), values);
  EXPECT_EQ(memoryStatistics().mappedBytes, before);
}

/// Counts what is written, and looks at what is mapped meanwhile.
struct LookingSink : PayloadSink {
  llvm::Error write(uint64_t offset, llvm::StringRef part) override {
    std::lock_guard<std::mutex> lock(mutex);
    bytes.resize(std::max<size_t>(bytes.size(), offset + part.size()));
    bytes.replace(offset, part.size(), part.str());
    mapped = std::max(mapped, memoryStatistics().mappedBytes);
    return llvm::Error::success();
  }
  std::mutex mutex;
  std::string bytes;
  uint64_t mapped = 0;
};

// A mapping would cost page faults for bytes that are read once.
TEST_F(TensorElementsTest, LargePayloadsAreWrittenUnmapped) {
  std::vector<float> values(500'000);
  std::iota(values.begin(), values.end(), 0.0f);
  Elements x = load(floats(values));
  uint64_t before = memoryStatistics().mappedBytes;
  LookingSink sink;
  cantFail(payloadOf(x).write(sink));
  EXPECT_EQ(sink.bytes, floats(values).raw_data());
  EXPECT_EQ(sink.mapped, before);
}

// They are in a file already.
TEST_F(TensorElementsTest, LargePayloadsAreNotSpilled) {
  Elements x = load(floats(std::vector<float>(50000, 3)));
  uint64_t before = memoryStatistics().spilledBytes;
  Elements y = spill(x), part = spill(x.slice(0, 100, 40000));
  EXPECT_EQ(memoryStatistics().spilledBytes, before + 160000);
  EXPECT_EQ(y.value<float>(49999), 3);
  EXPECT_EQ(part.value<float>(39999), 3);
}

TEST_F(TensorElementsTest, SmallPayloadsAreCopied) {
  Elements x = load(floats({1, 2, 3}));
  Elements::Reader reader(x);
  EXPECT_EQ(memoryStatistics().mappedBytes, 0u);
  EXPECT_EQ(x.values<float>(), (std::vector<float>{1, 2, 3}));
}
