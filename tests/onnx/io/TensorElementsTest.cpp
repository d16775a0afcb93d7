//===- TensorElementsTest.cpp - Payloads of files as Elements -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/TensorElements.h"

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

TEST_F(TensorElementsTest, LargePayloadsAreInMemoryWhileSomebodyReads) {
  std::vector<float> values(50000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i;
  Elements x = load(floats(values));
  uint64_t before = memoryStatistics().heapBytes;
  {
    Elements::Reader reader(x), another(x.slice(0, 1, 9));
    EXPECT_EQ(memoryStatistics().heapBytes, before + 200000);
  }
  EXPECT_EQ(memoryStatistics().heapBytes, before);
  EXPECT_EQ(x.values<float>(), values);
  EXPECT_EQ(memoryStatistics().heapBytes, before);
}

// Access to a mapping of it would have been SIGBUS.
TEST_F(TensorElementsTest, AFileThatShrinksIsAnErrorThatNamesIt) {
  Elements x = load(floats(std::vector<float>(50000, 3)));
  {
    Elements::Reader reader(x);
    std::filesystem::resize_file(path("model.onnx"), 100);
    ASSERT_NE(reader.contiguous(), nullptr);
    EXPECT_EQ(static_cast<const float *>(reader.contiguous())[49999], 3);
  }
  std::string text;
  try {
    Elements::Reader reader(x);
  } catch (const UnreadableFile &unreadable) {
    text = unreadable.what();
  }
  EXPECT_NE(text.find("model.onnx: changed while it was read"),
            std::string::npos)
      << text;
}

/// Counts what is written, and looks at what is in memory meanwhile.
struct LookingSink : PayloadSink {
  llvm::Error write(uint64_t offset, llvm::StringRef part) override {
    std::lock_guard<std::mutex> lock(mutex);
    bytes.resize(std::max<size_t>(bytes.size(), offset + part.size()));
    bytes.replace(offset, part.size(), part.str());
    most = std::max(most, memoryStatistics().heapBytes);
    return llvm::Error::success();
  }
  std::mutex mutex;
  std::string bytes;
  uint64_t most = 0;
};

// They would be read from memory that costs page faults, and are read once.
TEST_F(TensorElementsTest, LargePayloadsAreWrittenInPieces) {
  std::vector<float> values(500'000);
  std::iota(values.begin(), values.end(), 0.0f);
  Elements x = load(floats(values));
  uint64_t before = memoryStatistics().heapBytes;
  LookingSink sink;
  cantFail(payloadOf(x).write(sink));
  EXPECT_EQ(sink.bytes, floats(values).raw_data());
  EXPECT_LT(sink.most, before + 1'500'000);
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
  EXPECT_EQ(x.values<float>(), (std::vector<float>{1, 2, 3}));
}
