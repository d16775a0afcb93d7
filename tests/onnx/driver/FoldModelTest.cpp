//===- FoldModelTest.cpp - Files and bytes, errors, reports ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "DriverTest.h"
#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;

namespace {

using FoldModel = DriverTest;

TEST_F(FoldModel, InMemoryEqualsOnDisk) {
  for (int level : {0, 1, 2})
    for (bool provenance : {false, true}) {
      FoldOptions options;
      options.level = level;
      options.provenance = provenance;
      std::string model = modelOf(5);
      FoldReport report;
      ASSERT_EQ(llvm::toString(foldModel(
                    ModelInput::file(write("in.onnx", model)),
                    ModelOutput::file(path("out.onnx")), options, report)),
                "");
      EXPECT_TRUE(report.isChanged);
      EXPECT_EQ(read("out.onnx"), folded(model, options));
      EXPECT_EQ(report.bytesAfter, read("out.onnx").size());
      EXPECT_EQ(read("in.onnx"), model);
    }
  EXPECT_EQ(entries(), (std::set<std::string>{"in.onnx", "out.onnx"}));
}

TEST_F(FoldModel, MixesFilesAndBytes) {
  std::string model = modelOf(3), result;
  FoldReport first, second;
  ASSERT_EQ(
      llvm::toString(foldModel(ModelInput::bytes(model),
                               ModelOutput::file(path("out.onnx")), {}, first)),
      "");
  ASSERT_EQ(llvm::toString(foldModel(ModelInput::file(write("in.onnx", model)),
                                     ModelOutput::bytes(result), {}, second)),
            "");
  EXPECT_EQ(read("out.onnx"), result);
}

/// The chain of w becomes the once model; the rest is one Add.
TEST_F(FoldModel, RunsOnceInMemoryAsOnDisk) {
  FoldOptions options;
  options.runOnce.names = {"w"};
  std::string model = modelOf(5), rest, once;
  FoldReport report, other;
  ASSERT_EQ(llvm::toString(foldModel(ModelInput::bytes(model),
                                     ModelOutput::bytes(rest, once), options,
                                     report)),
            "");
  ASSERT_TRUE(report.runOnce);
  EXPECT_EQ(report.runOnce->nodes, 5u);
  EXPECT_EQ(report.runOnce->results, std::vector<std::string>{"m4"});
  ASSERT_EQ(llvm::toString(foldModel(ModelInput::file(write("in.onnx", model)),
                                     ModelOutput::file(path("out.onnx")),
                                     options, other)),
            "");
  EXPECT_EQ(read("out.onnx"), rest);
  EXPECT_EQ(read("out.once.onnx"), once);
  EXPECT_EQ(other.runOnce->file, path("out.once.onnx"));
  EXPECT_EQ(entries(),
            (std::set<std::string>{"in.onnx", "out.onnx", "out.once.onnx"}));
}

TEST_F(FoldModel, FoldingAgainChangesNothing) {
  std::string once = folded(modelOf(5));
  FoldReport report;
  ASSERT_EQ(llvm::toString(foldModel(ModelInput::bytes(once),
                                     ModelOutput::none(), {}, report)),
            "");
  EXPECT_FALSE(report.isChanged);
  EXPECT_EQ(folded(once), once);
}

TEST_F(FoldModel, NoOutputOnlySaysWhetherItChanges) {
  write("in.onnx", modelOf(5));
  FoldReport report;
  ASSERT_EQ(llvm::toString(foldModel(ModelInput::file(path("in.onnx")),
                                     ModelOutput::none(), {}, report)),
            "");
  EXPECT_TRUE(report.isChanged);
  EXPECT_EQ(entries(), std::set<std::string>{"in.onnx"});
}

/// The report outlives the model: its names were those of a context that is
/// gone with the run (seen with AddressSanitizer).
TEST_F(FoldModel, TheReportHasEveryNode) {
  FoldOptions options;
  options.report = ReportFormat::Json;
  options.reportFile = path("report.json");
  FoldReport report;
  std::string result;
  ASSERT_EQ(
      llvm::toString(foldModel(ModelInput::bytes(modelOf(2)),
                               ModelOutput::bytes(result), options, report)),
      "");
  ASSERT_EQ(report.nodes.size(), 3u);
  const FoldReport::Node &last = report.nodes[1];
  EXPECT_EQ(last.name, "n_m1");
  EXPECT_EQ(last.graph, "main_graph");
  EXPECT_EQ(last.outputs.front(), "m1");
  EXPECT_EQ(last.sources.front(), "w");
  EXPECT_EQ(last.action, FoldAction::Folded);
  EXPECT_EQ(report.operators.at("Mul"), (std::pair<int64_t, int64_t>(1, 0)));
  std::string text;
  llvm::raw_string_ostream out(text);
  printReport(out, report, ReportFormat::Json);
  // Peak memory may be another one since the report was written.
  auto nodesOf = [](llvm::StringRef json) {
    return json.substr(json.find("\"nodes\"")).str();
  };
  EXPECT_EQ(nodesOf(text), nodesOf(read("report.json")));
}

TEST_F(FoldModel, CallbacksHearOfTheRun) {
  FoldCallbacks callbacks;
  std::vector<std::string> steps;
  uint64_t evaluated = 0, written = 0, all = 0;
  callbacks.step = [&] { ++evaluated; };
  callbacks.wrote = [&](uint64_t bytes, uint64_t total) {
    written += bytes;
    all = total;
  };
  callbacks.endedStep = [&](llvm::StringRef name) {
    steps.push_back(name.str());
  };
  FoldOptions options;
  options.threads = 1;
  options.verifyTrials = 1;
  bool isEqual = false;
  callbacks.verified = [&](const VerifyResult &found) {
    isEqual = found.isEqual();
  };
  std::string result;
  FoldReport report;
  ASSERT_EQ(llvm::toString(foldModel(ModelInput::bytes(modelOf(2)),
                                     ModelOutput::bytes(result), options,
                                     report, callbacks)),
            "");
  EXPECT_EQ(steps, (std::vector<std::string>{"read", "evaluate", "plan",
                                             "rewrite", "write", "verify"}));
  EXPECT_GE(evaluated, 3u);
  EXPECT_EQ(written, result.size());
  EXPECT_EQ(all, result.size());
  EXPECT_TRUE(isEqual);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// An error that the report's printer returns used to come after the output.
TEST_F(FoldModel, NothingIsReplacedIfTheReportCannotBePrinted) {
  std::string model = modelOf(3);
  std::string file = write("in.onnx", model);
  FoldOptions options;
  FoldCallbacks callbacks;
  callbacks.complete = [&] {
    EXPECT_FALSE(std::filesystem::exists(path("out.onnx")));
    return llvm::createStringError("no paper");
  };
  for (bool inPlace : {false, true}) {
    options.inPlace = inPlace;
    FoldReport report;
    llvm::Error error =
        foldModel(ModelInput::file(file),
                  ModelOutput::file(inPlace ? file : path("out.onnx")), options,
                  report, callbacks);
    EXPECT_EQ(llvm::toString(std::move(error)), "no paper");
    EXPECT_EQ(read("in.onnx"), model);
    EXPECT_EQ(entries(), std::set<std::string>{"in.onnx"});
  }
}

/// Access to a mapping of the file was SIGBUS, which ended the host program.
TEST_F(FoldModel, AnInputThatIsCutIsAnErrorThatNamesIt) {
  for (llvm::StringRef when : {"read", "evaluate", "plan", "rewrite"}) {
    std::string file = write("in.onnx", modelOf(4, 50'000));
    FoldCallbacks callbacks;
    callbacks.endedStep = [&](llvm::StringRef step) {
      if (step == when)
        std::filesystem::resize_file(file, 5000);
    };
    FoldReport report;
    std::string text = llvm::toString(
        foldModel(ModelInput::file(file), ModelOutput::file(path("out.onnx")),
                  {}, report, callbacks));
    EXPECT_NE(text.find(file + ": changed while it was read"),
              std::string::npos)
        << when.str() << ": " << text;
    EXPECT_EQ(entries(), std::set<std::string>{"in.onnx"});
  }
}

/// A model whose weight stands in w.bin, and the bytes of that.
std::pair<std::string, std::string> withDataFile(std::string bytes) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(bytes));
  onnx::TensorProto &weight = *model.mutable_graph()->mutable_initializer(0);
  std::string values = weight.raw_data();
  weight.clear_raw_data();
  weight.set_data_location(onnx::TensorProto::EXTERNAL);
  auto *location = weight.add_external_data();
  location->set_key("location");
  location->set_value("w.bin");
  return {model.SerializeAsString(), values};
}

/// Reads of a file that is cut meanwhile may give zeros, which the result held:
/// that all reads have succeeded says nothing. (Small values are read early.)
TEST_F(FoldModel, DataThatIsCutIsAnErrorThatNamesIt) {
  for (int64_t size : {8, 50'000})
    for (const char *convert : {"", "f32:f16"})
      for (llvm::StringRef when :
           {"read", "evaluate", "plan", "rewrite", "types"}) {
        if (when == "types" && !*convert)
          continue;
        auto [model, values] = withDataFile(modelOf(4, size));
        std::string file = write("in.onnx", model);
        std::string data = write("w.bin", values);
        FoldOptions options;
        if (*convert)
          options.convert = {convert};
        FoldCallbacks callbacks;
        callbacks.endedStep = [&](llvm::StringRef step) {
          if (step == when)
            std::filesystem::resize_file(data, 20);
        };
        FoldReport report;
        std::string text = llvm::toString(foldModel(
            ModelInput::file(file), ModelOutput::file(path("out.onnx")),
            options, report, callbacks));
        EXPECT_NE(text.find("w.bin"), std::string::npos)
            << size << convert << when.str() << ": " << text;
        EXPECT_EQ(entries(), (std::set<std::string>{"in.onnx", "w.bin"}));
      }
}

/// What a run fails with: "1 text".
std::string failure(const ModelInput &input, const ModelOutput &output,
                    const FoldOptions &options = {}) {
  FoldReport report;
  std::string text = "success";
  llvm::handleAllErrors(
      foldModel(input, output, options, report), [&](const FoldError &error) {
        text = std::to_string(int(error.code())) + " " + error.message();
      });
  return text;
}

TEST_F(FoldModel, ErrorsHaveTheCodesOfTheTool) {
  std::string result = "old";
  ModelOutput memory = ModelOutput::bytes(result);
  EXPECT_EQ(failure(ModelInput::file("/no/such.onnx"), memory),
            "1 /no/such.onnx: cannot be opened: no such file or directory");
  EXPECT_EQ(failure(ModelInput::bytes("no model"), memory).substr(0, 11),
            "1 <memory>:");
  std::string model = modelOf(1);
  std::string file = write("in.onnx", model);
  EXPECT_EQ(failure(ModelInput::file(file), ModelOutput::file(file)),
            "1 " + file +
                ": is one of the input files, which are never written, "
                "expected another output");
  EXPECT_EQ(failure(ModelInput::file(file),
                    ModelOutput::file(path("no/such/folder.onnx")))
                .substr(0, 2),
            "1 ");
  EXPECT_EQ(result, "old");
  EXPECT_EQ(entries(), std::set<std::string>{"in.onnx"});
}

/// Conv gives infinities, which BatchNormalization would scale down: in one Conv,
/// which is what level 2 makes of it, there are none.
std::string overflowingModel() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(15);
  onnx::GraphProto &graph = *model.mutable_graph();
  auto declare = [](onnx::ValueInfoProto &info, const char *name,
                    int channels) {
    info.set_name(name);
    auto &type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    for (int size : {1, channels, 4, 4})
      type.mutable_shape()->add_dim()->set_dim_value(size);
  };
  declare(*graph.add_input(), "x", 3);
  declare(*graph.add_output(), "y", 2);
  auto constant = [&](const char *name, std::vector<int64_t> shape, int count,
                      float value) {
    onnx::TensorProto &tensor = *graph.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    for (int64_t size : shape)
      tensor.add_dims(size);
    for (int i = 0; i < count; ++i)
      tensor.add_float_data(value);
  };
  constant("w", {2, 3, 1, 1}, 6, 3e38f);
  constant("b", {2}, 2, 0);
  constant("s", {2}, 2, 1e-37f);
  constant("z", {2}, 2, 0);
  constant("m", {2}, 2, 0);
  auto node = [&](const char *type, std::vector<const char *> inputs,
                  const char *output) {
    onnx::NodeProto &made = *graph.add_node();
    made.set_op_type(type);
    for (const char *input : inputs)
      made.add_input(input);
    made.add_output(output);
  };
  node("Conv", {"x", "w", "b"}, "c");
  node("BatchNormalization", {"c", "s", "z", "m", "s"}, "y");
  return model.SerializeAsString();
}

TEST_F(FoldModel, ADifferenceIsAnErrorWithAReport) {
  FoldOptions options;
  options.level = 2;
  options.verifyTrials = 1;
  std::string model = overflowingModel(), result = "old";
  write("out.onnx", "old");
  for (const ModelOutput &output :
       {ModelOutput::bytes(result), ModelOutput::file(path("out.onnx")),
        ModelOutput::none()}) {
    FoldReport report;
    llvm::Error error =
        foldModel(ModelInput::bytes(model), output, options, report);
    EXPECT_EQ(takeCode(std::move(error)), FoldErrorCode::Differs);
    ASSERT_TRUE(report.verification);
    EXPECT_FALSE(report.verification->isEqual());
  }
  EXPECT_EQ(result, "old");
  EXPECT_EQ(read("out.onnx"), "old");
  EXPECT_EQ(entries(), std::set<std::string>{"out.onnx"});
}

TEST_F(FoldModel, WrongOptionsAreErrors) {
  std::string model = modelOf(1), result;
  auto failureOf = [&](auto change) {
    FoldOptions options;
    change(options);
    return failure(ModelInput::bytes(model), ModelOutput::bytes(result),
                   options);
  };
  EXPECT_EQ(failureOf([](FoldOptions &options) { options.level = 3; }),
            "1 the level is -O3, expected -O0, -O1 or -O2");
  EXPECT_EQ(failureOf([](FoldOptions &options) {
              options.disabled.insert("nosuch");
            }),
            "1 'disable' is 'nosuch', expected a name of 'list-patterns'");
  EXPECT_EQ(failureOf([](FoldOptions &options) {
              options.only = {"["};
            }).substr(0, 13),
            "1 'only' is '");
  EXPECT_EQ(failureOf([](FoldOptions &options) { options.dataFile = "../d"; }),
            "1 'external-data' is '../d', expected a file relative to the "
            "output's folder and below it");
  EXPECT_EQ(result, "");
}

/// External data of a model in memory is looked for where the caller says.
TEST_F(FoldModel, BytesHaveNoFolder) {
  auto [bytes, values] = withDataFile(modelOf(1));
  std::string result;
  write("w.bin", values);
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  std::string without =
      failure(ModelInput::bytes(bytes), ModelOutput::bytes(result));
  std::filesystem::current_path(before);
  EXPECT_EQ(without.substr(0, 2), "1 ");
  EXPECT_EQ(
      failure(ModelInput::bytes(bytes, folder), ModelOutput::bytes(result)),
      "success");
  EXPECT_EQ(result, folded(modelOf(1)));
}

} // namespace
