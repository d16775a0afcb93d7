//===- TranslationTest.cpp - Statements as nodes --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What is inferred of types and sizes, and what statements become; that values
// are those of SystemDS is tested with it (test_dml_to_onnx.py).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/import/ConvertScript.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// The output y of a script that reads x: "double 3 x ?", or what is refused.
std::string typeOfY(StringRef body, onnx::GraphProto *graph = nullptr) {
  std::string text =
      ("x = read($x, rows=3)\n" + body + "\nwrite(y, $y)\n").str();
  llvm::Expected<std::string> bytes = translateScript(text, {});
  if (!bytes)
    return llvm::toString(bytes.takeError());
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(*bytes));
  if (graph)
    *graph = model.graph();
  const auto &type = model.graph().output(0).type().tensor_type();
  std::vector<std::string> sizes;
  for (const auto &dim : type.shape().dim())
    sizes.push_back(dim.has_dim_value() ? std::to_string(dim.dim_value())
                                        : "?");
  std::string element =
      onnx::TensorProto::DataType_Name(type.elem_type()) + " ";
  return StringRef(element + llvm::join(sizes, " x ")).lower();
}

/// "Add Mul", without the Identity of the output.
std::string nodesOf(StringRef body) {
  onnx::GraphProto graph;
  std::string type = typeOfY(body, &graph);
  std::vector<std::string> names;
  for (const onnx::NodeProto &node : graph.node())
    if (node.op_type() != "Identity")
      names.push_back(node.op_type());
  return names.empty() ? type : llvm::join(names, " ");
}

TEST(Translation, SizesOfMatrices) {
  EXPECT_EQ(typeOfY("y = x"), "double 3 x ?");
  EXPECT_EQ(typeOfY("y = t(x)"), "double ? x 3");
  EXPECT_EQ(typeOfY("y = x %*% t(x)"), "double 3 x 3");
  EXPECT_EQ(typeOfY("y = x[, 1:2] + x[, 1:3]"),
            "script: cannot be expressed in ONNX:\n  script:2:14: operands of "
            "+ are 3 x 2 and 3 x 3");
  EXPECT_EQ(typeOfY("y = cbind(rowSums(x), x[, 1])"), "double 3 x 2");
  EXPECT_EQ(typeOfY("y = rbind(x, x)"), "double 6 x ?");
  EXPECT_EQ(typeOfY("y = x[2:3, ]"), "double 2 x ?");
  EXPECT_EQ(typeOfY("y = seq(1, 9, 2)"), "double 5 x 1");
  EXPECT_EQ(typeOfY("y = matrix(0, 2, nrow(x))"), "double 2 x 3");
  EXPECT_EQ(typeOfY("y = table(rowIndexMax(x), seq(1, 3), 4, 3)"),
            "double 4 x 3");
}

TEST(Translation, TypesOfScalars) {
  EXPECT_EQ(typeOfY("y = ncol(x) + 1"), "int64 ");
  EXPECT_EQ(typeOfY("y = ncol(x) / 2"), "double ");
  EXPECT_EQ(typeOfY("y = sum(x) > 0"), "bool ");
  EXPECT_EQ(typeOfY("y = 7 %/% 2 + 0.5"), "double ");
  EXPECT_EQ(typeOfY("y = TRUE + 1"),
            "script: cannot be expressed in ONNX:\n  script:2:10: a boolean in "
            "arithmetic, expected as.double()");
}

/// Sizes of both branches, of all rounds.
TEST(Translation, SizesBehindControlFlow) {
  EXPECT_EQ(typeOfY("if (sum(x) > 0) y = x[1:2, ] else y = x"), "double ? x ?");
  EXPECT_EQ(typeOfY("if (sum(x) > 0) y = -x else y = x"), "double 3 x ?");
  EXPECT_EQ(typeOfY("y = x\nfor (i in 1:ncol(x)) y = rbind(y, x)"),
            "double ? x ?");
  EXPECT_EQ(typeOfY("y = x\nwhile (sum(y) > 1) y = y / 2"), "double 3 x ?");
}

TEST(Translation, WhatIsKnownIsNoNode) {
  EXPECT_EQ(nodesOf("if (nrow(x) == 3) y = -x else y = x"), "Neg");
  EXPECT_EQ(nodesOf("y = x\nfor (i in 1:2) y = y + i"), "Add Add");
  EXPECT_EQ(nodesOf("k = 2\nwhile (k < 3) k = k + 1\ny = x * k"), "Mul");
  EXPECT_EQ(nodesOf("f = list(a=x, b=2)\ny = as.matrix(f['a']) * 3"), "Mul");
}

/// What nothing reads, such as the Cast and the Sub, is left to the folder.
TEST(Translation, NodesOfControlFlow) {
  EXPECT_EQ(nodesOf("if (sum(x) > 0) y = -x else y = x"),
            "ReduceSum Greater Cast If");
  EXPECT_EQ(nodesOf("y = x\nfor (i in 1:ncol(x)) y = y + i"),
            "Shape Squeeze Sub Loop");
  EXPECT_EQ(nodesOf("y = x\nfor (i in 1:65) y = y + i"), "Loop");
  EXPECT_EQ(nodesOf("y = x\nfor (i in 2:ncol(x)) y = y + i").substr(0, 13),
            "Shape Squeeze");
}

/// Where a size is at least 1 nothing asks whether numbers count down.
TEST(Translation, BoundsOfSizes) {
  for (StringRef last : {"ncol(x)", "ncol(x) * 2", "ncol(x) + 3"})
    EXPECT_EQ(nodesOf(("y = seq(1, " + last + ")").str()).find("Where"),
              std::string::npos)
        << last.str();
  EXPECT_EQ(nodesOf("y = seq(0, ncol(x) - 1)").find("Where"),
            std::string::npos);
  EXPECT_NE(nodesOf("y = seq(1, ncol(x) - 1)").find("Where"),
            std::string::npos);
  // A number that a loop changes has no bound.
  EXPECT_NE(nodesOf("k = 5\nwhile (sum(x) + k > 0) k = k - 1\ny = seq(1, k)")
                .find("Where"),
            std::string::npos);
}

TEST(Translation, ConditionsOfMatrices) {
  EXPECT_EQ(nodesOf("y = ifelse(x > 0, x, -x)"), "Greater Cast Neg Where");
  EXPECT_EQ(nodesOf("y = !(x > 0)"), "Greater Cast Not Cast");
  EXPECT_EQ(nodesOf("y = (x > 0) & (x < 1)"),
            "Greater Cast Less Cast And Cast");
  EXPECT_EQ(nodesOf("y = !x"), "Equal Cast");
}

TEST(Translation, AllRefusalsAtOnce) {
  EXPECT_EQ(typeOfY("a = eval('f', list())\ny = b + transformapply(x)"),
            "script: cannot be expressed in ONNX:\n"
            "  script:2:5: eval() of 'f', which is no function\n"
            "  script:3:5: 'b' is not defined\n"
            "  script:3:9: the function 'transformapply' has no "
            "translation: it works on frames");
}

} // namespace
