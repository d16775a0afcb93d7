//===- ReallocInPlace.cpp - memref.realloc by the C function --------------===//
//
// expand-realloc allocates, copies and frees. Where blocks come from malloc,
// realloc grows them where they are if there is room behind them, or moves
// their pages. It keeps bytes at the same distance from the block's start, so
// it takes the buffers that start with their block; whether they do is seen at
// run time, as memref.alloc with an alignment may begin behind it.
//
// What is known not to grow stays where it is with any allocator;
// expand-realloc fails on it where the sizes are static.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/dealloc/ir/Dialect.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::deallocation;

/// Of an element, if it takes the same in memory whatever the target; else 0.
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

  /// As expand-realloc does: the buffer stays, with another size.
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
    : PassWrapper<ReallocInPlacePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReallocInPlacePass)

  ReallocInPlacePass() = default;
  ReallocInPlacePass(const ReallocInPlacePass &other) : PassWrapper(other) {}
  explicit ReallocInPlacePass(bool calls) { callRealloc = calls; }

  StringRef getArgument() const override { return "realloc-in-place"; }
  StringRef getDescription() const override {
    return "memref.realloc by the C function, where a buffer starts with its "
           "block";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, DeallocationDialect, LLVM::LLVMDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
  }

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

  Option<bool> callRealloc{
      *this, "call-realloc",
      llvm::cl::desc("buffers come from malloc, so that realloc can grow them"),
      llvm::cl::init(true)};
};

} // namespace

std::unique_ptr<Pass> onnxfold::createReallocInPlacePass(bool callRealloc) {
  return std::make_unique<ReallocInPlacePass>(callRealloc);
}
