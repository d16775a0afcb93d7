//===- ExportFilesTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A whole export, model and data files, with every system call failing in turn
// and the process killed at every one. Inputs never change; the output is what
// OutputSet.h allows, and the next run puts everything right.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/io/write/Export.h"

#include "FaultyCalls.h"
#include "TestFiles.h"

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "onnx/onnx_pb.h"
#include "llvm/Support/xxhash.h"

#include <map>
#include <sys/wait.h>

using namespace onnxfold;

namespace {

/// name -> a summary of the content, of all files below a folder.
using Files = std::map<std::string, std::string>;

class ExportFilesTest : public FileTest {
protected:
  static constexpr size_t count = 600; // floats, more than 1024 bytes

  ExportFilesTest() { std::filesystem::create_directories(path("in/sub")); }

  std::string floats(char fill) { return std::string(count * 4, fill); }

  static void addEntry(onnx::TensorProto *tensor, const char *key,
                       const std::string &value) {
    onnx::StringStringEntryProto *entry = tensor->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }

  /// y = x + a + b + c: `a` inline, `b` and `c` in two data files.
  void writeInput() {
    onnx::ModelProto model;
    model.set_ir_version(10);
    model.add_opset_import()->set_version(21);
    onnx::GraphProto *graph = model.mutable_graph();
    graph->set_name("g");
    for (auto *value : {graph->add_input(), graph->add_output()}) {
      auto *type = value->mutable_type()->mutable_tensor_type();
      type->set_elem_type(onnx::TensorProto::FLOAT);
      type->mutable_shape()->add_dim()->set_dim_value(count);
    }
    graph->mutable_input(0)->set_name("x");
    std::string last = "x";
    for (std::string name : {"a", "b", "c"}) {
      onnx::NodeProto *node = graph->add_node();
      node->set_op_type("Add");
      node->add_input(last);
      node->add_input(name);
      last = "after_" + name;
      node->add_output(last);
      onnx::TensorProto *tensor = graph->add_initializer();
      tensor->set_name(name);
      tensor->set_data_type(onnx::TensorProto::FLOAT);
      tensor->add_dims(count);
      if (name == "a") {
        tensor->set_raw_data(floats('a'));
        continue;
      }
      tensor->set_data_location(onnx::TensorProto::EXTERNAL);
      addEntry(tensor, "location", name == "b" ? "b.bin" : "sub/c.bin");
    }
    graph->mutable_output(0)->set_name(last);
    write("in/m.onnx", model.SerializeAsString());
    write("in/b.bin", floats('b'));
    write("in/sub/c.bin", floats('c'));
  }

  /// Writes `out/m.onnx`; the error's text, or "".
  std::string exportModel(DataPlacement placement) {
    try {
      return tryExport(placement);
    } catch (const UnreadableFile &unreadable) {
      return unreadable.what();
    }
  }
  std::string tryExport(DataPlacement placement) {
    llvm::Expected<InputFileRef> file = InputFile::open(path("in/m.onnx"));
    if (!file)
      return errorText(file.takeError());
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<ElementsDialect>();
    llvm::Expected<ImportedModel> model = importModel(*file, context);
    if (!model)
      return errorText(model.takeError());
    ExportOptions options;
    options.metadata = {{"note", "changed"}};
    options.placement = placement;
    options.dataFile = "m.data";
    options.sync = sync;
    auto exporter = ModelExporter::create(*model, options);
    if (!exporter)
      return errorText(exporter.takeError());
    if (!readsBack)
      return errorText(exporter->write(path("out/m.onnx"), nullptr), folder);
    auto written = exporter->writeUnnamed(path("out/m.onnx"), nullptr);
    if (!written)
      return errorText(written.takeError(), folder);
    llvm::Expected<ImportedModel> found = written->read(context);
    if (!found)
      return errorText(found.takeError(), folder);
    EXPECT_EQ(firstBytes(*found), "abc");
    return errorText(written->commit(), folder);
  }

  /// One byte of each constant.
  static std::string firstBytes(const ImportedModel &model) {
    std::string bytes;
    model.module.get().walk([&](OnnxConstantOp constant) {
      Elements value = fromAttribute(constant.getValue());
      EXPECT_EQ(value.size(), int64_t(count));
      float first = value.values<float>().front();
      bytes += *reinterpret_cast<const char *>(&first);
    });
    return bytes;
  }

  Files filesIn(const std::string &name) {
    Files files;
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(path(name)))
      files[std::filesystem::relative(entry.path(), path(name)).string()] =
          entry.is_directory() ? "folder"
                               : summary(read(relativeName(entry.path())));
    return files;
  }
  static std::string summary(const std::string &content) {
    return std::to_string(content.size()) + " bytes, hash " +
           std::to_string(llvm::xxh3_64bits(content));
  }
  std::string relativeName(const std::filesystem::path &file) {
    return std::filesystem::relative(file, folder).string();
  }

  /// The folder of the output at the start of a round: empty, or an old pair.
  Files start(bool replaces) {
    std::filesystem::remove_all(path("out"));
    std::filesystem::create_directory(path("out"));
    if (replaces) {
      write("out/m.onnx", "old model");
      write("out/m.data", "old data");
    }
    return filesIn("out");
  }

  /// Whether the model is read before its files get their names.
  bool readsBack = false;
  bool sync = false;

  void everyCallFails(DataPlacement placement, bool replaces);
  void killedAtEveryCall(DataPlacement placement, bool replaces);
};

void ExportFilesTest::everyCallFails(DataPlacement placement, bool replaces) {
  writeInput();
  Files input = filesIn("in");
  start(replaces);
  ASSERT_EQ(exportModel(placement), "");
  Files done = filesIn("out");
  int rounds = 0, errors = 0;
  for (bool more = true; more; ++rounds) {
    ASSERT_LT(rounds, 300);
    Files before = start(replaces);
    std::string error;
    {
      FaultyCalls faulty(rounds, EIO);
      error = exportModel(placement);
      more = faulty.happened();
    }
    SCOPED_TRACE("call " + std::to_string(rounds) + ": " + error);
    errors += !error.empty();
    if (error.empty() || error.find("cannot be synced") != std::string::npos) {
      // Only a deletion may have failed.
      for (const auto &[name, content] : done)
        EXPECT_EQ(filesIn("out")[name], content) << name;
    } else {
      EXPECT_EQ(filesIn("out"), before);
    }
    EXPECT_EQ(filesIn("in"), input);
    EXPECT_EQ(exportModel(placement), "");
    EXPECT_EQ(filesIn("out"), done);
  }
  EXPECT_GT(errors, 5);
}

void ExportFilesTest::killedAtEveryCall(DataPlacement placement,
                                        bool replaces) {
  writeInput();
  Files input = filesIn("in");
  start(replaces);
  ASSERT_EQ(exportModel(placement), "");
  Files done = filesIn("out");
  int rounds = 0;
  for (bool more = true; more; ++rounds) {
    ASSERT_LT(rounds, 300);
    Files before = start(replaces);
    pid_t child = ::fork();
    if (child == 0) {
      FaultyCalls faulty(rounds, 0);
      ::_exit(exportModel(placement).empty() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    more = WEXITSTATUS(status) == FaultyCalls::killed;
    EXPECT_TRUE(more || WEXITSTATUS(status) == 0);
    Files after = filesIn("out");
    SCOPED_TRACE("killed at call " + std::to_string(rounds));
    // Never a model without all that belongs to it.
    if (after.count("m.onnx") && after["m.onnx"] == before["m.onnx"]) {
      EXPECT_EQ(after["m.data"], before["m.data"]);
    } else if (after.count("m.onnx")) {
      for (const auto &[name, content] : done)
        EXPECT_EQ(after[name], content) << name;
    }
    EXPECT_EQ(filesIn("in"), input);
    EXPECT_EQ(exportModel(placement), "");
    EXPECT_EQ(filesIn("out"), done) << "the next run cleans up";
  }
}

TEST_F(ExportFilesTest, OneNewDataFile) {
  everyCallFails(DataPlacement::External, false);
}
TEST_F(ExportFilesTest, ReplacedPair) {
  everyCallFails(DataPlacement::External, true);
}
TEST_F(ExportFilesTest, DataFilesInAnotherFolder) {
  everyCallFails(DataPlacement::Keep, false);
}
TEST_F(ExportFilesTest, SyncedDataFilesInNewFolders) {
  sync = true;
  everyCallFails(DataPlacement::Keep, false);
}
TEST_F(ExportFilesTest, InlineData) {
  everyCallFails(DataPlacement::Inline, true);
}
TEST_F(ExportFilesTest, ReadBackFromOneNewDataFile) {
  readsBack = true;
  everyCallFails(DataPlacement::External, false);
}
TEST_F(ExportFilesTest, ReadBackFromReplacedPair) {
  readsBack = true;
  everyCallFails(DataPlacement::External, true);
}
TEST_F(ExportFilesTest, ReadBackFromDataFilesInAnotherFolder) {
  readsBack = true;
  everyCallFails(DataPlacement::Keep, false);
}
TEST_F(ExportFilesTest, ReadBackFromInlineData) {
  readsBack = true;
  everyCallFails(DataPlacement::Inline, true);
}
// What was read belongs to the files, not to the names: the old pair is there
// until commit(), and the new one is never seen in part.
TEST_F(ExportFilesTest, NothingIsNamedBeforeCommit) {
  writeInput();
  Files before = start(/*replaces=*/true);
  {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<ElementsDialect>();
    ImportedModel model = cantFail(
        importModel(cantFail(InputFile::open(path("in/m.onnx"))), context));
    ExportOptions options;
    options.placement = DataPlacement::External;
    options.dataFile = "m.data";
    ModelExporter exporter = cantFail(ModelExporter::create(model, options));
    WrittenModel written =
        cantFail(exporter.writeUnnamed(path("out/m.onnx"), nullptr));
    EXPECT_EQ(filesIn("out"), before);
    ImportedModel found = cantFail(written.read(context));
    EXPECT_EQ(firstBytes(found), "abc");
    EXPECT_EQ(filesIn("out"), before);
  }
  EXPECT_EQ(filesIn("out"), before) << "what was not committed is gone";
}
TEST_F(ExportFilesTest, KilledWithOneNewDataFile) {
  killedAtEveryCall(DataPlacement::External, false);
}
TEST_F(ExportFilesTest, KilledWithReplacedPair) {
  killedAtEveryCall(DataPlacement::External, true);
}
TEST_F(ExportFilesTest, KilledWithDataFilesInAnotherFolder) {
  killedAtEveryCall(DataPlacement::Keep, false);
}

} // namespace
