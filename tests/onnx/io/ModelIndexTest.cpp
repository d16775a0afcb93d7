//===- ModelIndexTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/ModelIndex.h"
#include "onnxfold/onnx/io/read/NodeReader.h"

#include "TestFiles.h"

#include "onnx/onnx_pb.h"
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <malloc.h>
#include <random>
#include <unistd.h>

using namespace onnxfold;

namespace {

class ModelIndexTest : public FileTest {
protected:
  std::unique_ptr<ModelIndex> index(const std::string &bytes) {
    return cantFail(ModelIndex::build(openBytes(bytes)));
  }
  std::string error(const std::string &bytes) {
    return errorText(ModelIndex::build(openBytes(bytes)), folder);
  }
};

std::string node(const std::string &type, const std::string &more = "") {
  return bytesField(1, bytesField(4, type) + more);
}
std::string attribute(const std::string &name, const std::string &value) {
  return bytesField(5, bytesField(1, name) + value);
}

void fillGraph(onnx::GraphProto &graph) {
  graph.set_name("main");
  graph.add_input()->set_name("x");
  graph.add_output()->set_name("y");
  graph.add_value_info()->set_name("t");
  auto *weight = graph.add_initializer();
  weight->set_name("w");
  weight->set_data_type(1);
  weight->add_dims(2);
  weight->set_raw_data("12345678");
  auto *sparse = graph.add_sparse_initializer();
  sparse->mutable_values()->set_name("s");
  sparse->mutable_values()->set_data_type(1);
  sparse->mutable_values()->add_dims(1);
  sparse->mutable_values()->add_float_data(1.5f);
  sparse->mutable_indices()->set_data_type(7);
  sparse->mutable_indices()->add_dims(1);
  sparse->mutable_indices()->add_int64_data(3);
  sparse->add_dims(8);
  auto *annotation = graph.add_quantization_annotation();
  annotation->set_tensor_name("x");
  auto *parameter = annotation->add_quant_parameter_tensor_names();
  parameter->set_key("SCALE_TENSOR");
  parameter->set_value("w");
  graph.add_node()->set_op_type("Relu");
  auto *branch = graph.add_node();
  branch->set_op_type("If");
  for (const char *name : {"then_branch", "else_branch"}) {
    auto *attribute = branch->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto::GRAPH);
    attribute->mutable_g()->set_name(name);
    attribute->mutable_g()->add_node()->set_op_type("Identity");
  }
}

void addFunction(onnx::ModelProto &model) {
  auto *function = model.add_functions();
  function->set_name("f");
  function->set_domain("custom");
  function->set_overload("o");
  function->add_input("a");
  function->add_output("b");
  function->add_attribute("alpha");
  function->add_attribute_proto()->set_name("beta");
  function->add_node()->set_op_type("Neg");
  function->add_opset_import()->set_version(20);
  function->add_value_info()->set_name("v");
}

void addTraining(onnx::ModelProto &model) {
  auto *training = model.add_training_info();
  training->mutable_initialization()->set_name("init");
  training->mutable_algorithm()->set_name("step");
  auto *binding = training->add_initialization_binding();
  binding->set_key("w");
  binding->set_value("w0");
  binding = training->add_update_binding();
  binding->set_key("u");
  binding->set_value("u1");
}

/// A model with something of everything that the index looks at.
onnx::ModelProto everything() {
  onnx::ModelProto model;
  model.set_ir_version(10);
  model.set_producer_name("test");
  model.set_producer_version("1.0");
  model.set_domain("some.domain");
  model.set_model_version(7);
  auto *opset = model.add_opset_import();
  opset->set_domain("");
  opset->set_version(21);
  opset = model.add_opset_import();
  opset->set_domain("custom");
  opset->set_version(1);
  auto *property = model.add_metadata_props();
  property->set_key("key");
  property->set_value("value");
  fillGraph(*model.mutable_graph());
  addFunction(model);
  addTraining(model);
  return model;
}

TEST_F(ModelIndexTest, FindsEverything) {
  std::string bytes = everything().SerializeAsString();
  std::unique_ptr<ModelIndex> model = index(bytes);
  EXPECT_EQ(model->irVersion, 10);
  EXPECT_EQ(model->modelVersion, 7);
  EXPECT_EQ(model->producerName, "test");
  EXPECT_EQ(model->domain, "some.domain");
  ASSERT_EQ(model->opsetImports.size(), 2u);
  EXPECT_EQ(model->opsetImports[1].domain, "custom");
  EXPECT_EQ(model->opsetImports[0].version, 21);
  ASSERT_EQ(model->metadata.size(), 1u);
  ByteRange value = model->metadata[0].value;
  EXPECT_EQ(bytes.substr(value.begin, value.size()), "value");

  const GraphIndex &graph = model->mainGraph();
  EXPECT_EQ(graph.name, "main");
  EXPECT_EQ(graph.inputs[0].name, "x");
  EXPECT_EQ(graph.outputs[0].name, "y");
  EXPECT_EQ(graph.valueInfos.size(), 1u);
  EXPECT_EQ(graph.initializers[0].name, "w");
  EXPECT_EQ(graph.initializers[0].problem, nullptr);
  EXPECT_EQ(graph.sparseInitializers[0].values.name, "s");
  EXPECT_EQ(graph.sparseInitializers[0].indices.dataType, 7);
  EXPECT_EQ(graph.sparseInitializers[0].dims[0], 8);
  EXPECT_EQ(graph.annotations[0].tensorName, "x");
  EXPECT_EQ(graph.annotations[0].parameters[0].value, "w");
  EXPECT_EQ(graph.nodes.size(), 2u);

  // Graphs, in the order of the file: main, two branches, two of training.
  ASSERT_EQ(model->graphs.size(), 5u);
  const GraphIndex &branch = model->graphs[2];
  EXPECT_EQ(branch.name, "else_branch");
  EXPECT_EQ(branch.parentGraph, &graph);
  EXPECT_EQ(branch.owner, &graph.nodes[1]);

  ASSERT_EQ(model->functions.size(), 1u);
  const FunctionIndex &function = model->functions[0];
  EXPECT_EQ(
      (function.name + "|" + function.domain + "|" + function.overload).str(),
      "f|custom|o");
  EXPECT_EQ(function.inputs[0], "a");
  EXPECT_EQ(function.outputs[0], "b");
  EXPECT_EQ(function.attributes[0], "alpha");
  EXPECT_EQ(function.defaultAttributes.size(), 1u);
  EXPECT_EQ(function.nodes.size(), 1u);
  EXPECT_EQ(function.valueInfos.size(), 1u);
  EXPECT_EQ(function.opsetImports[0].version, 20);

  ASSERT_EQ(model->trainingInfos.size(), 1u);
  EXPECT_EQ(model->trainingInfos[0].initialization->name, "init");
  EXPECT_EQ(model->trainingInfos[0].algorithm->name, "step");
  EXPECT_TRUE(model->isTrainingState("w"));
  EXPECT_TRUE(model->isTrainingState("u"));
  EXPECT_FALSE(model->isTrainingState("w0"));
}

TEST_F(ModelIndexTest, ParentsLeadFromEveryMessageToTheRoot) {
  std::string bytes = everything().SerializeAsString();
  std::unique_ptr<ModelIndex> model = index(bytes);
  const GraphIndex &branch = model->graphs[2];
  // node -> graph -> attribute -> node -> graph -> model
  const MessageSpan *span = &branch.nodes[0];
  int steps = 0;
  for (; span->parent; span = span->parent, ++steps) {
    EXPECT_TRUE(span->parent->contents().contains(span->field()));
    EXPECT_EQ(span->tagSize, 1u);
  }
  EXPECT_EQ(steps, 5);
  EXPECT_EQ(span, &model->root());
}

TEST_F(ModelIndexTest, FieldsInAnyOrder) {
  std::string graph = bytesField(5, intField(2, 1) + fixed32Field(4, "abcd")) +
                      node("A") + bytesField(2, "late name") + node("B");
  std::unique_ptr<ModelIndex> model =
      index(intField(99, 1) + bytesField(7, graph) + groupField(98, "") +
            bytesField(8, intField(2, 13)) + intField(1, 4) + intField(1, 8));
  EXPECT_EQ(model->irVersion, 8) << "the last one wins";
  EXPECT_EQ(model->mainGraph().name, "late name");
  EXPECT_EQ(model->mainGraph().nodes.size(), 2u);
}

TEST_F(ModelIndexTest, GraphInSeveralMessagesIsMerged) {
  constexpr int isGraph = 5;
  std::string loop = bytesField(
      1, bytesField(5, bytesField(1, "body") + bytesField(6, node("C")) +
                           bytesField(6, bytesField(2, "b") + node("D")) +
                           intField(20, isGraph)));
  std::unique_ptr<ModelIndex> model =
      index(bytesField(7, node("A") + bytesField(2, "first")) + intField(1, 8) +
            bytesField(7, node("B") + bytesField(2, "second") + loop));
  const GraphIndex &graph = model->mainGraph();
  EXPECT_EQ(graph.parts.size(), 2u);
  EXPECT_EQ(graph.name, "second");
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[0].parent, graph.parts[0]);
  EXPECT_EQ(graph.nodes[1].parent, graph.parts[1]);
  ASSERT_EQ(model->graphs.size(), 2u);
  EXPECT_EQ(model->graphs[1].nodes.size(), 2u);

  WireReader reader(model->file());
  NodeFields fields;
  cantFail(readNode(reader, *model, graph.nodes[2], fields));
  ASSERT_EQ(fields.attributes.size(), 1u);
  EXPECT_EQ(fields.attributes[0].kind, AttributeKind::Graph);
  ASSERT_EQ(fields.attributes[0].graphs.size(), 1u);
  EXPECT_EQ(fields.attributes[0].graphs[0], &model->graphs[1]);
}

TEST_F(ModelIndexTest, Errors) {
  EXPECT_EQ(error(""), "model.onnx: has no graph, expected an ONNX model");
  EXPECT_EQ(error(intField(1, 8)),
            "model.onnx: has no graph, expected an ONNX model");
  // A node that is longer than its graph.
  std::string tooLong = varint(1 << 3 | 2) + varint(99) + "abc";
  EXPECT_EQ(error(bytesField(7, node("A") + tooLong)),
            "model.onnx: graph at byte 2: field 1 at byte 7 has a length of 99 "
            "bytes, which runs past the end of the graph at byte 12");
  EXPECT_EQ(error(bytesField(7, node("A") + bytesField(1, "\x22\x05"))),
            "model.onnx: graph.node[1] at byte 9: field 4 at byte 9 has a "
            "length of 5 "
            "bytes, which runs past the end of the node at byte 11");
}

TEST_F(ModelIndexTest, NestingHasALimit) {
  auto nested = [](int levels) {
    std::string graph = node("Leaf");
    for (int i = 1; i < levels; ++i)
      graph = node("If", attribute("then_branch", bytesField(6, graph)));
    return bytesField(7, graph);
  };
  // A graph in a graph is three messages deeper; the name is a field.
  EXPECT_EQ(index(nested(33))->graphs.size(), 33u);
  EXPECT_NE(error(nested(34)).find("is more than 100 messages deep"),
            std::string::npos);
  EXPECT_NE(error(nested(20000)).find("is more than 100 messages deep"),
            std::string::npos);
}

/// Reads all nodes of all graphs and functions; an error, or "".
std::string readAllNodes(const ModelIndex &model) {
  WireReader reader(model.file());
  NodeFields fields;
  for (const GraphIndex &graph : model.graphs)
    for (const MessageSpan &span : graph.nodes)
      if (llvm::Error error = readNode(reader, model, span, fields))
        return toString(std::move(error));
  for (const FunctionIndex &function : model.functions)
    for (const MessageSpan &span : function.nodes)
      if (llvm::Error error = readNode(reader, model, span, fields))
        return toString(std::move(error));
  return "";
}

TEST_F(ModelIndexTest, TruncatedAnywhereIsAnErrorOrAModel) {
  onnx::ModelProto proto = everything();
  proto.mutable_graph()->mutable_node(0)->add_attribute()->add_ints(300);
  std::string bytes = proto.SerializeAsString();
  EXPECT_EQ(readAllNodes(*index(bytes)), "");
  int models = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    auto model = ModelIndex::build(openBytes(bytes.substr(0, size)));
    bool valid =
        onnx::ModelProto().ParsePartialFromString(bytes.substr(0, size));
    if (!model) {
      std::string text = errorText(model.takeError(), folder);
      EXPECT_EQ(text.rfind("model.onnx: ", 0), 0u) << text;
      EXPECT_TRUE(!valid || text.find("has no graph") < text.size())
          << "protobuf reads " << size << " bytes: " << text;
      continue;
    }
    EXPECT_TRUE(valid) << size;
    ++models;
  }
  // Cut between the fields of the model, after its graph.
  EXPECT_GT(models, 2);
}

TEST_F(ModelIndexTest, DamagedBytesNeverCrash) {
  std::string bytes = everything().SerializeAsString();
  constexpr unsigned seed = 4711;
  std::mt19937 random(seed);
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = bytes;
    for (unsigned i = 0, count = 1 + random() % 3; i < count; ++i)
      damaged[random() % damaged.size()] = char(random());
    auto model = ModelIndex::build(openBytes(damaged));
    if (!model) {
      EXPECT_NE(errorText(model.takeError()), "");
      continue;
    }
    ++accepted;
    readAllNodes(**model);
  }
  EXPECT_GT(accepted, 0) << "seed " << seed;
}

TEST_F(ModelIndexTest, ModelOf5GigabytesIsIndexedInKilobytes) {
  constexpr uint64_t payload = 100 << 20, count = 50;
  auto headOf = [](uint64_t number) {
    std::string tensor =
        intField(1, payload / 4) + intField(2, 1) +
        bytesField(8, "weight" + std::to_string(100 + number)) +
        varint(9 << 3 | 2) + varint(payload);
    return varint(5 << 3 | 2) + varint(tensor.size() + payload) + tensor;
  };
  std::string start = intField(1, 8) + varint(7 << 3 | 2) +
                      varint(count * (headOf(0).size() + payload));
  std::string name = path("big.onnx");
  int fd = ::open(name.c_str(), O_CREAT | O_WRONLY, 0600);
  uint64_t at = ::pwrite(fd, start.data(), start.size(), 0);
  for (uint64_t i = 0; i < count; ++i) {
    std::string head = headOf(i);
    ASSERT_EQ(::pwrite(fd, head.data(), head.size(), at), ssize_t(head.size()));
    at += head.size() + payload;
  }
  ASSERT_EQ(::ftruncate(fd, at), 0);
  ::close(fd);
  InputFileRef file = cantFail(InputFile::open(name));
  auto model = cantFail(ModelIndex::build(file));
  ASSERT_EQ(model->mainGraph().initializers.size(), count);
  EXPECT_EQ(model->mainGraph().initializers.back().problem, nullptr);
  // The check of the wire walks over the same tags before the index does.
  EXPECT_LE(file->bytesRead(), 2 * (count * 4096 + 16384));
}

TEST_F(ModelIndexTest, MillionNodesInLinearTimeAndLittleMemory) {
  std::string one = node("Relu", bytesField(1, "some_input_name") +
                                     bytesField(2, "some_output_name") +
                                     attribute("axis", intField(3, 1)));
  std::string graph;
  for (int i = 0; i < 1000000; ++i)
    graph += one;
  InputFileRef file = openBytes(bytesField(7, graph));
  uint64_t size = file->size();
  graph = std::string();
  auto residentKilobytes = [] {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
      if (word == "VmRSS:") {
        uint64_t value;
        status >> value;
        return value;
      }
    return uint64_t(0);
  };
  ::malloc_trim(0); // memory freed by other tests must not hide the growth
  uint64_t before = residentKilobytes();
  std::clock_t start = std::clock(); // processor time: tests run in parallel
  auto model = cantFail(ModelIndex::build(file));
  double indexed = double(std::clock() - start) / CLOCKS_PER_SEC;
  uint64_t grown = residentKilobytes() - before;
  EXPECT_EQ(readAllNodes(*model), "");
  double total = double(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("index_ms", int(indexed * 1000));
  RecordProperty("total_ms", int(total * 1000));
  RecordProperty("kilobytes", int(grown));
  std::printf("[ measured ] 10^6 nodes, %.0f MB: index %.0f ms and %.0f MB, "
              "reading all nodes %.0f ms\n",
              size / 1e6, indexed * 1e3, grown / 1e3, (total - indexed) * 1e3);
  EXPECT_EQ(model->mainGraph().nodes.size(), 1000000u);
  EXPECT_LE(grown, 48u * 1024);
  EXPECT_LE(total, 30) << "quadratic";
}

} // namespace
