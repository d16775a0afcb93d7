//===- ScriptPortsTest.cpp - What a script reads and writes ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/ScriptPorts.h"
#include "onnxfold/dml/syntax/Parser.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

struct ScriptPortsTest : testing::Test {
  OnnxGraph graph{"g", onnx::TensorProto::DOUBLE, 21};
  Refusals refusals;
  ScriptPorts ports{graph, refusals};
  std::vector<std::string> asked; ///< files

  /// x = read(...), of the arguments.
  DmlValue read(std::vector<DmlValue> file, double rows,
                StringRef target = "x") {
    static const Script script =
        llvm::cantFail(parseScript("x = read(\"x\")", "script"));
    CallArguments given{*script.main[0].value, std::move(file)};
    given.named["rows"] = DmlValue::known(rows, DmlValue::Int);
    return ports.read(given, target);
  }
  void hasFile(bool isThere) {
    ports.readFile =
        [=, this](StringRef file, int64_t rows,
                  int64_t columns) -> llvm::Expected<std::optional<DmlValue>> {
      asked.push_back(file.str());
      if (!isThere)
        return std::nullopt;
      return DmlValue::matrix("constants", rows, columns);
    };
  }
};

TEST_F(ScriptPortsTest, Parameters) {
  ports.parameters["n"] = "3";
  EXPECT_EQ(ports.parameter("n").number, 3);
  EXPECT_EQ(ports.parameter("other").parameter, "other");
  EXPECT_TRUE(ports.parameter("other").isOpenText);
}

/// ifdef() of a variable is not that of a parameter.
TEST_F(ScriptPortsTest, ParametersWithADefault) {
  ports.parameters["b"] = "5";
  static const Script script =
      llvm::cantFail(parseScript("x = $b\ny = $c\nz = ab\nw = b", "script"));
  DmlValue one = DmlValue::known(1, DmlValue::Int);
  double wanted[] = {5, 1, 1, 1};
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(ports.parameter(script.main[i].value, one).number, wanted[i]);
}

TEST_F(ScriptPortsTest, ReadIsAnInput) {
  ports.inputSizes["y"] = {7, 8};
  EXPECT_EQ(sizeText(read({}, 5)), "5 x ?");
  EXPECT_EQ(sizeText(read({}, 5, "y")), "7 x 8");
  EXPECT_EQ(ports.inputs, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(read({}, 5).isUnknown());
  EXPECT_EQ(refusals.all(),
            std::vector<std::string>{":1:5: 'x' is read twice"});
}

TEST_F(ScriptPortsTest, AFileThatIsThereIsAConstant) {
  hasFile(true);
  EXPECT_EQ(read({textValue("w.csv")}, 5).name, "constants");
  EXPECT_TRUE(ports.inputs.empty());
}

/// The default of $x is a name for the case that a file is given, so it is none
/// of a constant; a $x that is bound to no file is an error.
TEST_F(ScriptPortsTest, FilesOfParameters) {
  hasFile(false);
  EXPECT_EQ(read({ports.fileOf("w")}, 5).name, "x");
  EXPECT_TRUE(asked.empty());
  ports.parameters["w"] = "w.csv";
  EXPECT_TRUE(read({ports.fileOf("w")}, 5, "y").isUnknown());
  EXPECT_EQ(asked, std::vector<std::string>{"w.csv"});
  EXPECT_EQ(refusals.all(),
            std::vector<std::string>{":1:5: there is no file 'w.csv', which "
                                     "the parameter is bound to"});
}

TEST_F(ScriptPortsTest, SizesMustCount) {
  EXPECT_TRUE(read({}, HUGE_VAL).isUnknown());
  EXPECT_EQ(refusals.all(),
            std::vector<std::string>{":1:5: read(): rows is not a size"});
}

} // namespace
