//===- OnnxGraphTest.cpp - An ONNX graph that grows node by node ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/OnnxGraph.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;

namespace {

onnx::GraphProto graphOf(OnnxGraph &graph) {
  onnx::ModelProto model;
  graph.nameOutputs();
  EXPECT_TRUE(model.ParseFromString(graph.bytes()));
  return model.graph();
}

constexpr int32_t doubles = onnx::TensorProto::DOUBLE;

TEST(OnnxGraph, EqualNodesAreOne) {
  OnnxGraph graph("g", doubles, 21);
  std::string y = graph.node("Add", {"x", "x"});
  EXPECT_EQ(graph.node("Add", {"x", "x"}), y);
  EXPECT_NE(graph.node("Add", {"x", y}), y);
  std::string rows = graph.node("Shape", {"x"}, {{"start", {0}}, {"end", {1}}});
  EXPECT_NE(graph.node("Shape", {"x"}, {{"start", {1}}, {"end", {2}}}), rows);
  std::string list = graph.node("Squeeze", {"x"}, {{"axes", {0}, true}});
  EXPECT_NE(graph.node("Squeeze", {"x"}, {{"axes", {0}}}), list);
  EXPECT_EQ(graphOf(graph).node_size(), 6);
}

TEST(OnnxGraph, RandomNodesAreNot) {
  OnnxGraph graph("g", doubles, 21);
  EXPECT_NE(graph.node(randomOperator, {"x"}),
            graph.node(randomOperator, {"x"}));
}

/// A node of a body is not seen outside, nor in another body.
TEST(OnnxGraph, NodesOfBodies) {
  OnnxGraph graph("g", doubles, 21);
  GraphBody &yes = graph.newBody(), &no = graph.newBody();
  std::string inYes, inNo;
  {
    InBody inside(graph, yes);
    inYes = graph.node("Neg", {"x"});
    EXPECT_EQ(graph.node("Neg", {"x"}), inYes);
    graph.addBodyOutput(inYes, doubles, {});
    graph.addBodyOutput(inYes, doubles, {}); // another output for each
  }
  {
    InBody inside(graph, no);
    inNo = graph.node("Neg", {"x"});
  }
  EXPECT_NE(inYes, inNo);
  EXPECT_NE(graph.node("Neg", {"x"}), inNo);
  ASSERT_EQ(yes.outputs.size(), 2u);
  EXPECT_NE(yes.outputs[0].name(), yes.outputs[1].name());
}

TEST(OnnxGraph, EqualConstantsAreOne) {
  OnnxGraph graph("g", doubles, 21);
  EXPECT_EQ(graph.number(1), graph.number(1));
  EXPECT_NE(graph.number(1), graph.integer(1));
  EXPECT_NE(graph.integers({1}), graph.integer(1));
  EXPECT_NE(graph.integers({1, 2}, {1, 2}), graph.integers({1, 2}, {2, 1}));
  EXPECT_NE(graph.number(0), graph.number(-0.0));
}

TEST(OnnxGraph, TruthThatBecameNumbers) {
  OnnxGraph graph("g", doubles, 21);
  std::string truth = graph.node("Greater", {"x", "y"});
  std::string numbers = graph.asReal(truth);
  EXPECT_TRUE(graph.isTruth(numbers));
  EXPECT_EQ(graph.truthOf(numbers), truth);
  EXPECT_FALSE(graph.isTruth("x"));
  EXPECT_EQ(graph.truthOf("x").substr(0, 4), "Not.");
}

/// ReduceSum has had its axes as an input since 13, the others since 18.
TEST(OnnxGraph, AxesOfReductions) {
  for (int64_t opset : {17, 18}) {
    OnnxGraph graph("g", doubles, opset);
    std::string axes = graph.integers({1});
    graph.node("ReduceMax", {"x", axes}, {{"keepdims", {0}}});
    graph.node("ReduceSum", {"x", axes});
    onnx::GraphProto made = graphOf(graph);
    EXPECT_EQ(made.node(0).input_size(), opset < 18 ? 1 : 2);
    EXPECT_EQ(made.node(0).attribute(0).name(),
              opset < 18 ? "axes" : "keepdims");
    EXPECT_EQ(made.node(1).input_size(), 2);
  }
}

/// An output has the name of its variable, unless an input has it.
TEST(OnnxGraph, NamesOfOutputs) {
  OnnxGraph graph("g", doubles, 21);
  graph.addInput("x", doubles, {-1, 3});
  graph.addOutput("x", "x", doubles, {-1, 3});
  graph.addOutput("x", "y", doubles, {-1, 3});
  onnx::GraphProto made = graphOf(graph);
  EXPECT_EQ(made.input(0).type().tensor_type().shape().dim(0).dim_param(),
            "x_rows");
  EXPECT_NE(made.output(0).name(), "x");
  EXPECT_EQ(made.output(1).name(), "y");
}

TEST(OnnxGraph, NeededNodes) {
  OnnxGraph graph("g", doubles, 21);
  std::string used = graph.node(randomOperator, {"x"});
  graph.node(randomOperator, {"x"});
  graph.addOutput(used, "y", doubles, {});
  graph.nameOutputs();
  EXPECT_EQ(graph.neededNodes(randomOperator), std::vector{used});
}

} // namespace
