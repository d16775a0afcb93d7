//===- StackOfLoops.cpp - Descriptors on the stack in loops ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An unranked memref is a pointer to a descriptor, for which a cast from a
// ranked one takes stack, and so do calls that return one. Stack is given back
// at the end of the function only, and a long loop has none left.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/transforms/internal/Boundary.h"
#include "onnxfold/sequence/transforms/internal/RuntimeCalls.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace onnxfold::sequence;

/// Whether lowering takes stack for what the operation gives.
static bool takesStack(Operation *op) {
  if (isa<memref::AllocaOp, LLVM::AllocaOp>(op))
    return true;
  if (isa<UnrealizedConversionCastOp>(op))
    return false; // of a record, which has its descriptor
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<UnrankedMemRefType>);
}

/// Copies the descriptors of unranked operands into slots of the function: all
/// of them into a first one, because they may be in a second one of another
/// operand, and from there to the second one.
static void keepCarried(Operation *terminator, const LLVMTypeConverter &llvm,
                        RuntimeSymbols &symbols) {
  OpBuilder builder(terminator);
  Location location = terminator->getLoc();
  RuntimeCalls make(builder, location, llvm, symbols, terminator);
  for (int round = 0; round < 2; ++round)
    for (OpOperand &operand : terminator->getOpOperands()) {
      auto type = dyn_cast<UnrankedMemRefType>(operand.get().getType());
      if (!type)
        continue;
      UnrankedMemRefDescriptor old(
          make.reinterpret(operand.get(), llvm.convertType(type)));
      Value rank = old.rank(builder, location), slot = make.descriptorSlot();
      make.call("onnxfoldSequenceKeepDescriptor", Type(),
                {rank, old.memRefDescPtr(builder, location), slot});
      SmallVector<Value> parts = {rank, slot};
      operand.set(make.reinterpret(
          UnrankedMemRefDescriptor::pack(builder, location, llvm, type, parts),
          type));
    }
}

static void freeStackOf(LoopLikeOpInterface loop, Operation *terminator,
                        const LLVMTypeConverter &llvm,
                        RuntimeSymbols &symbols) {
  OpBuilder builder(loop);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value stack = LLVM::StackSaveOp::create(builder, loop.getLoc(), pointer);
  keepCarried(terminator, llvm, symbols);
  builder.setInsertionPoint(terminator);
  LLVM::StackRestoreOp::create(builder, terminator->getLoc(), stack);
}

void onnxfold::sequence::freeStackOfLoops(Operation *module,
                                          RuntimeSymbols &symbols) {
  LLVMTypeConverter llvm(module->getContext());
  llvm::SetVector<Operation *> loops;
  module->walk([&](Operation *op) {
    if (!takesStack(op) || isa<scf::ForOp, scf::WhileOp>(op))
      return;
    Operation *parent = op->getParentOp();
    while (parent &&
           !isa<scf::ForOp, scf::WhileOp, FunctionOpInterface>(parent))
      parent = parent->getParentOp();
    if (isa_and_nonnull<scf::ForOp, scf::WhileOp>(parent))
      loops.insert(parent);
  });
  for (Operation *op : loops) {
    auto loop = dyn_cast<scf::WhileOp>(op);
    freeStackOf(cast<LoopLikeOpInterface>(op),
                loop ? loop.getYieldOp()
                     : cast<scf::ForOp>(op).getBody()->getTerminator(),
                llvm, symbols);
  }
}
