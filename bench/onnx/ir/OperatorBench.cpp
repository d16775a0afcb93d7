//===- OperatorBench.cpp - What operators cost per node -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// `seconds` is that of one node, or of one start. A model may have a million
// nodes, so 100 ns here are 0.1 s there.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace onnxfold;

namespace operatorBench {

/// A module to build in and a value to read.
struct Graph {
  Graph() : context(MLIRContext::Threading::DISABLED), builder(&context) {
    registerAllOperators(context);
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
    type = RankedTensorType::get({2, 3, 4}, builder.getF32Type());
    input = Operator::createCustom(builder, builder.getUnknownLoc(),
                                   {"bench", "Value", 0}, {}, type)
                ->getResult(0);
    axis = builder.getNamedAttr("axis", builder.getI64IntegerAttr(1));
  }

  Operator softmax() {
    return Operator::create(builder, builder.getUnknownLoc(),
                            {"", "Softmax", 13}, input, type, axis);
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  Type type;
  Value input;
  NamedAttribute axis{StringAttr(), Attribute()};
};

void startWithAllOperators(benchmark::State &state) {
  for (auto _ : state) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    registerAllOperators(context);
  }
}
BENCHMARK(startWithAllOperators);

void startWithTenOperators(benchmark::State &state) {
  for (auto _ : state) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    for (const char *opType : {"Add", "Mul", "MatMul", "Reshape", "Transpose",
                               "Softmax", "Gather", "Shape", "Concat", "Cast"})
      registerOperator(context, "", opType);
  }
}
BENCHMARK(startWithTenOperators);

void resolveVersion(benchmark::State &state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(resolveSince("", "Softmax", 17));
}
BENCHMARK(resolveVersion);

void createAndErase(benchmark::State &state) {
  Graph graph;
  for (auto _ : state)
    graph.softmax()->erase();
}
BENCHMARK(createAndErase);

void readNode(benchmark::State &state) {
  Graph graph;
  Operation *operation = graph.softmax().getOperation();
  for (auto _ : state) {
    Operator op = Operator::from(operation);
    benchmark::DoNotOptimize(op.since());
    benchmark::DoNotOptimize(op.is("Softmax"));
    benchmark::DoNotOptimize(op.getInt("axis", -1));
  }
}
BENCHMARK(readNode);

void inferNode(benchmark::State &state) {
  Graph graph;
  Operator op = graph.softmax();
  onnx::TypeProto type;
  toTypeProto(graph.type, type);
  InferenceInput input{&type};
  for (auto _ : state)
    benchmark::DoNotOptimize(llvm::cantFail(inferTypes(op, input)));
}
BENCHMARK(inferNode);

void checkNode(benchmark::State &state) {
  Graph graph;
  Operator op = graph.softmax();
  for (auto _ : state) {
    llvm::cantFail(op.checkAgainstSchema());
    llvm::cantFail(checkInputTypes(op));
  }
}
BENCHMARK(checkNode);

} // namespace operatorBench
