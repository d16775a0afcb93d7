//===- DeallocationToLLVM.cpp - Ownership becomes a pointer ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace onnxfold {
#define GEN_PASS_DEF_CONVERTDEALLOCATIONOPSTOLLVMPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

namespace {

/// The functions that the patterns call. They are made before the patterns run,
/// which must not add functions to the module.
struct RunTime {
  LLVM::LLVMFuncOp free;
  LLVM::LLVMFuncOp retainBuffers; // null if no retain needs it
};

/// The allocated pointer of a memref, in address space 0, where ownership is.
Value allocatedPointer(OpBuilder &builder, Location loc, Value memref,
                       const LLVMTypeConverter &descriptors) {
  Type type = descriptors.convertType(memref.getType());
  Value descriptor =
      UnrealizedConversionCastOp::create(builder, loc, type, memref)
          .getResult(0);
  Value pointer;
  if (auto unranked = dyn_cast<UnrankedMemRefType>(memref.getType())) {
    auto elements = LLVM::LLVMPointerType::get(
        builder.getContext(), *descriptors.getMemRefAddressSpace(unranked));
    Value ranked =
        UnrankedMemRefDescriptor(descriptor).memRefDescPtr(builder, loc);
    pointer =
        UnrankedMemRefDescriptor::allocatedPtr(builder, loc, ranked, elements);
  } else {
    pointer = MemRefDescriptor(descriptor).allocatedPtr(builder, loc);
  }
  auto plain = LLVM::LLVMPointerType::get(builder.getContext());
  if (pointer.getType() != plain)
    pointer = LLVM::AddrSpaceCastOp::create(builder, loc, plain, pointer);
  return pointer;
}

template <typename Op> struct Lowering : OpConversionPattern<Op> {
  Lowering(const TypeConverter &types, const LLVMTypeConverter &descriptors,
           const RunTime &runTime, MLIRContext *context)
      : OpConversionPattern<Op>(types, context), descriptors(descriptors),
        runTime(runTime) {}
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor operands,
                  ConversionPatternRewriter &rewriter) const override;
  const LLVMTypeConverter &descriptors;
  const RunTime &runTime;
};

template <>
LogicalResult
Lowering<NullOp>::matchAndRewrite(NullOp op, NullOp::Adaptor,
                                  ConversionPatternRewriter &rewriter) const {
  rewriter.replaceOpWithNewOp<LLVM::ZeroOp>(
      op, LLVM::LLVMPointerType::get(getContext()));
  return success();
}

template <>
LogicalResult
Lowering<OwnOp>::matchAndRewrite(OwnOp op, OwnOp::Adaptor operands,
                                 ConversionPatternRewriter &rewriter) const {
  rewriter.replaceOp(op, allocatedPointer(rewriter, op.getLoc(),
                                          operands.getMemref(), descriptors));
  return success();
}

template <>
LogicalResult Lowering<GetBufferOp>::matchAndRewrite(
    GetBufferOp op, GetBufferOp::Adaptor operands,
    ConversionPatternRewriter &rewriter) const {
  Location loc = op.getLoc();
  Value pointer = operands.getSource();
  if (isa<BaseMemRefType>(pointer.getType()))
    pointer = allocatedPointer(rewriter, loc, pointer, descriptors);
  Value address = LLVM::PtrToIntOp::create(rewriter, loc,
                                           descriptors.getIndexType(), pointer);
  rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, op.getType(), address);
  return success();
}

template <>
LogicalResult
Lowering<FreeOp>::matchAndRewrite(FreeOp op, FreeOp::Adaptor operands,
                                  ConversionPatternRewriter &rewriter) const {
  LLVM::CallOp::create(rewriter, op.getLoc(), runTime.free,
                       operands.getOwnership());
  rewriter.eraseOp(op);
  return success();
}

/// An array of pointers on the stack, filled with `values`.
Value makeArray(OpBuilder &builder, Location loc, ArrayRef<Value> values) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value size = LLVM::ConstantOp::create(
      builder, loc, builder.getI64IntegerAttr(values.size()));
  Value array = LLVM::AllocaOp::create(builder, loc, pointer, pointer, size);
  for (auto [index, value] : llvm::enumerate(values)) {
    Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, array,
                                     ArrayRef<LLVM::GEPArg>(int32_t(index)));
    LLVM::StoreOp::create(builder, loc, value, slot);
  }
  return array;
}

template <>
LogicalResult
Lowering<RetainOp>::matchAndRewrite(RetainOp op, RetainOp::Adaptor operands,
                                    ConversionPatternRewriter &rewriter) const {
  Location loc = op.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(getContext());
  SmallVector<Value> retained;
  for (Value memref : operands.getRetained())
    retained.push_back(allocatedPointer(rewriter, loc, memref, descriptors));
  auto number = [&](size_t value) -> Value {
    return LLVM::ConstantOp::create(rewriter, loc,
                                    rewriter.getI64IntegerAttr(value));
  };
  // The arrays must not pile up when the operation is in a loop.
  Value stack = LLVM::StackSaveOp::create(rewriter, loc, pointer);
  SmallVector<Value> allocations(operands.getAllocations());
  Value allocationArray = makeArray(rewriter, loc, allocations);
  Value retainedArray = makeArray(rewriter, loc, retained);
  Value release = LLVM::AddressOfOp::create(rewriter, loc, runTime.free);
  LLVM::CallOp::create(rewriter, loc, runTime.retainBuffers,
                       ValueRange{number(allocations.size()), allocationArray,
                                  number(retained.size()), retainedArray,
                                  release});
  SmallVector<Value> results;
  for (size_t index = 0; index < retained.size(); ++index) {
    Value slot =
        LLVM::GEPOp::create(rewriter, loc, pointer, pointer, retainedArray,
                            ArrayRef<LLVM::GEPArg>(int32_t(index)));
    results.push_back(LLVM::LoadOp::create(rewriter, loc, pointer, slot));
  }
  LLVM::StackRestoreOp::create(rewriter, loc, stack);
  rewriter.replaceOp(op, results);
  return success();
}

struct SelectLowering : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OpAdaptor operands,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, operands.getCondition(),
                                                 operands.getTrueValue(),
                                                 operands.getFalseValue());
    return success();
  }
};

/// Functions, with the arguments of all their blocks.
struct FunctionConversion : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(func::FuncOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FunctionType type = op.getFunctionType();
    TypeConverter::SignatureConversion arguments(type.getNumInputs());
    SmallVector<Type> results;
    if (failed(getTypeConverter()->convertSignatureArgs(type.getInputs(),
                                                        arguments)) ||
        failed(getTypeConverter()->convertTypes(type.getResults(), results)))
      return failure();
    if (!op.isExternal() &&
        failed(rewriter.convertRegionTypes(&op.getBody(), *getTypeConverter(),
                                           &arguments)))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.setFunctionType(
          rewriter.getFunctionType(arguments.getConvertedTypes(), results));
    });
    return success();
  }
};

FailureOr<RunTime> declareRunTime(ModuleOp module, bool generic) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  bool frees = false, retains = false;
  module.walk([&](Operation *op) {
    frees |= isa<FreeOp, RetainOp>(op);
    retains |= isa<RetainOp>(op);
  });
  RunTime runTime;
  if (!frees)
    return runTime;
  auto free = generic ? LLVM::lookupOrCreateGenericFreeFn(builder, module)
                      : LLVM::lookupOrCreateFreeFn(builder, module);
  if (failed(free))
    return failure();
  runTime.free = *free;
  if (!retains)
    return runTime;
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  Type number = builder.getI64Type();
  auto retain =
      LLVM::lookupOrCreateFn(builder, module, "onnxfold_retain_buffers",
                             {number, pointer, number, pointer, pointer},
                             LLVM::LLVMVoidType::get(module.getContext()));
  if (failed(retain))
    return failure();
  runTime.retainBuffers = *retain;
  return runTime;
}

LogicalResult convertModule(ModuleOp module, bool generic) {
  MLIRContext *context = module.getContext();
  FailureOr<RunTime> runTime = declareRunTime(module, generic);
  if (failed(runTime))
    return failure();
  LLVMTypeConverter descriptors(context);
  // Converts ownership only: the rest belongs to the passes that follow.
  TypeConverter types;
  types.addConversion([](Type type) { return type; });
  types.addConversion([](OwnershipType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  RewritePatternSet patterns(context);
  patterns.add<Lowering<NullOp>, Lowering<OwnOp>, Lowering<GetBufferOp>,
               Lowering<FreeOp>, Lowering<RetainOp>>(types, descriptors,
                                                     *runTime, context);
  patterns.add<FunctionConversion, SelectLowering>(types, context);
  populateCallOpTypeConversionPattern(patterns, types);
  populateReturnOpTypeConversionPattern(patterns, types);
  populateBranchOpInterfaceTypeConversionPattern(patterns, types);
  ConversionTarget target(*context);
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  target.addIllegalDialect<DeallocationDialect>();
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
    return types.isSignatureLegal(op.getFunctionType()) &&
           types.isLegal(&op.getBody());
  });
  target.markUnknownOpDynamicallyLegal([&](Operation *op) {
    if (isNotBranchOpInterfaceOrReturnLikeOp(op))
      return types.isLegal(op);
    return isLegalForBranchOpInterfaceTypeConversionPattern(op, types) ||
           isLegalForReturnOpTypeConversionPattern(op, types);
  });
  return applyPartialConversion(module, target, std::move(patterns));
}

struct ConvertDeallocationOpsToLLVMPass
    : onnxfold::impl::ConvertDeallocationOpsToLLVMPassBase<
          ConvertDeallocationOpsToLLVMPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(convertModule(getOperation(), genericAllocFunctions)))
      signalPassFailure();
  }
};

} // namespace
