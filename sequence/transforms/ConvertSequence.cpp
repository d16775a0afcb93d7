//===- ConvertSequence.cpp - Sequences become storage and length ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// insert and erase take the reference of their sequence, so seqreserve copies
// the slots only where somebody else has one. No element is copied.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/Dialect.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace onnxfold::sequence {
#define GEN_PASS_DEF_CONVERTSEQUENCEPASS
#include "onnxfold/sequence/transforms/Passes.h.inc"
} // namespace onnxfold::sequence

using namespace mlir;
using namespace onnxfold::sequence;

namespace {
/// A sequence after the conversion.
struct Parts {
  Parts(ValueRange values) : storage(values[0]), length(values[1]) {}
  Parts(Value storage, Value length) : storage(storage), length(length) {}
  Value storage, length;
};

/// Makes the operations of one pattern.
struct RecordMaker {
  RecordMaker(ConversionPatternRewriter &rewriter, Operation *op)
      : rewriter(rewriter), location(op->getLoc()) {}

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, location, value);
  }
  /// A sum with a constant of such a sum becomes one here: arith's pattern
  /// fuses their locations, which after n inserts are n.
  Value add(Value left, Value right) {
    auto r = constantIndex(right);
    auto inner = left.getDefiningOp<arith::AddIOp>();
    auto more = inner ? constantIndex(inner.getRhs()) : std::nullopt;
    if (r && more)
      return add(inner.getLhs(), index(*r + *more));
    auto l = constantIndex(left);
    if (l && r)
      return index(*l + *r);
    return arith::AddIOp::create(rewriter, location, left, right);
  }
  Value subtract(Value left, Value right) {
    if (auto r = constantIndex(right))
      return add(left, index(-*r));
    return arith::SubIOp::create(rewriter, location, left, right);
  }
  /// A position from the front, checked where it is not known.
  Value position(Value position, Value length, StringRef caller,
                 bool inclusive) {
    auto known = constantIndex(position), of = constantIndex(length);
    if (known && of)
      if (auto fromFront = positionFromFront(*known, *of, inclusive))
        return index(*fromFront);
    return SeqPositionOp::create(rewriter, location, position, length, caller,
                                 inclusive);
  }
  Value reserve(Parts sequence, Value room) {
    return SeqReserveOp::create(rewriter, location, sequence.storage,
                                sequence.length, room);
  }
  /// Checks a sequence whose type is not trusted.
  void check(Parts sequence, SequenceType type, bool checkLength,
             StringRef what) {
    int64_t expected = checkLength && type.hasLength() ? type.getLength() : -1;
    SeqCheckOp::create(rewriter, location, sequence.storage, sequence.length,
                       TypeAttr::get(type.getElementType()),
                       rewriter.getI64IntegerAttr(expected),
                       rewriter.getStringAttr(what));
  }
  /// A storage whose new type has more elements is not of the type that it was
  /// checked for.
  void forgetIfWider(Value storage, SequenceType from, SequenceType to) {
    if (!covers(from.getElementType(), to.getElementType()))
      SeqForgetOp::create(rewriter, location, storage);
  }
  void replace(Operation *op, Parts parts) {
    SmallVector<Value> values = {parts.storage, parts.length};
    rewriter.replaceOpWithMultiple(op, ArrayRef<SmallVector<Value>>(values));
  }

  ConversionPatternRewriter &rewriter;
  Location location;
};

template <typename Op> struct SequenceLowering : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(Op op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RecordMaker make(rewriter, op);
    return convert(op, adaptor, make);
  }
  LogicalResult convert(Op op, OneToNOpAdaptor adaptor,
                        RecordMaker &make) const;
};

template <>
LogicalResult SequenceLowering<EmptyOp>::convert(EmptyOp op, OneToNOpAdaptor,
                                                 RecordMaker &make) const {
  Value zero = make.index(0);
  make.replace(op,
               {SeqAllocOp::create(make.rewriter, op.getLoc(), zero), zero});
  return success();
}

template <>
LogicalResult SequenceLowering<ConstructOp>::convert(ConstructOp op,
                                                     OneToNOpAdaptor adaptor,
                                                     RecordMaker &make) const {
  Value length = make.index(op.getElements().size());
  Value storage = SeqAllocOp::create(make.rewriter, op.getLoc(), length);
  for (auto [i, element] : llvm::enumerate(adaptor.getElements()))
    SeqStoreOp::create(make.rewriter, op.getLoc(), element.front(), storage,
                       make.index(i));
  make.replace(op, {storage, length});
  return success();
}

template <>
LogicalResult SequenceLowering<InsertOp>::convert(InsertOp op,
                                                  OneToNOpAdaptor adaptor,
                                                  RecordMaker &make) const {
  Parts sequence(adaptor.getSequence());
  Value position = sequence.length;
  if (op.getPosition())
    position = make.position(adaptor.getPosition().front(), sequence.length,
                             "insert", /*inclusive=*/true);
  Value one = make.index(1);
  Value length = make.add(sequence.length, one);
  Value storage = make.reserve(sequence, length);
  make.forgetIfWider(storage, op.getSequence().getType(),
                     op.getResult().getType());
  if (op.getPosition())
    SeqMoveOp::create(make.rewriter, op.getLoc(), storage, position,
                      make.add(position, one),
                      make.subtract(sequence.length, position));
  SeqStoreOp::create(make.rewriter, op.getLoc(), adaptor.getElement().front(),
                     storage, position);
  make.replace(op, {storage, length});
  return success();
}

template <>
LogicalResult SequenceLowering<EraseOp>::convert(EraseOp op,
                                                 OneToNOpAdaptor adaptor,
                                                 RecordMaker &make) const {
  Parts sequence(adaptor.getSequence());
  Value one = make.index(1);
  Value asked =
      op.getPosition() ? adaptor.getPosition().front() : make.index(-1);
  Value position =
      make.position(asked, sequence.length, "erase", /*inclusive=*/false);
  Value length = make.subtract(sequence.length, one);
  Value storage = make.reserve(sequence, sequence.length);
  make.forgetIfWider(storage, op.getSequence().getType(),
                     op.getResult().getType());
  Value erased = SeqExtractOp::create(make.rewriter, op.getLoc(), storage,
                                      position, /*borrowed=*/true);
  if (op.getPosition())
    SeqMoveOp::create(make.rewriter, op.getLoc(), storage,
                      make.add(position, one), position,
                      make.subtract(length, position));
  // The reference was the slot's.
  ReleaseOp::create(make.rewriter, op.getLoc(), erased);
  make.replace(op, {storage, length});
  return success();
}

template <>
LogicalResult SequenceLowering<RecordAtOp>::convert(RecordAtOp op,
                                                    OneToNOpAdaptor adaptor,
                                                    RecordMaker &make) const {
  Parts sequence(adaptor.getSequence());
  Value position = make.position(adaptor.getPosition().front(), sequence.length,
                                 "at", /*inclusive=*/false);
  make.rewriter.replaceOpWithNewOp<SeqExtractOp>(op, sequence.storage, position,
                                                 op.getBorrowed());
  return success();
}

template <>
LogicalResult SequenceLowering<LengthOp>::convert(LengthOp op,
                                                  OneToNOpAdaptor adaptor,
                                                  RecordMaker &make) const {
  make.rewriter.replaceOp(op, Parts(adaptor.getSequence()).length);
  return success();
}

template <>
LogicalResult SequenceLowering<CastOp>::convert(CastOp op,
                                                OneToNOpAdaptor adaptor,
                                                RecordMaker &make) const {
  Parts sequence(adaptor.getSequence());
  SequenceType said = op.getResult().getType();
  SequenceType known = op.getSequence().getType();
  if (!covers(said.getElementType(), known.getElementType()) &&
      known.getLength() != 0)
    make.check(sequence, said, !known.hasLength(),
               "sequence.cast: the sequence");
  else if (said.hasLength() && !known.hasLength())
    SeqExpectOp::create(make.rewriter, op.getLoc(), sequence.length,
                        said.getLength());
  make.forgetIfWider(sequence.storage, known, said);
  make.replace(op, sequence);
  return success();
}

template <>
LogicalResult SequenceLowering<CheckOp>::convert(CheckOp op,
                                                 OneToNOpAdaptor adaptor,
                                                 RecordMaker &make) const {
  auto type = dyn_cast<SequenceType>(op.getValue().getType());
  if (!type)
    return failure(); // a buffer: convert-seq-to-memref
  make.check(adaptor.getValue(), type, /*checkLength=*/true, op.getWhat());
  make.rewriter.eraseOp(op);
  return success();
}

template <>
LogicalResult SequenceLowering<SplitOp>::convert(SplitOp op,
                                                 OneToNOpAdaptor adaptor,
                                                 RecordMaker &make) const {
  auto split = SeqSplitOp::create(
      make.rewriter, op.getLoc(), adaptor.getInput().front(),
      op.getChunk() ? adaptor.getChunk().front() : make.index(1),
      op.getSizes() ? adaptor.getSizes().front() : Value(), op.getAxis(),
      op.getSqueeze());
  Value length = split.getLength();
  SequenceType type = op.getResult().getType();
  if (type.hasLength()) {
    SeqExpectOp::create(make.rewriter, op.getLoc(), length, type.getLength());
    length = make.index(type.getLength());
  }
  make.replace(op, {split.getStorage(), length});
  return success();
}

template <>
LogicalResult SequenceLowering<ConcatOp>::convert(ConcatOp op,
                                                  OneToNOpAdaptor adaptor,
                                                  RecordMaker &make) const {
  Parts sequence(adaptor.getSequence());
  make.rewriter.replaceOpWithNewOp<SeqConcatOp>(
      op, sequence.storage, sequence.length, op.getAxis(), op.getStack());
  return success();
}

template <>
LogicalResult SequenceLowering<RetainOp>::convert(RetainOp op,
                                                  OneToNOpAdaptor adaptor,
                                                  RecordMaker &make) const {
  make.rewriter.replaceOpWithNewOp<SeqRetainOp>(
      op, Parts(adaptor.getValue()).storage);
  return success();
}

template <>
LogicalResult SequenceLowering<ReleaseOp>::convert(ReleaseOp op,
                                                   OneToNOpAdaptor adaptor,
                                                   RecordMaker &make) const {
  Parts sequence(adaptor.getValue());
  make.rewriter.replaceOpWithNewOp<SeqDeallocOp>(op, sequence.storage,
                                                 sequence.length);
  return success();
}

struct ConvertSequencePass
    : onnxfold::sequence::impl::ConvertSequencePassBase<ConvertSequencePass> {
  using Base::Base;

  void runOnOperation() override;
};
} // namespace

void ConvertSequencePass::runOnOperation() {
  MLIRContext *context = &getContext();
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [](SequenceType type, SmallVectorImpl<Type> &types) -> LogicalResult {
        types.push_back(StorageType::get(type.getContext()));
        types.push_back(IndexType::get(type.getContext()));
        return success();
      });

  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return converter.isLegal(op); });
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp function) {
    return converter.isSignatureLegal(function.getFunctionType()) &&
           converter.isLegal(&function.getBody());
  });
  RewritePatternSet patterns(context);
  patterns.add<SequenceLowering<EmptyOp>, SequenceLowering<ConstructOp>,
               SequenceLowering<InsertOp>, SequenceLowering<EraseOp>,
               SequenceLowering<RecordAtOp>, SequenceLowering<LengthOp>,
               SequenceLowering<CastOp>, SequenceLowering<CheckOp>,
               SequenceLowering<SplitOp>, SequenceLowering<ConcatOp>,
               SequenceLowering<RetainOp>, SequenceLowering<ReleaseOp>>(
      converter, context);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  if (failed(applyFullConversion(getOperation(), target, std::move(patterns))))
    signalPassFailure();
}
