//===- Deallocate.cpp - Each allocation is freed once, and early ----------===//

#include "onnxfold/dealloc/Dialect.h"
#include "onnxfold/dealloc/Materialize.h"
#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/dealloc/Planner.h"
#include "onnxfold/dealloc/Preconditions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"

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

static LogicalResult deallocateModule(ModuleOp module,
                                      const DeallocateOptions &options) {
  if (failed(checkPreconditions(module)))
    return failure();
  IRRewriter rewriter(module.getContext());
  for (auto function : module.getOps<func::FuncOp>())
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());
  Functions functions(module, options.publicResults);
  Aliases aliases(module, functions);
  chooseOwnedArguments(module, functions);
  Plan plan;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() &&
        failed(Planner(functions, aliases, plan).run(function)))
      return failure();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      materializeDeclaration(function, functions);
    else
      materialize(function, functions, plan);
  }
  return success();
}

namespace {

struct DeallocatePass : PassWrapper<DeallocatePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeallocatePass)

  DeallocatePass() = default;
  DeallocatePass(const DeallocatePass &other) : PassWrapper(other) {}
  explicit DeallocatePass(const DeallocateOptions &options) {
    publicResults = options.publicResults;
  }

  StringRef getArgument() const override { return "deallocate"; }
  StringRef getDescription() const override {
    return "frees each allocation once, after its last use";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<arith::ArithDialect, bufferization::BufferizationDialect,
                cf::ControlFlowDialect, DeallocationDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    if (failed(deallocateModule(getOperation(), {publicResults})))
      signalPassFailure();
  }

  Option<PublicResults> publicResults{
      *this, "public-results",
      llvm::cl::desc("results of functions that others can call"),
      llvm::cl::init(PublicResults::Ownership),
      llvm::cl::values(
          clEnumValN(PublicResults::Ownership, "ownership",
                     "one more result per memref: who owns it"),
          clEnumValN(PublicResults::Clone, "clone",
                     "signatures stay, what is not owned is copied"))};
};

} // namespace

std::unique_ptr<Pass>
onnxfold::createDeallocatePass(const DeallocateOptions &options) {
  return std::make_unique<DeallocatePass>(options);
}
