//===- Deallocate.cpp - Each allocation is freed once, and early ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/ownership/Passes.h"
#include "onnxfold/dealloc/ownership/internal/LoopExits.h"
#include "onnxfold/dealloc/ownership/internal/Materialize.h"
#include "onnxfold/dealloc/ownership/internal/Planner.h"
#include "onnxfold/dealloc/ownership/internal/Preconditions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace onnxfold {
#define GEN_PASS_DEF_DEALLOCATEPASS
#include "onnxfold/dealloc/ownership/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

/// Internal functions take the ownership of arguments that they may return:
/// otherwise the caller could not free the argument before the result.
static void chooseOwnedArguments(ModuleOp module, Functions &functions) {
  for (auto function : module.getOps<func::FuncOp>()) {
    FunctionInfo *info = functions.lookup(function);
    if (!info->isInternal)
      continue;
    for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
      if (isa<BaseMemRefType>(type))
        info->ownedArguments |= info->argumentsOf[index];
  }
}

/// How often a function is planned again. Ownership that is passed through
/// chains of loops is found at once; more attempts have not been seen to help.
static constexpr unsigned mostRounds = 3;

static FailureOr<Plan> planFunction(func::FuncOp function, Functions &functions,
                                    Aliases &aliases) {
  Received received(function, aliases);
  auto make = [&]() -> FailureOr<Plan> {
    Plan plan;
    if (failed(Planner(functions, aliases, received, plan).run(function)))
      return failure();
    return plan;
  };
  FailureOr<Plan> first = make();
  if (failed(first) || !received.narrow(*first))
    return first;
  for (unsigned round = 0; round < mostRounds; ++round) {
    FailureOr<Plan> plan = make();
    if (failed(plan) || !received.widen(*plan))
      return plan;
  }
  return first;
}

using Plans = std::vector<std::pair<func::FuncOp, Plan>>;

static LogicalResult planAll(ModuleOp module, Functions &functions,
                             Plans &plans) {
  Aliases aliases(module, functions);
  chooseOwnedArguments(module, functions);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    FailureOr<Plan> plan = planFunction(function, functions, aliases);
    if (failed(plan))
      return failure();
    plans.push_back({function, std::move(*plan)});
  }
  return success();
}

static LogicalResult deallocateModule(ModuleOp module,
                                      PublicResults publicResults) {
  if (failed(checkPreconditions(module)))
    return failure();
  IRRewriter rewriter(module.getContext());
  for (auto function : module.getOps<func::FuncOp>())
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());
  Functions functions(module, publicResults);
  Plans plans;
  if (failed(planAll(module, functions, plans)))
    return failure();
  bool changed = false;
  for (auto &[function, plan] : plans)
    changed |= passThroughExits(function, plan);
  if (changed) {
    plans.clear();
    if (failed(planAll(module, functions, plans)))
      return failure();
  }
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal())
      materializeDeclaration(function, functions);
  for (auto &[function, plan] : plans)
    materialize(function, functions, plan);
  return success();
}

namespace {

struct DeallocatePass : onnxfold::impl::DeallocatePassBase<DeallocatePass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(deallocateModule(getOperation(), publicResults)))
      signalPassFailure();
  }
};

} // namespace
