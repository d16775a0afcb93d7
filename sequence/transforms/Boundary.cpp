//===- Boundary.cpp - What functions take and give ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The caller keeps its arguments, which are checked. It owns the results, and
// frees each: MLIR's deallocation finds out when the program runs that two
// values are one buffer, a caller in another language does not.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/transforms/internal/Boundary.h"

#include "onnxfold/sequence/Dialect.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"

namespace onnxfold::sequence {
#define GEN_PASS_DEF_CHECKARGUMENTSPASS
#define GEN_PASS_DEF_PROTECTARGUMENTSPASS
#include "onnxfold/sequence/transforms/Passes.h.inc"
} // namespace onnxfold::sequence

using namespace mlir;
using namespace onnxfold::sequence;

namespace {
/// The allocations that a buffer may be of.
class Roots {
public:
  explicit Roots(Value buffer) {
    queue.push_back(buffer);
    while (!queue.empty()) {
      Value value = queue.pop_back_val();
      if (isa<BaseMemRefType>(value.getType()) && seen.insert(value).second)
        visit(value);
    }
  }
  llvm::DenseSet<Value> found;

private:
  void visit(Value value);
  void visitArgument(BlockArgument argument);
  void visitResult(OpResult result);
  void visitAll(Operation *op);
  void add(Value value) { queue.push_back(value); }

  SmallVector<Value> queue;
  llvm::DenseSet<Value> seen;
};
} // namespace

void Roots::visit(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    visitArgument(argument);
  else
    visitResult(cast<OpResult>(value));
}

/// Adds what an operation with regions is given, and what its regions yield.
void Roots::visitAll(Operation *op) {
  llvm::for_each(op->getOperands(), [&](Value operand) { add(operand); });
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value operand : block.getTerminator()->getOperands())
        add(operand);
}

void Roots::visitArgument(BlockArgument argument) {
  Operation *op = argument.getOwner()->getParentOp();
  // An argument belongs to the caller, and is copied if it is returned.
  if (isa<FunctionOpInterface>(op))
    return;
  unsigned number = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    add(loop.getInitArgs()[number - 1]);
    add(loop.getYieldedValues()[number - 1]);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op);
             loop && argument.getOwner() == loop.getBeforeBody()) {
    add(loop.getInits()[number]);
    add(loop.getYieldOp().getOperand(number));
  } else if (loop) {
    add(loop.getConditionOp().getArgs()[number]);
  } else {
    visitAll(op);
  }
}

void Roots::visitResult(OpResult result) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (isa<memref::GetGlobalOp>(op))
    return; // as an argument
  if (isa<CallOpInterface>(op) ||
      (effects && effects.getEffectOnValue<MemoryEffects::Allocate>(result))) {
    found.insert(result);
  } else if (auto choice = dyn_cast<scf::IfOp>(op)) {
    add(choice.thenYield().getOperand(number));
    add(choice.elseYield().getOperand(number));
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    add(loop.getInitArgs()[number]);
    add(loop.getYieldedValues()[number]);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    add(loop.getConditionOp().getArgs()[number]);
  } else {
    visitAll(op);
  }
}

void onnxfold::sequence::separateResults(Operation *function) {
  function->walk([](func::ReturnOp returned) {
    llvm::DenseSet<Value> taken;
    OpBuilder builder(returned);
    for (OpOperand &operand : returned->getOpOperands()) {
      if (!isa<BaseMemRefType>(operand.get().getType()))
        continue;
      Roots roots(operand.get());
      if (llvm::any_of(roots.found,
                       [&](Value root) { return taken.contains(root); }))
        operand.set(bufferization::CloneOp::create(builder, returned.getLoc(),
                                                   operand.get()));
      taken.insert(roots.found.begin(), roots.found.end());
    }
  });
}

void onnxfold::sequence::checkArguments(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function || function.isExternal() ||
      !function->hasAttr("llvm.emit_c_interface"))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  for (BlockArgument argument : function.getArguments())
    if (isa<SequenceType, BaseMemRefType>(argument.getType()))
      CheckOp::create(builder, function.getLoc(), argument,
                      builder.getStringAttr("argument " +
                                            Twine(argument.getArgNumber()) +
                                            " of " + function.getName()));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void protectArguments(func::FuncOp function) {
  Builder builder(function.getContext());
  StringRef name = bufferization::BufferizationDialect::kWritableAttrName;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (isa<TensorType>(type))
      function.setArgAttr(i, name, builder.getBoolAttr(false));
}

namespace {
struct ProtectArgumentsPass
    : onnxfold::sequence::impl::ProtectArgumentsPassBase<ProtectArgumentsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](func::FuncOp function) {
      if (!function.isPrivate() && !function.isExternal())
        protectArguments(function);
    });
  }
};
} // namespace

namespace {
struct CheckArgumentsPass
    : onnxfold::sequence::impl::CheckArgumentsPassBase<CheckArgumentsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk(
        [](FunctionOpInterface function) { checkArguments(function); });
  }
};
} // namespace
