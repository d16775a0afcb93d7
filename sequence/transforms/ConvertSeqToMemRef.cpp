//===- ConvertSeqToMemRef.cpp - Calls of the run-time library -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Storages and records become pointers, the buffers of records memrefs. What is
// done for each element stands in the program (positions, slots); what is done
// seldom, or is long, are calls.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/Dialect.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/sequence/transforms/internal/Boundary.h"
#include "onnxfold/sequence/transforms/internal/RuntimeCalls.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace onnxfold::sequence {
#define GEN_PASS_DEF_CONVERTSEQTOMEMREFPASS
#include "onnxfold/sequence/transforms/Passes.h.inc"
} // namespace onnxfold::sequence

using namespace mlir;
using namespace onnxfold::sequence;

// The offsets of fields of runtime/Runtime.h, which runtime/Runtime.cpp asserts.
constexpr int64_t slotsOffset = 16;      // of SequenceStorage
constexpr int64_t rankOffset = 16;       // of SequenceRecord
constexpr int64_t descriptorOffset = 24; // "
constexpr int64_t alignedOffset = 32;    // "

namespace {
/// Makes the operations of one pattern.
struct Maker : RuntimeCalls {
  Maker(ConversionPatternRewriter &rewriter, Operation *op,
        const LLVMTypeConverter &llvm, RuntimeSymbols &symbols)
      : RuntimeCalls(rewriter, op->getLoc(), llvm, symbols, op),
        rewriter(rewriter), location(op->getLoc()), llvm(llvm) {}

  Value slot(Value storage, Value position) {
    Value slots = address(storage, slotsOffset);
    return LLVM::GEPOp::create(rewriter, location, pointer(), pointer(), slots,
                               ArrayRef<LLVM::GEPArg>(toI64(position)));
  }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(rewriter, location, predicate, left, right);
  }
  Value viewOf(Value record, BaseMemRefType type);
  /// By one that gives nothing.
  LogicalResult replaceByCall(Operation *op, StringRef function,
                              ArrayRef<Value> arguments) {
    call(function, Type(), arguments);
    rewriter.eraseOp(op);
    return success();
  }
  /// By one that gives a pointer.
  LogicalResult replaceByPointer(Operation *op, StringRef function,
                                 ArrayRef<Value> arguments) {
    rewriter.replaceOp(op, call(function, pointer(), arguments));
    return success();
  }

  ConversionPatternRewriter &rewriter;
  Location location;
  const LLVMTypeConverter &llvm;
};

/// A tensor has no memory to hand to the run time before it is bufferized.
LogicalResult checkBuffers(Operation *op) {
  auto isTensor = llvm::IsaPred<TensorType>;
  if (llvm::any_of(op->getOperandTypes(), isTensor) ||
      llvm::any_of(op->getResultTypes(), isTensor))
    return op->emitOpError("has a tensor, expected a memref");
  return success();
}

template <typename Op> struct Lowering : OpConversionPattern<Op> {
  using Adaptor = typename Op::Adaptor;
  Lowering(const TypeConverter &converter, MLIRContext *context,
           const LLVMTypeConverter &llvm, RuntimeSymbols &symbols)
      : OpConversionPattern<Op>(converter, context), llvm(llvm),
        symbols(symbols) {}

  LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isa<SequenceDialect>(op->getDialect()) && failed(checkBuffers(op)))
      return failure();
    Maker make(rewriter, op, llvm, symbols);
    return convert(op, adaptor, make);
  }
  LogicalResult convert(Op op, Adaptor adaptor, Maker &make) const;
  const LLVMTypeConverter &llvm;
  RuntimeSymbols &symbols;
};
} // namespace

Value Maker::viewOf(Value record, BaseMemRefType type) {
  Type structure = llvm.convertType(type);
  Value descriptor;
  auto ranked = dyn_cast<MemRefType>(type);
  if (!ranked) {
    SmallVector<Value> parts = {
        load(rewriter.getI64Type(), address(record, rankOffset)),
        address(record, descriptorOffset)};
    descriptor = UnrankedMemRefDescriptor::pack(
        rewriter, location, llvm, cast<UnrankedMemRefType>(type), parts);
  } else if (ranked.hasStaticShape()) {
    Value data = load(pointer(), address(record, alignedOffset));
    descriptor = MemRefDescriptor::fromStaticShape(rewriter, location, llvm,
                                                   ranked, data);
  } else {
    descriptor = load(structure, address(record, descriptorOffset));
  }
  return reinterpret(descriptor, type);
}

/// Sizes as the run time takes them: -1 for any.
static Value sizesArray(Maker &make, ArrayRef<int64_t> shape) {
  SmallVector<Value> sizes;
  for (int64_t size : shape)
    sizes.push_back(make.i64(ShapedType::isDynamic(size) ? -1 : size));
  return make.array(sizes);
}

/// An element type that memory of the run time can hold.
static LogicalResult checkElementType(Operation *op, Type type) {
  if (elementBytes(type))
    return success();
  return op->emitOpError() << "has elements of type " << type
                           << ", which sequences in memory do not hold";
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

template <>
LogicalResult Lowering<SeqAllocOp>::convert(SeqAllocOp op, Adaptor adaptor,
                                            Maker &make) const {
  return make.replaceByPointer(op, "onnxfoldSequenceAlloc",
                               make.toI64(adaptor.getCapacity()));
}

template <>
LogicalResult Lowering<SeqReserveOp>::convert(SeqReserveOp op, Adaptor adaptor,
                                              Maker &make) const {
  return make.replaceByPointer(op, "onnxfoldSequenceReserve",
                               {adaptor.getStorage(),
                                make.toI64(adaptor.getLength()),
                                make.toI64(adaptor.getRoom())});
}

template <>
LogicalResult Lowering<SeqMoveOp>::convert(SeqMoveOp op, Adaptor adaptor,
                                           Maker &make) const {
  return make.replaceByCall(
      op, "onnxfoldSequenceMove",
      {adaptor.getStorage(), make.toI64(adaptor.getFrom()),
       make.toI64(adaptor.getTo()), make.toI64(adaptor.getCount())});
}

template <>
LogicalResult Lowering<SeqStoreOp>::convert(SeqStoreOp op, Adaptor adaptor,
                                            Maker &make) const {
  make.store(adaptor.getRecord(),
             make.slot(adaptor.getStorage(), adaptor.getPosition()));
  make.rewriter.eraseOp(op);
  return success();
}

template <>
LogicalResult Lowering<SeqExtractOp>::convert(SeqExtractOp op, Adaptor adaptor,
                                              Maker &make) const {
  Value record = make.load(
      make.pointer(), make.slot(adaptor.getStorage(), adaptor.getPosition()));
  if (!op.getBorrowed())
    make.call("onnxfoldSequenceRecordRetain", Type(), record);
  make.rewriter.replaceOp(op, record);
  return success();
}

template <>
LogicalResult Lowering<SeqRetainOp>::convert(SeqRetainOp op, Adaptor adaptor,
                                             Maker &make) const {
  return make.replaceByCall(op, "onnxfoldSequenceRetain", adaptor.getStorage());
}

template <>
LogicalResult Lowering<SeqDeallocOp>::convert(SeqDeallocOp op, Adaptor adaptor,
                                              Maker &make) const {
  return make.replaceByCall(
      op, "onnxfoldSequenceDealloc",
      {adaptor.getStorage(), make.toI64(adaptor.getLength())});
}

/// Who asks, for messages: the name of the location, which is the node of a
/// model, or the operation.
static std::string callerOf(Operation *op, StringRef operation) {
  std::string name = ("sequence." + operation).str();
  op->getLoc()->walk([&](Location location) {
    auto named = dyn_cast<NameLoc>(location);
    if (!named)
      return WalkResult::advance();
    name = named.getName().str();
    return WalkResult::interrupt();
  });
  return name;
}

template <>
LogicalResult Lowering<SeqPositionOp>::convert(SeqPositionOp op,
                                               Adaptor adaptor,
                                               Maker &make) const {
  using Predicate = arith::CmpIPredicate;
  Value position = adaptor.getPosition(), length = adaptor.getLength();
  Value zero = arith::ConstantIndexOp::create(make.rewriter, make.location, 0);
  Value moved =
      arith::AddIOp::create(make.rewriter, make.location, position, length);
  Value result = arith::SelectOp::create(
      make.rewriter, make.location,
      make.compare(Predicate::slt, position, zero), moved, position);
  // A number that is still negative is above every length without a sign.
  Value outside = make.compare(
      op.getInclusive() ? Predicate::ugt : Predicate::uge, result, length);
  make.callIf(outside, "onnxfoldSequenceOutOfRange",
              {make.text(callerOf(op, op.getCaller())), make.toI64(position),
               make.toI64(length), make.i64(op.getInclusive())});
  make.rewriter.replaceOp(op, result);
  return success();
}

template <>
LogicalResult Lowering<SeqExpectOp>::convert(SeqExpectOp op, Adaptor adaptor,
                                             Maker &make) const {
  Value length = make.toI64(adaptor.getLength());
  Value expected = make.i64(op.getExpected());
  make.callIf(make.compare(arith::CmpIPredicate::ne, length, expected),
              "onnxfoldSequenceOtherLength", {length, expected});
  make.rewriter.eraseOp(op);
  return success();
}

template <>
LogicalResult Lowering<SeqSplitOp>::convert(SeqSplitOp op, Adaptor adaptor,
                                            Maker &make) const {
  if (failed(checkElementType(
          op, cast<BaseMemRefType>(op.getInput().getType()).getElementType())))
    return failure();
  SmallVector<Value> arguments = make.bufferArguments(adaptor.getInput());
  arguments.push_back(make.i64(op.getAxis()));
  arguments.push_back(make.i64(op.getSqueeze()));
  arguments.push_back(make.toI64(adaptor.getChunk()));
  arguments.push_back(
      op.getSizes()
          ? make.bufferArguments(adaptor.getSizes()).back()
          : LLVM::ZeroOp::create(make.rewriter, op.getLoc(), make.pointer())
                .getResult());
  arguments.push_back(make.text(callerOf(op, "split")));
  Type i64 = make.rewriter.getI64Type();
  auto pair =
      LLVM::LLVMStructType::getLiteral(op.getContext(), {make.pointer(), i64});
  Value result = make.call("onnxfoldSequenceSplit", pair, arguments);
  auto part = [&](int64_t i) -> Value {
    return LLVM::ExtractValueOp::create(make.rewriter, op.getLoc(), result, i);
  };
  make.rewriter.replaceOp(op, {part(0), make.toIndex(part(1))});
  return success();
}

template <>
LogicalResult Lowering<SeqConcatOp>::convert(SeqConcatOp op, Adaptor adaptor,
                                             Maker &make) const {
  return make.replaceByPointer(op, "onnxfoldSequenceConcat",
                               {adaptor.getStorage(),
                                make.toI64(adaptor.getLength()),
                                make.i64(op.getAxis()), make.i64(op.getStack()),
                                make.text(callerOf(op, "concat"))});
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

template <>
LogicalResult Lowering<RecordCopyOp>::convert(RecordCopyOp op, Adaptor adaptor,
                                              Maker &make) const {
  auto type = cast<BaseMemRefType>(adaptor.getSource().getType());
  if (failed(checkElementType(op, type.getElementType())))
    return failure();
  return make.replaceByPointer(op, "onnxfoldSequenceRecordCopy",
                               make.bufferArguments(adaptor.getSource()));
}

template <>
LogicalResult Lowering<RecordAllocOp>::convert(RecordAllocOp op,
                                               Adaptor adaptor,
                                               Maker &make) const {
  auto type = cast<MemRefType>(op.getBufferType());
  if (failed(checkElementType(op, type.getElementType())))
    return failure();
  SmallVector<Value> sizes;
  auto dynamic = adaptor.getDynamicSizes().begin();
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? make.toI64(*dynamic++)
                                                : make.i64(size));
  SmallVector<Value> arguments = {
      make.i32(elementCode(type.getElementType())),
      make.i64(*elementBytes(type.getElementType())), make.i64(type.getRank()),
      make.array(sizes)};
  return make.replaceByPointer(op, "onnxfoldSequenceRecordAlloc", arguments);
}

template <>
LogicalResult Lowering<RecordViewOp>::convert(RecordViewOp op, Adaptor adaptor,
                                              Maker &make) const {
  auto type = cast<BaseMemRefType>(op.getBuffer().getType());
  if (op.getChecked()) {
    auto ranked = dyn_cast<MemRefType>(type);
    make.call(
        "onnxfoldSequenceRecordCheck", Type(),
        {adaptor.getRecord(), make.i32(elementCode(type.getElementType())),
         make.i64(ranked ? ranked.getRank() : -1),
         sizesArray(make, ranked ? ranked.getShape() : ArrayRef<int64_t>()),
         make.text(callerOf(op, "at") + ": the element")});
  }
  make.rewriter.replaceOp(op, make.viewOf(adaptor.getRecord(), type));
  return success();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

template <>
LogicalResult Lowering<SeqCheckOp>::convert(SeqCheckOp op, Adaptor adaptor,
                                            Maker &make) const {
  auto type = cast<TensorType>(op.getElementType());
  if (failed(checkElementType(op, type.getElementType())))
    return failure();
  make.call(
      "onnxfoldSequenceCheck", Type(),
      {adaptor.getStorage(), make.toI64(adaptor.getLength()),
       make.i64(op.getExpected()), make.i32(elementCode(type.getElementType())),
       make.i64(type.hasRank() ? type.getRank() : -1),
       sizesArray(make, type.hasRank() ? type.getShape() : ArrayRef<int64_t>()),
       make.text(op.getWhat())});
  make.rewriter.eraseOp(op);
  return success();
}

template <>
LogicalResult Lowering<SeqForgetOp>::convert(SeqForgetOp op, Adaptor adaptor,
                                             Maker &make) const {
  return make.replaceByCall(op, "onnxfoldSequenceForget", adaptor.getStorage());
}

template <>
LogicalResult Lowering<CheckOp>::convert(CheckOp op, Adaptor adaptor,
                                         Maker &make) const {
  auto type = cast<BaseMemRefType>(adaptor.getValue().getType());
  auto ranked = dyn_cast<MemRefType>(type);
  SmallVector<Value> buffer = make.bufferArguments(adaptor.getValue());
  Value sizes =
      ranked ? sizesArray(make, ranked.getShape())
             : LLVM::ZeroOp::create(make.rewriter, op.getLoc(), make.pointer())
                   .getResult();
  Type element = type.getElementType();
  int64_t bytes = elementBytes(element).value_or(1);
  Value alignment = make.i64(isa<ComplexType>(element) ? bytes / 2 : bytes);
  return make.replaceByCall(
      op, "onnxfoldSequenceCheckBuffer",
      {buffer[2], buffer[3], sizes, alignment, make.text(op.getWhat())});
}

template <>
LogicalResult Lowering<RetainOp>::convert(RetainOp op, Adaptor adaptor,
                                          Maker &make) const {
  return make.replaceByCall(op, "onnxfoldSequenceRecordRetain",
                            adaptor.getValue());
}

template <>
LogicalResult Lowering<ReleaseOp>::convert(ReleaseOp op, Adaptor adaptor,
                                           Maker &make) const {
  return make.replaceByCall(op, "onnxfoldSequenceRecordRelease",
                            adaptor.getValue());
}

/// MLIR's own lowering writes the message to a buffer that abort() drops.
template <>
LogicalResult Lowering<cf::AssertOp>::convert(cf::AssertOp op, Adaptor adaptor,
                                              Maker &make) const {
  Value no = arith::ConstantIntOp::create(make.rewriter, op.getLoc(), 0, 1);
  Value failed = make.compare(arith::CmpIPredicate::eq, adaptor.getArg(), no);
  make.callIf(failed, "onnxfoldSequenceStop", make.text(op.getMsg()));
  make.rewriter.eraseOp(op);
  return success();
}

/// Canonicalisation makes a select of an scf.if that yields storages.
template <>
LogicalResult Lowering<arith::SelectOp>::convert(arith::SelectOp op,
                                                 Adaptor adaptor,
                                                 Maker &make) const {
  make.rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCondition(),
                                                    adaptor.getTrueValue(),
                                                    adaptor.getFalseValue());
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The four words that the run time knows a buffer by (KernelTensor).
static void addKernelTensor(Maker &make, Value buffer,
                            SmallVectorImpl<Value> &words) {
  Type i64 = make.rewriter.getI64Type();
  SmallVector<Value> parts = make.bufferArguments(buffer);
  words.push_back(
      LLVM::ZExtOp::create(make.rewriter, make.location, i64, parts[0]));
  words.append({parts[1], parts[2]});
  words.push_back(
      LLVM::PtrToIntOp::create(make.rewriter, make.location, i64, parts[3]));
}

/// The same of a result that the run time allocates.
static void addKernelResult(Maker &make, BaseMemRefType type,
                            SmallVectorImpl<Value> &words) {
  Type element = type.getElementType();
  words.append({make.i64(elementCode(element)),
                make.i64(*elementBytes(element)),
                make.i64(type.hasRank() ? type.getRank() : -1), make.i64(0)});
}

/// The memref of a result, from its words.
static Value kernelResult(Maker &make, BaseMemRefType type, Value words,
                          int64_t first) {
  Value place = make.load(make.pointer(), make.address(words, first + 24));
  if (isa<MemRefType>(type))
    return make.reinterpret(make.load(make.llvm.convertType(type), place),
                            type);
  SmallVector<Value> parts = {
      make.load(make.rewriter.getI64Type(), make.address(words, first + 16)),
      place};
  return make.reinterpret(
      UnrankedMemRefDescriptor::pack(make.rewriter, make.location, make.llvm,
                                     cast<UnrankedMemRefType>(type), parts),
      type);
}

template <>
LogicalResult Lowering<KernelOp>::convert(KernelOp op, Adaptor adaptor,
                                          Maker &make) const {
  constexpr int64_t bytes = 32; // of a KernelTensor
  SmallVector<Type> allTypes(op.getInputs().getTypes());
  allTypes.append(op.getResultTypes().begin(), op.getResultTypes().end());
  for (Type type : allTypes)
    if (failed(
            checkElementType(op, cast<BaseMemRefType>(type).getElementType())))
      return failure();
  SmallVector<Value> inputs, outputs;
  for (Value input : adaptor.getInputs())
    addKernelTensor(make, input, inputs);
  auto given = adaptor.getOutputs().begin();
  auto types = op.getResultTypes().begin();
  for (bool isFilled : op.getFilled())
    if (isFilled)
      addKernelTensor(make, *given++, outputs);
    else
      addKernelResult(make, cast<BaseMemRefType>(*types++), outputs);
  Value words = make.array(outputs);
  make.call("onnxfoldKernelCall", Type(),
            {make.slotOf(op.getText()), make.text(op.getText()),
             make.i64(op.getText().size()), make.i64(inputs.size() / 4),
             make.array(inputs), make.i64(outputs.size() / 4), words});
  SmallVector<Value> results;
  types = op.getResultTypes().begin();
  for (auto [i, isFilled] : llvm::enumerate(op.getFilled()))
    if (!isFilled)
      results.push_back(kernelResult(make, cast<BaseMemRefType>(*types++),
                                     words, int64_t(i) * bytes));
  make.rewriter.replaceOp(op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertSeqToMemRefPass
    : onnxfold::sequence::impl::ConvertSeqToMemRefPassBase<
          ConvertSeqToMemRefPass> {
  using Base::Base;

  void runOnOperation() override;
};
} // namespace

template <typename... Ops>
static void
addPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
            const LLVMTypeConverter &llvm, RuntimeSymbols &symbols) {
  patterns.add<Lowering<Ops>...>(converter, patterns.getContext(), llvm,
                                 symbols);
}

void ConvertSeqToMemRefPass::runOnOperation() {
  MLIRContext *context = &getContext();
  LLVMTypeConverter llvm(context);
  RuntimeSymbols symbols(getOperation());
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  auto toPointer = [](Type type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  };
  converter.addConversion([&](StorageType type) { return toPointer(type); });
  converter.addConversion([&](RecordType type) { return toPointer(type); });

  ConversionTarget target(*context);
  target.addIllegalDialect<SequenceDialect>();
  target.addIllegalOp<cf::AssertOp>();
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return converter.isLegal(op); });
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp function) {
    return converter.isSignatureLegal(function.getFunctionType()) &&
           converter.isLegal(&function.getBody());
  });
  RewritePatternSet patterns(context);
  addPatterns<SeqAllocOp, SeqReserveOp, SeqMoveOp, SeqStoreOp, SeqExtractOp,
              SeqRetainOp, SeqDeallocOp, SeqPositionOp, SeqExpectOp, SeqSplitOp,
              SeqConcatOp, KernelOp, SeqCheckOp, SeqForgetOp, CheckOp,
              RecordCopyOp, RecordAllocOp, RecordViewOp, RetainOp, ReleaseOp,
              arith::SelectOp, cf::AssertOp>(patterns, converter, llvm,
                                             symbols);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
    return signalPassFailure();
  freeStackOfLoops(getOperation(), symbols);
}
