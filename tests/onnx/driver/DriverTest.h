//===- DriverTest.h - Models for the tests of onnx/driver -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Small models as bytes, and a fixture with a folder of its own.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_ONNX_DRIVER_DRIVERTEST_H
#define ONNXFOLD_TESTS_ONNX_DRIVER_DRIVERTEST_H

#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnx/onnx_pb.h"
#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace onnxfold {

/// y = x + (w * w) * w ... with `factors` multiplications of `size` floats,
/// all of which fold.
inline std::string modelOf(int factors, int64_t size = 4, float value = 1.5f) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  onnx::GraphProto &graph = *model.mutable_graph();
  graph.set_name("g");
  auto declare = [&](onnx::ValueInfoProto &info, const char *name) {
    info.set_name(name);
    onnx::TypeProto::Tensor &type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    type.mutable_shape()->add_dim()->set_dim_value(size);
  };
  declare(*graph.add_input(), "x");
  declare(*graph.add_output(), "y");
  onnx::TensorProto &weight = *graph.add_initializer();
  weight.set_name("w");
  weight.set_data_type(onnx::TensorProto::FLOAT);
  weight.add_dims(size);
  std::string raw;
  for (int64_t i = 0; i < size; ++i) {
    float element = value + float(i % 7) / 8;
    raw.append(reinterpret_cast<const char *>(&element), sizeof element);
  }
  weight.set_raw_data(raw);
  auto node = [&](const char *type, std::string a, std::string b,
                  std::string result) {
    onnx::NodeProto &made = *graph.add_node();
    made.set_op_type(type);
    made.set_name("n_" + result);
    made.add_input(a);
    made.add_input(b);
    made.add_output(result);
  };
  std::string last = "w";
  for (int i = 0; i < factors; ++i) {
    std::string next = "m" + std::to_string(i);
    node(i % 2 ? "Sub" : "Mul", last, "w", next);
    last = next;
  }
  node("Add", "x", last, "y");
  return model.SerializeAsString();
}

class DriverTest : public ::testing::Test {
protected:
  DriverTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "onnxfold-driver-test-XXXXXX")
            .string();
    folder = ::mkdtemp(pattern.data());
  }
  ~DriverTest() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }
  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string read(const std::string &name) const {
    std::ifstream file(path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  /// Names of all entries, hidden ones included.
  std::set<std::string> entries() const {
    std::set<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      names.insert(entry.path().filename().string());
    return names;
  }

  std::string folder;
};

/// Folds bytes, which must succeed.
inline std::string folded(llvm::StringRef model,
                          const FoldOptions &options = {}) {
  std::string result;
  FoldReport report;
  llvm::Error error = foldModel(ModelInput::bytes(model),
                                ModelOutput::bytes(result), options, report);
  EXPECT_EQ(llvm::toString(std::move(error)), "");
  return result;
}

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ONNX_DRIVER_DRIVERTEST_H
