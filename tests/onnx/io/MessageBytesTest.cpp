//===- MessageBytesTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/wire/MessageBytes.h"
#include "onnxfold/onnx/io/files/OutputFile.h"

#include "TestFiles.h"

#include "onnx/onnx_pb.h"

using namespace onnxfold;

namespace {

class MessageBytesTest : public FileTest {
protected:
  /// The bytes of a message, as a file of its own.
  std::string written(MessageBytes message) {
    uint64_t size = message.size();
    EditScript script;
    for (Content &content : message.take())
      script.append(script.root(), std::move(content));
    EXPECT_EQ(message.size(), 0u);
    std::filesystem::remove(path("out"));
    auto output = cantFail(OutputFile::create(path("out"), {}));
    cantFail(script.write(*output));
    cantFail(output->commit());
    EXPECT_EQ(read("out").size(), size);
    return read("out");
  }
};

/// A node with an attribute of so many bytes.
onnx::NodeProto nodeOf(size_t bytes) {
  onnx::NodeProto node;
  node.add_input("before");
  node.set_op_type("Own");
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name("large");
  attribute.set_s(std::string(bytes, 's'));
  return node;
}

/// The node with another input, in a graph: what is short is read, what is long
/// (more than 64 KB) copied from file to file.
TEST_F(MessageBytesTest, FieldsOfTheFileInMessagesInMessages) {
  for (size_t bytes : {0, 10, 65000, 65536, 200000}) {
    onnx::NodeProto node = nodeOf(bytes);
    WireReader reader(openBytes(node.SerializeAsString()));
    MessageBytes copy, graph;
    copy.addText(1, "after");
    WireCursor cursor(reader, {0, reader.file().size()});
    WireField field;
    while (cursor.next(field))
      if (!field.isMessage(1))
        copy.keep(reader, field.whole());
    ASSERT_FALSE(bool(reader.takeError()));
    graph.addMessage(1, std::move(copy));
    graph.addText(2, "name");
    onnx::GraphProto expected;
    node.set_input(0, "after");
    *expected.add_node() = node;
    expected.set_name("name");
    EXPECT_EQ(written(std::move(graph)), expected.SerializeAsString()) << bytes;
  }
}

TEST_F(MessageBytesTest, NothingIsAnEmptyMessage) {
  MessageBytes empty, whole;
  whole.addMessage(5, std::move(empty));
  EXPECT_EQ(written(std::move(whole)), std::string("\x2A\0", 2));
  EXPECT_EQ(written(MessageBytes()), "");
}

} // namespace
