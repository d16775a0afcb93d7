//===- OperationsTest.cpp - Every operation of MLIR's dialects ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR lists what it registers. Each operation has a kernel, or stands here with
// the reason why it has none: a new MLIR with a new operation fails this test.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/upstream/UpstreamKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/MLIRContext.h"
#include "gmock/gmock.h"
#include <map>

using namespace onnxfold;

namespace {

constexpr const char *isConstant = "is a constant";
constexpr const char *ends = "ends a body, whose operation runs it";
constexpr const char *state = "reads or writes what other runs change";
constexpr const char *program = "is a part of a program, not a value";

const std::map<std::string, const char *> withoutKernel = {
    {"arith.constant", isConstant},
    {"tosa.const", isConstant},
    {"tosa.const_shape", isConstant},
    {"linalg.yield", ends},
    {"tensor.yield", ends},
    {"tosa.yield", ends},
    {"tensor.parallel_insert_slice", ends},
    {"linalg.index", "is a counter of the body that it is in"},
    {"tensor.empty", "has no value"},
    {"math.clampf", "is named for one thing and documented as another"},
    {"linalg.winograd_filter_transform", "is defined by what MLIR makes of it"},
    {"linalg.winograd_input_transform", "is defined by what MLIR makes of it"},
    {"linalg.winograd_output_transform", "is defined by what MLIR makes of it"},
    {"tosa.cast_to_block_scaled", "a draft leaves the scale open"},
    {"tosa.custom", "is whatever its user says"},
    {"tosa.variable", state},
    {"tosa.variable_read", state},
    {"tosa.variable_write", state},
    {"ml_program.global_load_graph", state},
    {"ml_program.global_store", state},
    {"ml_program.global_store_graph", state},
    {"ml_program.token", state},
    {"ml_program.func", program},
    {"ml_program.global", program},
    {"ml_program.output", program},
    {"ml_program.return", program},
    {"ml_program.subgraph", program},
};

} // namespace

TEST(Operations, HaveKernelsOrReasons) {
  mlir::MLIRContext context;
  context
      .loadDialect<mlir::arith::ArithDialect, mlir::linalg::LinalgDialect,
                   mlir::math::MathDialect, mlir::ml_program::MLProgramDialect,
                   mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
  std::vector<std::string> missing, listed;
  for (const char *dialect :
       {"arith", "linalg", "math", "ml_program", "tensor", "tosa"}) {
    KernelRegistry registry(dialect);
    addUpstreamKernels(dialect, registry);
    for (mlir::RegisteredOperationName op : context.getRegisteredOperations())
      if (op.getDialectNamespace() == dialect &&
          !registry.lookup(op.getStringRef(), 1))
        missing.push_back(op.getStringRef().str());
  }
  for (const auto &[name, reason] : withoutKernel)
    listed.push_back(name);
  EXPECT_THAT(missing, testing::UnorderedElementsAreArray(listed));
}
