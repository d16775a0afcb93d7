//===- DeallocationToScf.cpp - Small retains as inline code ---------------===//
//
//   %k = deallocation.retain(%m) of(%a, %b)
// becomes, with the addresses of m, a and b,
//   %is_a = %m' == %a'    %k = %is_a ? %a : null    %a = %is_a ? null : %a ...
// and what is left of a and b is freed. Each allocation goes to the first
// memref that is a view of it. The code grows with memrefs * allocations, so
// that only retains with at most two allocations or one memref are written so;
// the others stay for the run-time library.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/dealloc/ir/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

static constexpr unsigned mostAllocations = 2;

static void lower(RetainOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> owners(op.getAllocations()), addresses;
  Value null, zero, none;
  if (!op.getRetained().empty()) {
    none = NullOp::create(builder, loc);
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    for (Value owner : owners)
      addresses.push_back(GetBufferOp::create(builder, loc, owner));
  }
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  };
  for (auto [memref, result] :
       llvm::zip_equal(op.getRetained(), op.getOwnerships())) {
    Value wanted = GetBufferOp::create(builder, loc, memref);
    Value kept = none;
    for (auto [owner, address] : llvm::zip_equal(owners, addresses)) {
      Value matches = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, wanted, address);
      kept = select(matches, owner, kept);
      owner = select(matches, none, owner);
      address = select(matches, zero, address);
    }
    result.replaceAllUsesWith(kept);
  }
  for (Value owner : owners)
    FreeOp::create(builder, loc, owner);
  op.erase();
}

namespace {

struct DeallocationToScfPass
    : PassWrapper<DeallocationToScfPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeallocationToScfPass)

  StringRef getArgument() const override { return "deallocation-to-scf"; }
  StringRef getDescription() const override {
    return "small retains as comparisons, and frees";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<arith::ArithDialect, DeallocationDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    SmallVector<RetainOp> retains;
    getOperation().walk([&](RetainOp op) {
      if (op.getRetained().size() <= 1 ||
          op.getAllocations().size() <= mostAllocations)
        retains.push_back(op);
    });
    llvm::for_each(retains, lower);
  }
};

} // namespace

std::unique_ptr<Pass> onnxfold::createDeallocationToScfPass() {
  return std::make_unique<DeallocationToScfPass>();
}
