//===- RegistryTest.cpp - Which operators and versions fold ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/kernels/AllKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace onnxfold;

/// "onnx.Abs" -> its registered versions.
static std::map<std::string, std::set<int>> registeredVersions() {
  KernelRegistry registry("onnx");
  registerAllKernels(registry);
  std::map<std::string, std::set<int>> result;
  for (const auto &[operation, version] : registry.entries())
    EXPECT_TRUE(result[operation].insert(version).second)
        << operation << " version " << version << " is registered twice";
  return result;
}

// A new release of ONNX adds versions; a kernel that does not know them leaves
// their nodes unfolded without a word here.
TEST(Registry, EveryVersionIsThere) {
  auto registered = registeredVersions();
  for (const SchemaEntry &schema : allSchemas()) {
    auto it = registered.find(operationName(schema.domain, schema.opType));
    if (it == registered.end())
      continue;
    EXPECT_TRUE(it->second.contains(schema.since))
        << it->first << " version " << schema.since << " has no kernel";
  }
}

/// "onnx.ml." of "onnx.ml.Scaler".
static llvm::StringRef prefixOf(llvm::StringRef operation) {
  return operation.take_front(operation.rfind('.') + 1);
}

TEST(Registry, NoVersionThatOnnxDoesNotHave) {
  auto registered = registeredVersions();
  std::set<std::string> ofTheStandard;
  for (const SchemaEntry &schema : allSchemas()) {
    std::string name = operationName(schema.domain, schema.opType);
    ofTheStandard.insert(prefixOf(name).str());
    if (auto it = registered.find(name); it != registered.end())
      it->second.erase(schema.since);
  }
  // Operators of domains without schemas have one version each.
  for (const auto &[operation, versions] : registered)
    for (int version : versions)
      if (ofTheStandard.contains(prefixOf(operation).str()) || version != 1)
        ADD_FAILURE() << operation << " version " << version;
}

// The operators that the first release promised.
static const char *const promised =
    "Abs Add And ArgMax ArgMin Cast CastLike Ceil Clip Concat "
    "ConstantOfShape Cos CumSum DequantizeLinear Div Equal Erf Exp "
    "Expand Flatten Floor Gather GatherElements GatherND Gemm Greater "
    "GreaterOrEqual Identity IsNaN Less LessOrEqual Log MatMul Max Mean "
    "Min Mod Mul Neg NonZero Not OneHot Or Pad Pow QuantizeLinear Range "
    "Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax "
    "ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu "
    "Reshape Round ScatterElements ScatterND Shape Sigmoid Sign Sin Size "
    "Slice Softmax Split Sqrt Squeeze Sub Sum Tanh Tile TopK Transpose "
    "Trilu Unsqueeze Where Xor";

TEST(Registry, NoOperatorGotLost) {
  auto registered = registeredVersions();
  llvm::SmallVector<llvm::StringRef> operators;
  llvm::SplitString(promised, operators);
  for (llvm::StringRef op : operators)
    EXPECT_TRUE(registered.contains("onnx." + op.str())) << op.str();
}
