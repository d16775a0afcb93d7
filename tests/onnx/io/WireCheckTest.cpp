//===- WireCheckTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
// A model that protobuf, and so every runtime, refused as damaged was folded:
// ranges that are copied unread were not checked.
#include "onnxfold/onnx/io/wire/WireCheck.h"

#include "TestFiles.h"

#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "onnx/onnx_pb.h"
#include <set>

using namespace onnxfold;
namespace pb = google::protobuf;

/// The error, or "".
static std::string check(const std::string &bytes) {
  InputFileRef file = cantFail(InputFile::ofBytes(bytes, "model.onnx"));
  WireReader reader(file);
  checkWire(reader, {0, file->size()});
  return errorText(reader.takeError());
}

static bool protobufReads(const std::string &bytes) {
  return onnx::ModelProto().ParseFromString(bytes);
}

static const unsigned char descriptorBytes[] = {
#include "onnxfold/onnx/io/OnnxDescriptor.inc"
};

namespace {

/// A path to every message and packed list of onnx.proto.
class Descriptors {
public:
  using Path = std::vector<const pb::FieldDescriptor *>;

  Descriptors() {
    pb::FileDescriptorSet files;
    files.ParseFromArray(descriptorBytes, sizeof(descriptorBytes));
    for (const pb::FileDescriptorProto &file : files.file())
      pool.BuildFile(file);
    visit(pool.FindMessageTypeByName("onnx.ModelProto"), {});
  }
  const std::vector<Path> &all() const { return paths; }

private:
  void visit(const pb::Descriptor *type, const Path &path) {
    if (!seen.insert(type).second)
      return;
    for (int i = 0; i < type->field_count(); ++i) {
      const pb::FieldDescriptor *field = type->field(i);
      bool isPacked = field->is_packable();
      if (!field->message_type() && !isPacked)
        continue;
      Path inner = path;
      inner.push_back(field);
      paths.push_back(inner);
      if (!isPacked)
        visit(field->message_type(), inner);
    }
  }

  pb::DescriptorPool pool;
  std::set<const pb::Descriptor *> seen;
  std::vector<Path> paths;
};

} // namespace

/// The contents, in the messages of the path.
static std::string nest(const Descriptors::Path &path, std::string contents) {
  for (auto field = path.rbegin(); field != path.rend(); ++field)
    contents = bytesField((*field)->number(), contents);
  return contents;
}

/// `graph.node[0].attribute[0]`, without the last field if it is no message.
static std::string pathText(const Descriptors::Path &path) {
  std::string text;
  for (const pb::FieldDescriptor *field : path)
    if (field->message_type())
      text += (text.empty() ? "" : ".") + field->name() +
              (field->is_repeated() ? "[0]" : "");
  return text;
}

TEST(WireCheckTest, KnowsAllMessagesAndLists) {
  const std::string badType = "\x0e", elevenBytes(11, '\xff'), cut = "\x80";
  const Descriptors descriptors;
  size_t count = 0;
  for (const Descriptors::Path &path : descriptors.all()) {
    const pb::FieldDescriptor &last = *path.back();
    for (const std::string &bad : {badType, elevenBytes, cut}) {
      std::string model = nest(path, bad);
      ASSERT_EQ(check(model).empty(), protobufReads(model)) << last.full_name();
      if (!check(model).empty()) {
        EXPECT_NE(check(model).find("model.onnx: " + pathText(path) + " at"),
                  std::string::npos)
            << check(model) << " says nothing of " << pathText(path);
      }
      ++count;
    }
    EXPECT_EQ(check(nest(path, "")), "") << last.full_name();
  }
  EXPECT_GT(count, 150u);
}

/// Bytes of a model, and whether protobuf reads them.
using WireCase = std::pair<std::string, bool>;

static void expectAsProtobuf(llvm::ArrayRef<WireCase> cases) {
  for (const auto &[bytes, reads] : cases) {
    EXPECT_EQ(protobufReads(bytes), reads) << testing::PrintToString(bytes);
    EXPECT_EQ(check(bytes).empty(), reads) << testing::PrintToString(bytes);
  }
}

static const std::string ones(9, '\xff');

TEST(WireCheckTest, TagsLengthsAndNumbers) {
  expectAsProtobuf({
      {"", true},
      {varint(2 << 3 | 2, 5) + "\1a", true}, // tags of five bytes, and six
      {varint(2 << 3 | 2, 6) + "\1a", false},
      {varint(999 << 3 | 2, 6) + "\1a", false},
      {"\x12" + varint(1, 5) + "a", true}, // lengths
      {"\x12" + varint(1, 6) + "a", false},
      {"\x28" + varint(1, 10), true}, // numbers
      {"\x28" + ones + "\x7f", true},
      {"\x28" + varint(1, 11), false},
      {std::string("\0\1", 2), false}, // field number 0
      {std::string("\2\0", 2), false},
      {"\x0e", false}, // wire types 6 and 7, and an end without a group
      {"\x0f", false},
      {"\x0c", false},
      {"\x12\2a", false},            // too long
      {"\x28", false},               // cut off
      {groupField(2, ""), true},     // a known number as a group
      {varint(999 << 3 | 3), false}, // a group without an end
      {groupField(999, std::string("\2\0", 2)), false},
      {bytesField(2, "\xff\xfe"), true}, // no text, which proto2 takes
  });
}

TEST(WireCheckTest, Nesting) {
  std::string groups100, groups101;
  for (int i = 0; i < 101; ++i) {
    groups100 = groups101;
    groups101 = groupField(9, groups101);
  }
  auto types = [](int depth) { // of sequences, in a value_info of the graph
    std::string type = bytesField(1, intField(1, 1));
    for (int i = 0; i < depth; ++i)
      type = bytesField(4, bytesField(1, type));
    return bytesField(7, bytesField(13, bytesField(2, type)));
  };
  auto bodies = [](int depth) {
    std::string graph;
    for (int i = 0; i < depth; ++i)
      graph = bytesField(1, bytesField(5, bytesField(6, graph)));
    return bytesField(7, graph);
  };
  expectAsProtobuf({
      {groups100, true},
      {groups101, false},
      {bytesField(7, groups100), false}, // one of the levels is the graph
      {types(48), true},
      {types(49), false},
      {bodies(33), true},
      {bodies(34), false},
  });
}

TEST(WireCheckTest, ListsOfNumbers) {
  auto tensor = [](const std::string &fields) {
    return bytesField(7, bytesField(5, fields));
  };
  expectAsProtobuf({
      {tensor(bytesField(7, "\x80")), false}, // lists of numbers
      {tensor(bytesField(7, ones + "\x02")), true},
      {tensor(bytesField(7, ones + "\xff\x02")), false},
      {tensor(bytesField(5, std::string(5000, '\1') + ones + "\1")), true},
      {tensor(bytesField(5, std::string(4093, '\1') + ones + "\x80\1")), false},
      {tensor(bytesField(5, std::string(8, '\1') + "\x80")), false},
      {tensor(bytesField(4, "12345678")), true},
      {tensor(bytesField(4, "12345")), false},
      {tensor(bytesField(10, "12345678")), true},
      {tensor(bytesField(10, "123456789")), false},
      {tensor(intField(4, 1)), true}, // other wire types: unknown fields
      {tensor(bytesField(2, "\x80")), true},
      {bytesField(2000, "\x80"), true},
  });
}

TEST(WireCheckTest, SaysWhere) {
  std::string good = bytesField(1, bytesField(4, "Abs"));
  std::string attribute = bytesField(5, bytesField(5, bytesField(7, "\x80")));
  EXPECT_EQ(check(bytesField(7, good + bytesField(1, attribute))),
            "model.onnx: graph.node[1].attribute[0].t at byte 15: the numbers "
            "in 'int64_data' at byte 15 end in the middle of one");
  EXPECT_EQ(check("\x12\x05"),
            "model.onnx: model at byte 0: field 2 at byte 0 has a length of 5 "
            "bytes, which runs past the end of the model at byte 2");
  EXPECT_EQ(check(bytesField(7, bytesField(13, bytesField(2, "\x0a\7")))),
            "model.onnx: graph.value_info[0].type at byte 6: field 1 at byte 6 "
            "has a length of 7 bytes, which runs past the end of the type at "
            "byte 8");
}

TEST(WireCheckTest, DoesNotReadPayloads) {
  std::string raw(4 << 20, 'x');
  std::string bytes;
  for (int i = 0; i < 4; ++i)
    bytes += bytesField(5, bytesField(9, raw));
  InputFileRef file =
      cantFail(InputFile::ofBytes(bytesField(7, bytes), "model.onnx"));
  uint64_t before = file->bytesRead();
  WireReader reader(file);
  checkWire(reader, {0, file->size()});
  EXPECT_EQ(errorText(reader.takeError()), "");
  EXPECT_LE(file->bytesRead() - before, 8u * 4096);
}

/// What the nodes hold of a graph with one node, and what they hold of a model
/// with a function of that node.
static void expectNodes(const std::string &node, bool graphs, bool texts) {
  for (const std::string &model :
       {bytesField(7, bytesField(1, node)), bytesField(25, bytesField(7, node)),
        bytesField(20, bytesField(1, bytesField(1, node)))}) {
    InputFileRef file = cantFail(InputFile::ofBytes(model, "model.onnx"));
    WireReader reader(file);
    NodeContents nodes = checkWire(reader, {0, file->size()});
    EXPECT_EQ(errorText(reader.takeError()), "");
    EXPECT_EQ(nodes.graphs, graphs);
    EXPECT_EQ(nodes.texts, texts);
  }
}

TEST(WireCheckTest, TellsWhatNodesHold) {
  expectNodes(bytesField(4, "Neg"), false, false);
  expectNodes(bytesField(5, bytesField(6, "")), true, false);
  expectNodes(bytesField(5, bytesField(11, "")), true, false);
  expectNodes(bytesField(6, "text"), false, true);
  expectNodes(bytesField(9, ""), false, true);
  // Those of a tensor, of an attribute and of the graph are no texts of nodes,
  // and a graph has another wire type.
  expectNodes(bytesField(5, bytesField(5, bytesField(12, "text"))), false,
              false);
  expectNodes(bytesField(5, bytesField(13, "text")), false, false);
  expectNodes(bytesField(5, intField(6, 1)), false, false);
  InputFileRef file = cantFail(
      InputFile::ofBytes(bytesField(7, bytesField(10, "text")), "model.onnx"));
  WireReader reader(file);
  EXPECT_FALSE(checkWire(reader, {0, file->size()}).texts);
  // A node of a graph in a node.
  std::string branch = bytesField(1, bytesField(6, "text"));
  expectNodes(bytesField(5, bytesField(6, branch)), true, true);
}
