//===- Canonicalization.cpp - What is known of sequences ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements and lengths are looked up through the operations that made a
// sequence. Nothing is folded that could stop the program: each pattern asks
// for positions that are known to be inside (knownPosition).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/sequence/Dialect.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace onnxfold::sequence;

static Value makeIndex(PatternRewriter &rewriter, Location location,
                       int64_t value) {
  return arith::ConstantIndexOp::create(rewriter, location, value);
}

static bool areTensors(ValueRange values) {
  return llvm::all_of(
      values, [](Value value) { return isa<TensorType>(value.getType()); });
}

/// The type of an operation's result as inferred now, if it says more than the
/// one it has.
template <typename Op> static Type refinedType(Op op) {
  SmallVector<Type> types;
  auto isRecord = [](Value value) { return isa<RecordType>(value.getType()); };
  if (llvm::any_of(op->getOperands(), isRecord))
    return {};
  if (failed(Op::inferReturnTypes(op.getContext(), std::nullopt,
                                  op->getOperands(), op->getAttrDictionary(),
                                  op->getPropertiesStorage(), op->getRegions(),
                                  types)))
    return {};
  return types.front();
}

namespace {
/// A result type that says less than what is known now gives way to that.
template <typename Op> struct RefineResult : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto refined = dyn_cast_or_null<SequenceType>(refinedType(op));
    auto declared = dyn_cast<SequenceType>(op.getResult().getType());
    if (!refined || !declared || refined == declared ||
        !covers(declared, refined))
      return failure();
    Operation *changed = rewriter.clone(*op);
    changed->getResult(0).setType(refined);
    rewriter.replaceOp(op, castSequence(rewriter, op.getLoc(),
                                        changed->getResult(0), declared));
    return success();
  }
};

/// The elements of a sequence that was constructed or is empty.
static std::optional<SmallVector<Value>> knownElements(Value sequence) {
  Operation *maker = sequence.getDefiningOp();
  if (auto construct = dyn_cast_or_null<ConstructOp>(maker))
    if (areTensors(construct.getElements()))
      return SmallVector<Value>(construct.getElements());
  if (isa_and_nonnull<EmptyOp>(maker))
    return SmallVector<Value>();
  if (auto cast = dyn_cast_or_null<CastOp>(maker);
      cast && covers(cast.getResult().getType(), cast.getSequence().getType()))
    return knownElements(cast.getSequence());
  return std::nullopt;
}

/// Replaces an operation by the construction of known elements.
static void replaceByElements(PatternRewriter &rewriter, Operation *op,
                              ArrayRef<Value> elements) {
  auto type = cast<SequenceType>(op->getResult(0).getType());
  if (elements.empty()) {
    auto empty = EmptyOp::create(rewriter, op->getLoc(),
                                 SequenceType::get(type.getElementType(), 0));
    rewriter.replaceOp(op, castSequence(rewriter, op->getLoc(), empty, type));
    return;
  }
  auto construct = ConstructOp::create(rewriter, op->getLoc(), elements);
  rewriter.replaceOp(
      op, castSequence(rewriter, op->getLoc(), construct.getResult(), type));
}

/// insert and erase of known elements at a known position.
struct InsertIntoKnown : OpRewritePattern<InsertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(InsertOp op,
                                PatternRewriter &rewriter) const override {
    auto elements = knownElements(op.getSequence());
    std::optional<int64_t> position = knownPosition(op);
    if (!elements || !position || !isa<TensorType>(op.getElement().getType()))
      return failure();
    // The verifier has joined the type that is kept: nothing gets lost.
    elements->insert(elements->begin() + *position, op.getElement());
    replaceByElements(rewriter, op, *elements);
    return success();
  }
};

struct EraseFromKnown : OpRewritePattern<EraseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(EraseOp op,
                                PatternRewriter &rewriter) const override {
    auto elements = knownElements(op.getSequence());
    std::optional<int64_t> position = knownPosition(op);
    if (!elements || !position)
      return failure();
    elements->erase(elements->begin() + *position);
    replaceByElements(rewriter, op, *elements);
    return success();
  }
};

/// erase(insert(s, e, p), p) is s.
struct EraseInserted : OpRewritePattern<EraseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(EraseOp op,
                                PatternRewriter &rewriter) const override {
    auto insert = op.getSequence().getDefiningOp<InsertOp>();
    if (!insert)
      return failure();
    bool bothLast = !insert.getPosition() && !op.getPosition();
    std::optional<int64_t> in = knownPosition(insert), out = knownPosition(op);
    if (!bothLast && !(in && out && *in == *out))
      return failure();
    Value sequence = insert.getSequence();
    rewriter.replaceOp(op, castSequence(rewriter, op.getLoc(), sequence,
                                        op.getResult().getType()));
    return success();
  }
};

/// at of what has been constructed, and of what has been put there.
struct AtOfKnown : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> position = knownPosition(op);
    auto elements = knownElements(op.getSequence());
    if (!position || !elements)
      return failure();
    return replaceByTensor(rewriter, op, (*elements)[*position]);
  }

  /// Fails where the tensor's type contradicts the one that is wanted: the
  /// program stops there.
  static LogicalResult replaceByTensor(PatternRewriter &rewriter, AtOp op,
                                       Value tensor) {
    auto type = cast<TensorType>(op.getResult().getType());
    if (!isa<TensorType>(tensor.getType()) ||
        !covers(type, cast<TensorType>(tensor.getType())))
      return failure();
    rewriter.replaceOp(op, castTensor(rewriter, op.getLoc(), tensor, type));
    return success();
  }
};

/// at(insert(s, e, p), k) is e, or at(s, k) or at(s, k - 1).
struct AtOfInsert : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtOp op,
                                PatternRewriter &rewriter) const override {
    auto insert = op.getSequence().getDefiningOp<InsertOp>();
    std::optional<int64_t> k = constantIndex(op.getPosition());
    if (!insert || !k)
      return failure();
    bool bothLast = !insert.getPosition() && *k == -1;
    std::optional<int64_t> in = knownPosition(insert);
    if (bothLast || (in && *in == 0 && *k == 0))
      return AtOfKnown::replaceByTensor(rewriter, op, insert.getElement());
    std::optional<int64_t> out = knownPosition(op);
    if (!in || !out)
      return failure();
    if (*in == *out)
      return AtOfKnown::replaceByTensor(rewriter, op, insert.getElement());
    Value position =
        makeIndex(rewriter, op.getLoc(), *out > *in ? *out - 1 : *out);
    rewriter.replaceOpWithNewOp<AtOp>(op, op.getResult().getType(),
                                      insert.getSequence(), position);
    return success();
  }
};

/// at(erase(s, p), k) is at(s, k) or at(s, k + 1).
struct AtOfErase : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtOp op,
                                PatternRewriter &rewriter) const override {
    auto erase = op.getSequence().getDefiningOp<EraseOp>();
    if (!erase)
      return failure();
    std::optional<int64_t> erased = knownPosition(erase), k = knownPosition(op);
    if (!erased || !k)
      return failure();
    Value position =
        makeIndex(rewriter, op.getLoc(), *k >= *erased ? *k + 1 : *k);
    rewriter.replaceOpWithNewOp<AtOp>(op, op.getResult().getType(),
                                      erase.getSequence(), position);
    return success();
  }
};

/// at(cast(s)) is at(s), where the cast cannot stop the program.
struct AtOfCast : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtOp op,
                                PatternRewriter &rewriter) const override {
    auto source = op.getSequence().getDefiningOp<CastOp>();
    if (!source ||
        !covers(source.getResult().getType(), source.getSequence().getType()))
      return failure();
    auto type = cast<TensorType>(op.getResult().getType());
    TensorType element = source.getSequence().getType().getElementType();
    // The element has the type that is known of the sequence; otherwise `at`
    // still looks at what the result type says more.
    TensorType taken = covers(type, element) ? element : type;
    if (!areCompatible(taken, element))
      return failure();
    Value at = AtOp::create(rewriter, op.getLoc(), taken, source.getSequence(),
                            op.getPosition());
    rewriter.replaceOp(op, castTensor(rewriter, op.getLoc(), at, type));
    return success();
  }
};

/// An element of less type than its sequence has: at says the better one.
struct RefineAt : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<TensorType>(op.getResult().getType());
    TensorType element = op.getSequence().getType().getElementType();
    if (type == element || !covers(type, element))
      return failure();
    Value at = AtOp::create(rewriter, op.getLoc(), element, op.getSequence(),
                            op.getPosition());
    rewriter.replaceOp(op, castTensor(rewriter, op.getLoc(), at, type));
    return success();
  }
};

/// A tensor that is cast to a type that says more: at looks whether it is that.
struct CastOfAt : OpRewritePattern<tensor::CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::CastOp op,
                                PatternRewriter &rewriter) const override {
    auto at = op.getSource().getDefiningOp<AtOp>();
    auto type = cast<TensorType>(op.getType());
    if (!at || !at->hasOneUse() || at->getBlock() != op->getBlock() ||
        !covers(cast<TensorType>(at.getResult().getType()), type))
      return failure();
    rewriter.setInsertionPoint(at);
    rewriter.replaceOpWithNewOp<AtOp>(op, type, at.getSequence(),
                                      at.getPosition());
    rewriter.eraseOp(at);
    return success();
  }
};

/// at(split(t), k) is a slice of t, where t's extent and the chunk are known.
struct AtOfSplit : OpRewritePattern<AtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AtOp op,
                                PatternRewriter &rewriter) const override {
    auto split = op.getSequence().getDefiningOp<SplitOp>();
    std::optional<int64_t> k = knownPosition(op);
    if (!split || !k || split.getSizes() || split.getSqueeze())
      return failure();
    auto input = dyn_cast<RankedTensorType>(split.getInput().getType());
    std::optional<int64_t> chunk = split.getChunk()
                                       ? constantIndex(split.getChunk())
                                       : std::optional<int64_t>(1);
    if (!input || !input.hasStaticShape() || !chunk)
      return failure();
    int64_t axis = split.getAxis(), rank = input.getRank();
    axis = axis < 0 ? axis + rank : axis;
    SmallVector<int64_t> offsets(rank, 0), strides(rank, 1);
    SmallVector<int64_t> sizes(input.getShape());
    offsets[axis] = *k * *chunk;
    sizes[axis] = std::min(*chunk, sizes[axis] - offsets[axis]);
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(sizes, input.getElementType()), split.getInput(),
        ValueRange(), ValueRange(), ValueRange(), offsets, sizes, strides);
    return AtOfKnown::replaceByTensor(rewriter, op, slice);
  }
};

/// The length of what was changed at a place that is surely inside.
struct LengthOfChanged : OpRewritePattern<LengthOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LengthOp op,
                                PatternRewriter &rewriter) const override {
    Operation *maker = op.getSequence().getDefiningOp();
    if (auto cast = dyn_cast_or_null<CastOp>(maker);
        cast &&
        covers(cast.getResult().getType(), cast.getSequence().getType())) {
      rewriter.modifyOpInPlace(
          op, [&] { op.getSequenceMutable().assign(cast.getSequence()); });
      return success();
    }
    auto insert = dyn_cast_or_null<InsertOp>(maker);
    if (!insert || (insert.getPosition() && !knownPosition(insert)))
      return failure();
    Value before =
        LengthOp::create(rewriter, op.getLoc(), insert.getSequence());
    rewriter.replaceOpWithNewOp<arith::AddIOp>(
        op, before, makeIndex(rewriter, op.getLoc(), 1));
    return success();
  }
};
} // namespace

OpFoldResult LengthOp::fold(FoldAdaptor) {
  if (!getSequence().getType().hasLength())
    return {};
  return IntegerAttr::get(IndexType::get(getContext()),
                          getSequence().getType().getLength());
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getSequence().getType() == getResult().getType())
    return getSequence();
  auto source = getSequence().getDefiningOp<CastOp>();
  if (!source)
    return {};
  auto from = source.getSequence().getType(), to = getResult().getType();
  if (!covers(source.getResult().getType(), from) || !areCompatible(from, to))
    return {};
  // The one in between asked for nothing.
  getSequenceMutable().assign(source.getSequence());
  return getResult();
}

void InsertOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<InsertIntoKnown, RefineResult<InsertOp>,
               RefineResult<ConstructOp>, RefineResult<SplitOp>>(context);
}

void EraseOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<EraseFromKnown, EraseInserted, RefineResult<EraseOp>>(context);
}

void AtOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                       MLIRContext *context) {
  patterns.add<AtOfKnown, AtOfInsert, AtOfErase, AtOfCast, AtOfSplit, RefineAt,
               CastOfAt>(context);
}

void LengthOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<LengthOfChanged>(context);
}
