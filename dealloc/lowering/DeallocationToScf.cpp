//===- DeallocationToScf.cpp - Small retains as inline code ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace onnxfold {
#define GEN_PASS_DEF_DEALLOCATIONTOSCFPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

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
    : onnxfold::impl::DeallocationToScfPassBase<DeallocationToScfPass> {
  using Base::Base;

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
