//===- EditScriptTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/wire/EditScript.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/OutputFile.h"
#include "onnxfold/onnx/io/read/ModelIndex.h"
#include "onnxfold/onnx/io/read/NodeReader.h"
#include "onnxfold/onnx/io/wire/FieldEncoding.h"

#include "TestFiles.h"

#include "onnx/onnx_pb.h"
#include "llvm/Support/ThreadPool.h"
#include <fcntl.h>
#include <random>
#include <unistd.h>

using namespace onnxfold;

namespace {

class EditScriptTest : public FileTest {
protected:
  std::unique_ptr<ModelIndex> index(const std::string &bytes) {
    return cantFail(ModelIndex::build(openBytes(bytes)));
  }
  /// The output of a script, whose size must be as the layout says.
  std::string apply(const EditScript &script,
                    llvm::ThreadPoolInterface *pool = nullptr) {
    std::filesystem::remove(path("out")); // replacing one would sync
    auto output = cantFail(OutputFile::create(path("out"), {}));
    OutputLayout layout = script.layout();
    std::string error = errorText(script.write(*output, layout, pool));
    if (!error.empty())
      return error;
    cantFail(output->commit());
    std::string bytes = read("out");
    EXPECT_EQ(bytes.size(), layout.size);
    return bytes;
  }
};

Content text(const std::string &bytes) { return Content::literal(bytes); }

/// A model of nested graphs: If in If, a name of `nameSize` in the innermost.
onnx::ModelProto nestedModel(size_t nameSize) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  onnx::GraphProto *graph = model.mutable_graph();
  for (int level = 0; level < 3; ++level) {
    graph->set_name("level");
    graph->add_node()->set_op_type("Before");
    auto *attribute = graph->add_node()->add_attribute();
    graph->add_node()->set_op_type("After");
    attribute->set_name("body");
    attribute->set_type(onnx::AttributeProto::GRAPH);
    graph = attribute->mutable_g();
  }
  graph->add_node()->add_input(std::string(nameSize, 'n'));
  model.set_producer_name("after the graph");
  return model;
}

onnx::NodeProto *innermostNode(onnx::ModelProto &model) {
  onnx::GraphProto *graph = model.mutable_graph();
  for (int level = 0; level < 3; ++level)
    graph = graph->mutable_node(1)->mutable_attribute(0)->mutable_g();
  return graph->mutable_node(0);
}

TEST_F(EditScriptTest, EmptyScriptGivesTheSameBytes) {
  std::string odd = varint(1 << 3, 3) + varint(8, 9) +
                    groupField(90, intField(1, 1)) + varint(7 << 3 | 2) +
                    varint(4, 6) + bytesField(2, "ab") +
                    fixed64Field(91, "12345678");
  for (const std::string &bytes :
       {odd, nestedModel(10).SerializeAsString(), std::string()}) {
    EditScript script(openBytes(bytes));
    EXPECT_TRUE(script.empty());
    EXPECT_EQ(apply(script), bytes);
  }
}

/// Lengths cross the sizes where their varints grow, at every level: the result
/// must be what protobuf itself writes for the edited message.
TEST_F(EditScriptTest, LengthsGrowAndShrinkWithNestedEdits) {
  std::vector<size_t> sizes{0, 1, 50};
  for (size_t border : {128, 16384, 2097152})
    for (size_t size = border - 140; size < border + 4; size += 7)
      sizes.push_back(size);
  for (size_t from : {size_t(0), size_t(60), size_t(16380)}) {
    onnx::ModelProto proto = nestedModel(from);
    std::unique_ptr<ModelIndex> model = index(proto.SerializeAsString());
    const MessageSpan &node = model->graphs.back().nodes[0];
    for (size_t to : sizes) {
      std::string name(to, 'm');
      EditScript script(model->file());
      script.replace(node, node.contents(), text(bytesField(1, name)));
      innermostNode(proto)->set_input(0, name);
      ASSERT_EQ(apply(script), proto.SerializeAsString())
          << from << " to " << to;
    }
  }
}

/// A node of the innermost graph is moved into the outermost one, with the
/// edits in it, while the nodes around it are erased.
TEST_F(EditScriptTest, MovedMessagesKeepTheirBytesAndTheirEdits) {
  for (size_t size : {size_t(5), size_t(120), size_t(20000)}) {
    onnx::ModelProto proto = nestedModel(size);
    innermostNode(proto)->set_doc_string("said of it");
    std::unique_ptr<ModelIndex> model = index(proto.SerializeAsString());
    const GraphIndex &outer = model->mainGraph();
    const MessageSpan &node = model->graphs.back().nodes[0];
    EditScript script(model->file());
    script.erase(outer.nodes[1]);
    script.append(node, text(bytesField(2, "given")));
    script.move(node, outer.nodes[2], EditScript::Side::Before, 1);
    EXPECT_FALSE(script.isErased(node));
    EXPECT_TRUE(script.isErased(*node.parent));
    onnx::NodeProto moved = *innermostNode(proto);
    moved.add_output("given");
    *proto.mutable_graph()->mutable_node(1) = moved;
    onnx::ModelProto result;
    ASSERT_TRUE(result.ParseFromString(apply(script)));
    EXPECT_EQ(result.SerializeAsString(), proto.SerializeAsString()) << size;
  }
}

TEST_F(EditScriptTest, MovedBehindAMessageAsAnotherField) {
  onnx::ModelProto proto = nestedModel(5);
  std::unique_ptr<ModelIndex> model = index(proto.SerializeAsString());
  const GraphIndex &outer = model->mainGraph();
  EditScript script(model->file());
  script.move(outer.nodes[0], outer.nodes[2], EditScript::Side::After, 15);
  onnx::ModelProto result;
  ASSERT_TRUE(result.ParseFromString(apply(script)));
  ASSERT_EQ(result.graph().node_size(), 2);
  EXPECT_EQ(result.graph().node(1).op_type(), "After");
}

TEST_F(EditScriptTest, UntouchedMessagesKeepOddLengths) {
  // Both nodes have overlong lengths; only the graph's own changes.
  std::string odd = varint(1 << 3 | 2, 2) + varint(3, 4) + bytesField(4, "A");
  std::string same = varint(1 << 3 | 2) + varint(3, 3) + bytesField(4, "B");
  std::unique_ptr<ModelIndex> model = index(
      varint(7 << 3 | 2, 3) + varint(odd.size() + same.size(), 5) + odd + same);
  const GraphIndex &graph = model->mainGraph();
  EditScript script(model->file());
  // A change that keeps the size keeps the odd length as well.
  script.replace(graph.nodes[1], graph.nodes[1].contents(),
                 text(bytesField(4, "C")));
  script.append(*graph.parts[0], text(bytesField(2, "g")));
  std::string changed = varint(1 << 3 | 2) + varint(3, 3) + bytesField(4, "C");
  std::string contents = odd + changed + bytesField(2, "g");
  EXPECT_EQ(apply(script),
            varint(7 << 3 | 2, 3) + varint(contents.size()) + contents);
}

TEST_F(EditScriptTest, OrderAtOnePlace) {
  std::string a = bytesField(1, bytesField(4, "A"));
  std::string b = bytesField(1, bytesField(4, "B"));
  std::unique_ptr<ModelIndex> model = index(bytesField(7, a + b));
  const GraphIndex &graph = model->mainGraph();
  const MessageSpan &nodeA = graph.nodes[0], &nodeB = graph.nodes[1];
  std::string u = intField(50, 1), v = intField(50, 2), w = intField(50, 3),
              x = intField(50, 4), y = intField(50, 5);
  EditScript script(model->file());
  script.append(nodeA, text(v));       // inside A
  script.insertAfter(nodeA, text(w));  // between A and B
  script.insertBefore(nodeB, text(x)); // the same place, later
  script.insertBefore(nodeA, text(u));
  script.append(*graph.parts[0], text(y));
  script.append(model->root(), text(u));
  EXPECT_EQ(
      apply(script),
      bytesField(7, u + bytesField(1, bytesField(4, "A") + v) + w + x + b + y) +
          u);
}

TEST_F(EditScriptTest, ErasedMessagesTakeTheirEditsAlong) {
  std::string a = bytesField(1, bytesField(4, "A"));
  std::string b = bytesField(1, bytesField(4, "B"));
  std::string c = bytesField(1, bytesField(4, "C"));
  std::unique_ptr<ModelIndex> model = index(bytesField(7, a + b + c));
  const GraphIndex &graph = model->mainGraph();
  std::string x = intField(50, 1), y = intField(50, 2), z = intField(50, 3);
  EditScript script(model->file());
  script.append(graph.nodes[1], text(x));
  script.insertAfter(graph.nodes[1], text(y));
  script.erase(graph.nodes[1]);
  script.erase(graph.nodes[1]); // twice is once
  script.insertBefore(graph.nodes[1], text(z));
  EXPECT_EQ(apply(script), bytesField(7, a + z + y + c));

  // A larger erased range: what was inserted within it is erased too.
  EditScript larger(model->file());
  larger.insertBefore(graph.nodes[1], text(x));
  larger.insertBefore(graph.nodes[0], text(y));
  larger.insertAfter(graph.nodes[1], text(z));
  larger.erase(*graph.parts[0], {graph.nodes[0].begin, graph.nodes[1].end});
  larger.erase(graph.nodes[1]);
  EXPECT_EQ(apply(larger), bytesField(7, y + z + c));

  EditScript all(model->file());
  all.erase(*graph.parts[0], graph.parts[0]->contents());
  EXPECT_EQ(apply(all), bytesField(7, ""));
}

TEST_F(EditScriptTest, ReplacesOneInputOfANode) {
  onnx::ModelProto proto;
  auto *node = proto.mutable_graph()->add_node();
  for (const char *name : {"a", "b", "c"})
    node->add_input(name);
  node->set_op_type("Op");
  std::unique_ptr<ModelIndex> model = index(proto.SerializeAsString());
  WireReader reader(model->file());
  NodeFields fields;
  const MessageSpan &span = model->mainGraph().nodes[0];
  cantFail(readNode(reader, *model, span, fields));
  EditScript script(model->file());
  script.replace(span, fields.inputs[1].field,
                 text(encodeTextField(1, "another name")));
  node->set_input(1, "another name");
  EXPECT_EQ(apply(script), proto.SerializeAsString());
}

TEST_F(EditScriptTest, CopiesFromOtherFiles) {
  std::unique_ptr<ModelIndex> model = index(bytesField(7, ""));
  std::string data(200000, 'd');
  data += "tail";
  InputFileRef other = openBytes(data, "data");
  EditScript script(model->file());
  script.append(*model->mainGraph().parts[0],
                text(varint(77 << 3 | 2) + varint(100004)));
  script.append(*model->mainGraph().parts[0],
                Content::copy(other, {100000, 200004}));
  EXPECT_EQ(apply(script), bytesField(7, bytesField(77, data.substr(100000))));
}

/// A payload whose bytes depend on their place, written backwards in pieces.
Payload patternPayload(uint64_t size) {
  return {size, [size](PayloadSink &sink) -> llvm::Error {
            constexpr uint64_t step = 1000;
            for (uint64_t end = size; end > 0;) {
              uint64_t begin = end > step ? end - step : 0;
              std::string piece;
              for (uint64_t i = begin; i < end; ++i)
                piece += char(i * 31 + i / 256);
              if (llvm::Error error = sink.write(begin, piece))
                return error;
              end = begin;
            }
            return llvm::Error::success();
          }};
}
std::string patternBytes(uint64_t size) {
  std::string bytes;
  for (uint64_t i = 0; i < size; ++i)
    bytes += char(i * 31 + i / 256);
  return bytes;
}

/// A script with payloads among kept ranges, and what it must give.
std::string addPayloads(EditScript &script, const ModelIndex &model,
                        const std::string &node) {
  const MessageSpan &graph = *model.mainGraph().parts[0];
  std::string expected = node;
  for (uint64_t size : {0, 1, 70000, 300000, 6000000}) {
    std::string head = varint(88 << 3 | 2) + varint(size);
    script.append(graph, Content::literal(head));
    script.append(graph, Content::payload(patternPayload(size)));
    expected += head + patternBytes(size);
  }
  return bytesField(7, expected);
}

TEST_F(EditScriptTest, PayloadsWithAndWithoutThreads) {
  std::string node = bytesField(1, bytesField(6, std::string(100000, 'k')));
  std::unique_ptr<ModelIndex> model = index(bytesField(7, node));
  EditScript script(model->file());
  std::string expected = addPayloads(script, *model, node);
  EXPECT_TRUE(apply(script) == expected);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
  EXPECT_TRUE(apply(script, &pool) == expected);
}

TEST_F(EditScriptTest, PayloadsOnAStream) {
  std::string node = bytesField(1, bytesField(6, std::string(100000, 'k')));
  std::unique_ptr<ModelIndex> model = index(bytesField(7, node));
  EditScript script(model->file());
  std::string expected = addPayloads(script, *model, node);
  int fd = ::open(path("out").c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  int saved = ::dup(STDOUT_FILENO);
  std::fflush(stdout);
  ::dup2(fd, STDOUT_FILENO);
  ::close(fd);
  std::string error;
  {
    auto output = cantFail(OutputFile::create("-", {}));
    EXPECT_TRUE(output->isStream());
    error = errorText(script.write(*output));
    cantFail(output->commit());
  }
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  EXPECT_EQ(error, "");
  EXPECT_TRUE(read("out") == expected);
}

TEST_F(EditScriptTest, FailingPayloadLeavesNoOutput) {
  std::unique_ptr<ModelIndex> model = index(bytesField(7, ""));
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(2));
  auto attempt = [&](Payload payload, llvm::ThreadPoolInterface *threads) {
    EditScript script(model->file());
    script.append(model->root(), Content::payload(patternPayload(100)));
    script.append(model->root(), Content::payload(std::move(payload)));
    auto output = cantFail(OutputFile::create(path("out"), {}));
    return errorText(script.write(*output, threads), folder);
  };
  for (llvm::ThreadPoolInterface *threads :
       {(llvm::ThreadPoolInterface *)nullptr,
        (llvm::ThreadPoolInterface *)&pool}) {
    EXPECT_EQ(attempt({5,
                       [](PayloadSink &) {
                         return llvm::Error(ModelFault("no values"));
                       }},
                      threads),
              "no values");
    EXPECT_EQ(attempt({5, [](PayloadSink &s) { return s.write(0, "abcd"); }},
                      threads),
              "out: internal error: a payload of 5 bytes wrote 4");
    EXPECT_EQ(
        attempt({5, [](PayloadSink &s) { return s.write(4, "ab"); }}, threads),
        "out: internal error: a payload of 5 bytes wrote beyond its end");
  }
  EXPECT_EQ(fileCount(), 1u) << "the model alone";
}

TEST_F(EditScriptTest, InputThatChangesIsAnError) {
  std::unique_ptr<ModelIndex> model = index(bytesField(7, ""));
  EditScript script(model->file());
  script.append(model->root(), text(intField(1, 1)));
  std::filesystem::resize_file(path("model.onnx"), 1);
  auto output = cantFail(OutputFile::create(path("out"), {}));
  EXPECT_EQ(errorText(script.write(*output), folder),
            "model.onnx: changed while it was read: has 1 bytes, expected at "
            "least 2");
}

/// Random scripts on a random model, against the same edits made on a tree of
/// strings.
TEST_F(EditScriptTest, RandomScriptsAgreeWithASimpleModel) {
  constexpr unsigned seed = 20240;
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> nodes;
    std::string graph;
    for (int i = 0; i < 20; ++i) {
      nodes.push_back(std::string(random() % 40, char('a' + i)));
      graph += bytesField(1, bytesField(4, nodes.back()));
    }
    std::unique_ptr<ModelIndex> model = index(bytesField(7, graph));
    EditScript script(model->file());
    std::string expected;
    for (int i = 0; i < 20; ++i) {
      const MessageSpan &span = model->mainGraph().nodes[i];
      std::string before = intField(60, random() % 1000);
      std::string inside = bytesField(61, std::string(random() % 200, 'i'));
      unsigned what = random() % 5;
      if (what == 1 || what == 2) {
        script.insertBefore(span, text(before));
        expected += before;
      }
      if (what == 2 || what == 3)
        script.append(span, text(inside));
      else
        inside.clear();
      if (what == 4 || what == 3)
        script.erase(span);
      else
        expected += bytesField(1, bytesField(4, nodes[i]) + inside);
    }
    ASSERT_EQ(apply(script), bytesField(7, expected))
        << "seed " << seed << " round " << round;
  }
}

TEST_F(EditScriptTest, KnowsWhatIsErased) {
  std::string inner = bytesField(1, bytesField(5, bytesField(6, "")));
  std::unique_ptr<ModelIndex> model =
      index(bytesField(7, bytesField(1, inner) + bytesField(1, inner)));
  const GraphIndex &graph = model->mainGraph();
  EditScript script(model->file());
  script.erase(graph.nodes[0]);
  EXPECT_TRUE(script.isErased(graph.nodes[0]));
  EXPECT_FALSE(script.isErased(graph.nodes[1]));
  EXPECT_FALSE(script.isErased(*graph.parts.back()));
  MessageSpan nested{graph.nodes[0].body, 1, graph.nodes[0].body + 2,
                     graph.nodes[0].end, &graph.nodes[0]};
  EXPECT_TRUE(script.isErased(nested));
  // A range of a message is not the message.
  script.erase(graph.nodes[1], graph.nodes[1].contents());
  EXPECT_FALSE(script.isErased(graph.nodes[1]));
}

TEST_F(EditScriptTest, NewFile) {
  EditScript script;
  EXPECT_TRUE(script.empty());
  script.append(script.root(), text("head"));
  script.append(script.root(), Content::gap(3));
  script.append(script.root(), text("tail"));
  EXPECT_EQ(apply(script), std::string("head\0\0\0tail", 11));
}

} // namespace
