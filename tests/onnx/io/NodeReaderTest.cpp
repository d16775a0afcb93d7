//===- NodeReaderTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/NodeReader.h"

#include "TestFiles.h"

#include "onnx/onnx_pb.h"

using namespace onnxfold;
using onnx::AttributeProto;

namespace {

class NodeReaderTest : public FileTest {
protected:
  /// Reads the only node of a model, given as bytes of its contents.
  const NodeFields &read(const std::string &contents) {
    std::string bytes = bytesField(7, bytesField(1, contents));
    model = cantFail(ModelIndex::build(openBytes(bytes)));
    reader.emplace(model->file());
    cantFail(readNode(*reader, *model, model->mainGraph().nodes[0], node));
    return node;
  }
  const AttributeFields &readAttribute(const std::string &contents) {
    return read(bytesField(5, contents)).attributes[0];
  }
  std::string problem(const std::string &contents) {
    const StoredFault *problem =
        readAttribute(bytesField(1, "a") + contents).problem;
    return problem ? problem->text() : "";
  }

  std::unique_ptr<ModelIndex> model;
  std::optional<WireReader> reader;
  NodeFields node;
};

TEST_F(NodeReaderTest, Names) {
  onnx::NodeProto proto;
  for (const char *name : {"a", "", "c"})
    proto.add_input(name);
  proto.add_output("out");
  proto.set_name("n");
  proto.set_op_type("Op");
  proto.set_domain("d");
  proto.set_overload("o");
  proto.set_doc_string("doc");
  std::string bytes = proto.SerializeAsString();
  const NodeFields &fields = read(bytes);
  ASSERT_EQ(fields.inputs.size(), 3u);
  EXPECT_EQ(fields.inputs[0].name, "a");
  EXPECT_EQ(fields.inputs[1].name, "");
  EXPECT_EQ(fields.inputs[2].name, "c");
  EXPECT_EQ(fields.inputs[2].field.size(), 3u);
  EXPECT_EQ(fields.outputs[0].name, "out");
  EXPECT_EQ(
      (fields.name + fields.opType + fields.domain + fields.overload).str(),
      "nOpdo");
  EXPECT_EQ(fields.attribute("none"), nullptr);
}

TEST_F(NodeReaderTest, OperatorTypeAfterAttributesAndTwice) {
  const NodeFields &fields =
      read(bytesField(5, bytesField(1, "a") + intField(3, 1)) +
           bytesField(4, "First") + intField(4, 5) + bytesField(4, "Second"));
  EXPECT_EQ(fields.opType, "Second");
  EXPECT_EQ(fields.attribute("a")->i, 1);
}

/// A node with an attribute of each kind, one without values and one that names another.
onnx::NodeProto everyKind() {
  onnx::NodeProto proto;
  auto add = [&](const char *name, AttributeProto::AttributeType type) {
    AttributeProto *attribute = proto.add_attribute();
    attribute->set_name(name);
    attribute->set_type(type);
    return attribute;
  };
  add("f", AttributeProto::FLOAT)->set_f(-1.5f);
  add("i", AttributeProto::INT)->set_i(INT64_MIN);
  add("s", AttributeProto::STRING)->set_s(std::string("a\0b", 3));
  auto *t = add("t", AttributeProto::TENSOR)->mutable_t();
  t->set_data_type(6);
  t->add_int32_data(7);
  add("g", AttributeProto::GRAPH)->mutable_g()->set_name("sub");
  auto *floats = add("floats", AttributeProto::FLOATS);
  auto *ints = add("ints", AttributeProto::INTS);
  auto *strings = add("strings", AttributeProto::STRINGS);
  for (int i = 0; i < 3; ++i) {
    floats->add_floats(i + 0.25f);
    ints->add_ints(-i);
    strings->add_strings(std::string(i, 's'));
  }
  auto *tensors = add("tensors", AttributeProto::TENSORS);
  tensors->add_tensors()->set_name("t0");
  tensors->add_tensors()->set_name("t1");
  auto *graphs = add("graphs", AttributeProto::GRAPHS);
  graphs->add_graphs()->set_name("g0");
  graphs->add_graphs()->set_name("g1");
  add("sparse", AttributeProto::SPARSE_TENSOR)
      ->mutable_sparse_tensor()
      ->add_dims(5);
  add("sparses", AttributeProto::SPARSE_TENSORS)->add_sparse_tensors();
  add("tp", AttributeProto::TYPE_PROTO)->mutable_tp()->set_denotation("d");
  add("tps", AttributeProto::TYPE_PROTOS)->add_type_protos();
  add("empty", AttributeProto::INTS);
  add("ref", AttributeProto::FLOAT)->set_ref_attr_name("outer");
  return proto;
}

TEST_F(NodeReaderTest, EveryKindOfAttribute) {
  onnx::NodeProto proto = everyKind();
  const NodeFields &fields = read(proto.SerializeAsString());
  ASSERT_EQ(fields.attributes.size(), size_t(proto.attribute_size()));
  for (int i = 0; i < proto.attribute_size(); ++i) {
    EXPECT_EQ(fields.attributes[i].name, proto.attribute(i).name());
    EXPECT_EQ(int(fields.attributes[i].kind), int(proto.attribute(i).type()));
    EXPECT_EQ(fields.attributes[i].problem, nullptr);
    EXPECT_TRUE(fields.attributes[i].decoded);
  }
  EXPECT_EQ(fields.attribute("f")->f, -1.5f);
  EXPECT_EQ(fields.attribute("i")->i, INT64_MIN);
  EXPECT_EQ(fields.attribute("s")->s, llvm::StringRef("a\0b", 3));
  EXPECT_EQ(fields.attribute("t")->tensors[0].dataType, 6);
  EXPECT_EQ(fields.attribute("t")->tensors[0].problem, nullptr);
  EXPECT_EQ(fields.attribute("g")->graphs[0]->name, "sub");
  EXPECT_EQ(fields.attribute("floats")->floats,
            llvm::ArrayRef<float>({0.25f, 1.25f, 2.25f}));
  EXPECT_EQ(fields.attribute("ints")->ints,
            llvm::ArrayRef<int64_t>({0, -1, -2}));
  EXPECT_EQ(fields.attribute("strings")->strings,
            llvm::ArrayRef<llvm::StringRef>({"", "s", "ss"}));
  EXPECT_EQ(fields.attribute("tensors")->tensors[1].name, "t1");
  EXPECT_EQ(fields.attribute("graphs")->graphs[1]->name, "g1");
  EXPECT_EQ(fields.attribute("sparse")->ranges[0].size(), 2u);
  EXPECT_EQ(fields.attribute("sparses")->ranges[0].size(), 0u);
  EXPECT_EQ(fields.attribute("tp")->ranges[0].size(), 3u);
  EXPECT_EQ(fields.attribute("tps")->ranges.size(), 1u);
  EXPECT_TRUE(fields.attribute("empty")->ints.empty());
  EXPECT_EQ(fields.attribute("ref")->refAttrName, "outer");
}

TEST_F(NodeReaderTest, ListsPackedOrNot) {
  // Packed, single and packed again, with another field in between.
  const AttributeFields *attribute =
      &readAttribute(bytesField(8, "\1\2") + intField(8, 3) + intField(99, 0) +
                     bytesField(8, "\4"));
  EXPECT_EQ(attribute->ints, llvm::ArrayRef<int64_t>({1, 2, 3, 4}));
  EXPECT_EQ(attribute->ranges.size(), 2u);
  std::string one("\0\0\x80\x3f", 4);
  attribute = &readAttribute(fixed32Field(7, one) + bytesField(7, one + one));
  EXPECT_EQ(attribute->floats, llvm::ArrayRef<float>({1, 1, 1}));
}

TEST_F(NodeReaderTest, LargeValuesStayInTheFile) {
  std::string text(maxDecodedSize + 1, 'x');
  const AttributeFields *attribute = &readAttribute(bytesField(4, text));
  EXPECT_FALSE(attribute->decoded);
  EXPECT_EQ(attribute->ranges[0].size(), text.size());
  EXPECT_EQ(attribute->s, "");
  attribute = &readAttribute(bytesField(8, std::string(maxDecodedSize, '\5')));
  EXPECT_FALSE(attribute->decoded);
  int64_t sum = 0;
  readVarints(*reader, attribute->ranges, 8, [&](uint64_t v) { sum += v; });
  EXPECT_EQ(sum, int64_t(5 * maxDecodedSize));
  attribute = &readAttribute(bytesField(9, text) + bytesField(9, "b"));
  EXPECT_FALSE(attribute->decoded);
  llvm::BumpPtrAllocator arena;
  std::vector<llvm::StringRef> texts;
  readTexts(*reader, attribute->ranges, arena,
            [&](llvm::StringRef t) { texts.push_back(t); });
  EXPECT_EQ(texts, (std::vector<llvm::StringRef>{text, "b"}));
}

TEST_F(NodeReaderTest, KindWithoutType) {
  EXPECT_EQ(readAttribute(intField(3, 5)).kind, AttributeKind::Int);
  EXPECT_EQ(readAttribute(intField(3, 5) + intField(20, 77)).kind,
            AttributeKind::Int)
      << "an unknown value of a closed enum is dropped";
}

TEST_F(NodeReaderTest, LastScalarWins) {
  EXPECT_EQ(readAttribute(intField(3, 5) + intField(3, 6)).i, 6);
  EXPECT_EQ(readAttribute(bytesField(4, "a") + bytesField(4, "b")).s, "b");
}

TEST_F(NodeReaderTest, TensorInSeveralMessagesIsMerged) {
  const AttributeFields &attribute =
      readAttribute(bytesField(5, intField(1, 2) + intField(2, 2)) +
                    bytesField(5, bytesField(9, "ab")));
  ASSERT_EQ(attribute.tensors.size(), 1u);
  EXPECT_EQ(attribute.tensors[0].problem, nullptr);
  EXPECT_EQ(attribute.tensors[0].dims, llvm::ArrayRef<int64_t>({2}));
}

TEST_F(NodeReaderTest, Problems) {
  EXPECT_EQ(problem(""), "has no value");
  // A tensor that was not there was read all the same: a crash.
  EXPECT_EQ(problem(intField(20, 4)),
            "has no value in 't', expected one as its type says");
  EXPECT_EQ(problem(intField(20, 5)),
            "has no value in 'g', expected one as its type says");
  EXPECT_EQ(problem(intField(20, 11)), "has no value in "
                                       "'sparse_tensor', expected one as its "
                                       "type says");
  EXPECT_EQ(problem(intField(3, 1) + intField(8, 1)),
            "has values in 'i' and 'ints', expected one of them");
  EXPECT_EQ(problem(intField(3, 1) + intField(20, 1)),
            "has a value in 'i', expected 'f' as its type says");
  EXPECT_EQ(problem(intField(3, 1) + bytesField(21, "r")),
            "refers to 'r' and has a value, expected one of them");
}

/// Of parts that nothing reads, too: protobuf reads them.
TEST_F(NodeReaderTest, WrongBytesInsideATensorAreFoundAtOnce) {
  std::string bytes =
      bytesField(7, bytesField(1, bytesField(5, bytesField(5, "\x4a\x63"))));
  EXPECT_EQ(
      errorText(ModelIndex::build(openBytes(bytes)).takeError(), folder),
      "model.onnx: graph.node[0].attribute[0].t at byte 8: field 9 at byte "
      "8 has a length of 99 bytes, which runs past the end of the t at byte "
      "10");
}

} // namespace
