//===- ReallocInPlace.cpp - memref.realloc by the C function --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/reuse/Passes.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace onnxfold {
#define GEN_PASS_DEF_REALLOCINPLACEPASS
#include "onnxfold/dealloc/reuse/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

/// The bytes of an element if they are the same on every target; otherwise 0.
static int64_t bytesOf(Type element) {
  if (!element.isIntOrFloat())
    return 0;
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits % 8 == 0 && llvm::isPowerOf2_32(bits) ? bits / 8 : 0;
}

static bool canBeInPlace(memref::ReallocOp op) {
  return !op.getAlignment() && !op.getType().getMemorySpace() &&
         bytesOf(op.getType().getElementType()) != 0;
}

static bool isKnownNotToGrow(memref::ReallocOp op) {
  MemRefType before = op.getSource().getType(), after = op.getType();
  return before.hasStaticShape() && after.hasStaticShape() &&
         after.getDimSize(0) <= before.getDimSize(0);
}

namespace {

class InPlace {
public:
  InPlace(memref::ReallocOp op, LLVM::LLVMFuncOp realloc,
          const LLVMTypeConverter &converter)
      : op(op), realloc(realloc), converter(converter), builder(op),
        loc(op.getLoc()) {}

  void keep() {
    op.replaceAllUsesWith(shrunk());
    op.erase();
  }

  void rewrite() {
    Value source = op.getSource();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value before = memref::DimOp::create(builder, loc, source, zero);
    after = op.getDynamicResultSize();
    if (!after)
      after = arith::ConstantIndexOp::create(builder, loc,
                                             op.getType().getDimSize(0));
    Value grows = compare(arith::CmpIPredicate::ult, before, after);
    Value result = choose(
        grows, [&] { return growing(); }, [&] { return shrunk(); });
    op.replaceAllUsesWith(result);
    op.erase();
  }

private:
  template <typename Then, typename Else>
  Value choose(Value condition, Then then, Else otherwise) {
    auto branch = scf::IfOp::create(builder, loc, op.getType(), condition,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, then());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, otherwise());
    return branch.getResult(0);
  }

  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }

  Value growing() {
    block = GetBufferOp::create(builder, loc, op.getSource());
    Value start = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, loc, op.getSource());
    return choose(
        compare(arith::CmpIPredicate::eq, block, start),
        [&] { return reallocated(); },
        [&] { return builder.clone(*op)->getResult(0); });
  }

  Value asInteger(Value index) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      index);
  }

  Value reallocated() {
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Value size = arith::ConstantIndexOp::create(
        builder, loc, bytesOf(op.getType().getElementType()));
    Value bytes = arith::MulIOp::create(builder, loc, after, size);
    Value old =
        LLVM::IntToPtrOp::create(builder, loc, pointer, asInteger(block));
    Value grown = LLVM::CallOp::create(builder, loc, realloc,
                                       ValueRange{old, asInteger(bytes)})
                      .getResult();
    auto descriptor = MemRefDescriptor::poison(
        builder, loc, converter.convertType(op.getType()));
    descriptor.setAllocatedPtr(builder, loc, grown);
    descriptor.setAlignedPtr(builder, loc, grown);
    descriptor.setConstantOffset(builder, loc, 0);
    descriptor.setSize(builder, loc, 0, asInteger(after));
    descriptor.setConstantStride(builder, loc, 0, 1);
    return UnrealizedConversionCastOp::create(builder, loc, op.getType(),
                                              Value(descriptor))
        .getResult(0);
  }

  /// Keeps the buffer with another size, as expand-realloc does.
  Value shrunk() {
    OpFoldResult size = op.getDynamicResultSize();
    if (op.getType().hasStaticShape())
      size = builder.getIndexAttr(op.getType().getDimSize(0));
    return memref::ReinterpretCastOp::create(
        builder, loc, op.getType(), op.getSource(),
        /*offset=*/OpFoldResult(builder.getIndexAttr(0)), size,
        OpFoldResult(builder.getIndexAttr(1)));
  }

  memref::ReallocOp op;
  LLVM::LLVMFuncOp realloc;
  const LLVMTypeConverter &converter;
  OpBuilder builder;
  Location loc;
  Value after, block; // the new size; the address of the block
};

struct ReallocInPlacePass
    : onnxfold::impl::ReallocInPlacePassBase<ReallocInPlacePass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<memref::ReallocOp> smaller, larger;
    module.walk([&](memref::ReallocOp op) {
      if (isKnownNotToGrow(op))
        smaller.push_back(op);
      else if (callRealloc && canBeInPlace(op))
        larger.push_back(op);
    });
    LLVMTypeConverter converter(&getContext());
    for (memref::ReallocOp op : smaller)
      InPlace(op, nullptr, converter).keep();
    if (larger.empty())
      return;
    OpBuilder builder(module);
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    FailureOr<LLVM::LLVMFuncOp> realloc = LLVM::lookupOrCreateFn(
        builder, module, "realloc", {pointer, builder.getI64Type()}, pointer);
    if (failed(realloc))
      return signalPassFailure();
    for (memref::ReallocOp op : larger)
      InPlace(op, *realloc, converter).rewrite();
  }
};

} // namespace
