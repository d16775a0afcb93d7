//===- ManyModulesTest.cpp - A compiler that stays alive ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1,000 modules, one after the other, in one context: each is parsed, folded to
// a constant of 256 KB that no other module has, and destroyed. Memory returns
// to where it was.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/upstream/UpstreamKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <malloc.h>

using namespace onnxfold;
using namespace mlir;

namespace {

constexpr int modules = 1000;

/// Element [i] of the result is i * number + 1.
std::string textOf(int number) {
  return llvm::formatv(R"(func.func @f() -> tensor<65536xi32> {{
  %k = arith.constant {0} : i32
  %one = arith.constant dense<1> : tensor<65536xi32>
  %e = tensor.empty() : tensor<65536xi32>
  %y = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>,
      affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%one : tensor<65536xi32>) outs(%e : tensor<65536xi32>) {{
  ^bb0(%a: i32, %b: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %m = arith.muli %n, %k : i32
    %s = arith.addi %m, %a : i32
    linalg.yield %s : i32
  } -> tensor<65536xi32>
  return %y : tensor<65536xi32>
}
)",
                       number)
      .str();
}

/// The bytes of the heap that are in use.
size_t usedBytes() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

void foldOne(MLIRContext &context, int number) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(textOf(number), &context);
  ASSERT_TRUE(module);
  ModuleRoot root(*module);
  PassManager manager(&context);
  addCollector(manager);
  manager.addPass(createConstantPropagationPass());
  ASSERT_TRUE(succeeded(manager.run(*module)));
  unsigned constants = 0, others = 0;
  module->walk([&](Operation *op) {
    constants += isa<arith::ConstantOp>(op);
    others +=
        !isa<arith::ConstantOp, func::FuncOp, func::ReturnOp, ModuleOp>(op);
  });
  ASSERT_EQ(constants, 1u);
  ASSERT_EQ(others, 0u);
}

TEST(ManyModules, MemoryReturnsToWhereItWas) {
  DialectRegistry registry;
  registerUpstreamKernels(registry);
  registry.insert<arith::ArithDialect, func::FuncDialect, tensor::TensorDialect,
                  linalg::LinalgDialect, ElementsDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  DisposablePool &pool = DisposablePool::get(&context);
  size_t used = 0;
  for (int number = 2; number < modules + 2; ++number) {
    foldOne(context, number);
    ASSERT_FALSE(HasFatalFailure()) << number;
    pool.collect();
    ASSERT_EQ(pool.statistics().live(), 0u) << number;
    ASSERT_EQ(memoryStatistics().heapBytes, 0u) << number;
    if (number == modules / 10)
      used = usedBytes();
  }
  // Of each module the context keeps the attribute of its number, and a slot
  // of a dead attribute; its constant is 256 KB.
  RecordProperty("bytes", int64_t(usedBytes()) - int64_t(used));
  EXPECT_LT(usedBytes(), used + modules * 1024);
  EXPECT_GE(pool.statistics().created, uint64_t(modules));
}

} // namespace
