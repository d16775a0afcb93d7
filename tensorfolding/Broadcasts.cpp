//===- Broadcasts.cpp - Element-wise work before broadcasts ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/internal/Broadcasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace onnxfold {

using namespace mlir;

namespace {

/// A tensor that repeats another one along some of its dimensions.
struct Broadcast {
  Value source;
  Value init;
  SmallVector<int64_t> dims; // of the result that the source does not have

  bool isAlong(int64_t dim) const { return llvm::is_contained(dims, dim); }
};

} // namespace

/// Nothing if a value is no broadcast, or one that adds no element.
static std::optional<Broadcast> broadcastOf(Value value) {
  Broadcast found;
  if (auto broadcast = value.getDefiningOp<linalg::BroadcastOp>()) {
    found = {broadcast.getInput(), broadcast.getInit(),
             llvm::to_vector(broadcast.getDimensions())};
  } else if (auto generic = value.getDefiningOp<linalg::GenericOp>()) {
    auto dims = linalg::isaBroadcastOpInterface(generic);
    if (!dims || !isa<RankedTensorType>(generic.getDpsInputs()[0].getType()))
      return std::nullopt;
    found = {generic.getDpsInputs()[0], generic.getDpsInits()[0], *dims};
  } else {
    return std::nullopt;
  }
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || llvm::all_of(found.dims, [&](int64_t dim) {
        return type.getDimSize(dim) == 1;
      }))
    return std::nullopt;
  return found;
}

namespace {

/// Computes one element-wise operation on what its operands repeat. All of them
/// are broadcasts along the same dimensions, splats, or do not have those
/// dimensions.
class Postponement {
public:
  explicit Postponement(Operation *op) : op(op), builder(op) {}

  bool run() {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return runOnLinalg(linalgOp);
    return OpTrait::hasElementwiseMappableTraits(op) &&
           op->getNumRegions() == 0 && op->getNumResults() == 1 &&
           isa<RankedTensorType>(op->getResult(0).getType()) && runOnMappable();
  }

private:
  bool findBroadcast(ValueRange operands) {
    for (Value operand : operands)
      if ((broadcast = broadcastOf(operand)))
        return true;
    return false;
  }

  /// The tensor that one of the result's shape repeats: the source of a
  /// broadcast, or a smaller splat. Null if it repeats none.
  Value repeatedBy(Value operand) {
    DenseElementsAttr literal;
    if (matchPattern(operand, m_Constant(&literal)) && literal.isSplat())
      return arith::ConstantOp::create(
          builder, operand.getLoc(),
          literal.resizeSplat(smallType(operand.getType())));
    std::optional<Broadcast> other = broadcastOf(operand);
    if (!other || other->dims != broadcast->dims)
      return nullptr;
    auto type = cast<RankedTensorType>(other->source.getType());
    auto ours = cast<RankedTensorType>(broadcast->source.getType());
    return type.getShape() == ours.getShape() ? other->source : Value();
  }

  /// Can repeatedBy make something of it?
  bool isRepeating(Value operand) {
    DenseElementsAttr literal;
    if (matchPattern(operand, m_Constant(&literal)))
      return literal.isSplat();
    return bool(repeatedBy(operand));
  }

  /// A tensor type without the dimensions of the broadcast.
  RankedTensorType smallType(Type type) const {
    auto big = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape;
    for (auto [dim, size] : llvm::enumerate(big.getShape()))
      if (!broadcast->isAlong(dim))
        shape.push_back(size);
    return big.clone(shape);
  }

  /// Without content, of the shape of `like`.
  Value emptyLike(Value like, RankedTensorType type) {
    SmallVector<Value> sizes;
    for (int64_t dim : llvm::seq(type.getRank()))
      if (type.isDynamicDim(dim))
        sizes.push_back(
            tensor::DimOp::create(builder, op->getLoc(), like, dim));
    return tensor::EmptyOp::create(builder, op->getLoc(), type, sizes);
  }

  void replace(Value result, Value small, Value init) {
    auto repeated = linalg::BroadcastOp::create(builder, op->getLoc(), small,
                                                init, broadcast->dims);
    result.replaceAllUsesWith(repeated->getResult(0));
  }

  bool runOnMappable() {
    auto tensors =
        llvm::make_filter_range(op->getOperands(), [](Value operand) {
          return isa<RankedTensorType>(operand.getType());
        });
    if (!findBroadcast(op->getOperands()) ||
        !llvm::all_of(tensors,
                      [&](Value operand) { return isRepeating(operand); }))
      return false;
    Operation *small = builder.clone(*op);
    builder.setInsertionPoint(small);
    for (OpOperand &operand : small->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()))
        operand.set(repeatedBy(operand.get()));
    builder.setInsertionPoint(op);
    Value result = op->getResult(0);
    auto type = cast<RankedTensorType>(result.getType());
    auto source = cast<RankedTensorType>(broadcast->source.getType());
    small->getResult(0).setType(source.clone(type.getElementType()));
    replace(result, small->getResult(0), emptyLike(broadcast->init, type));
    return true;
  }

  /// Does every iteration compute one element of each result, from elements
  /// alone?
  static bool isElementwise(linalg::LinalgOp linalgOp) {
    return linalgOp.hasPureTensorSemantics() &&
           linalgOp.getNumParallelLoops() == linalgOp.getNumLoops() &&
           llvm::all_of(
               linalgOp.getDpsInitsMutable(),
               [&](OpOperand &init) {
                 return linalgOp.getMatchingIndexingMap(&init).isIdentity() &&
                        !linalgOp.payloadUsesValueFromOperand(&init);
               }) &&
           !linalgOp.getBlock()
                ->walk([](linalg::IndexOp) { return WalkResult::interrupt(); })
                .wasInterrupted();
  }

  bool usesBroadcastDims(AffineMap map) const {
    return llvm::any_of(broadcast->dims,
                        [&](int64_t dim) { return map.isFunctionOfDim(dim); });
  }

  bool findBroadcast(linalg::LinalgOp linalgOp) {
    for (OpOperand *input : linalgOp.getDpsInputOperands())
      if (linalgOp.getMatchingIndexingMap(input).isIdentity() &&
          (broadcast = broadcastOf(input->get())))
        return true;
    return false;
  }

  bool runOnLinalg(linalg::LinalgOp linalgOp) {
    if (linalgOp->getNumRegions() != 1 || !isElementwise(linalgOp) ||
        !findBroadcast(linalgOp))
      return false;
    for (OpOperand *input : linalgOp.getDpsInputOperands()) {
      AffineMap map = linalgOp.getMatchingIndexingMap(input);
      if (usesBroadcastDims(map) &&
          !(map.isIdentity() && isRepeating(input->get())))
        return false;
    }
    linalg::GenericOp small = makeSmall(linalgOp);
    for (auto [result, smallResult, init] :
         llvm::zip_equal(linalgOp->getResults(), small.getResults(),
                         linalgOp.getDpsInits()))
      replace(result, smallResult, init);
    return true;
  }

  /// The operation without the loops over the dimensions of the broadcast.
  linalg::GenericOp makeSmall(linalg::LinalgOp linalgOp) {
    SmallVector<AffineExpr> loops;
    unsigned kept = 0;
    for (unsigned loop : llvm::seq(linalgOp.getNumLoops()))
      loops.push_back(broadcast->isAlong(loop)
                          ? builder.getAffineConstantExpr(0)
                          : builder.getAffineDimExpr(kept++));
    SmallVector<Value> inputs, inits;
    SmallVector<AffineMap> maps;
    for (OpOperand *input : linalgOp.getDpsInputOperands()) {
      AffineMap map = linalgOp.getMatchingIndexingMap(input);
      bool isRepeated = usesBroadcastDims(map);
      inputs.push_back(isRepeated ? repeatedBy(input->get()) : input->get());
      maps.push_back(isRepeated
                         ? builder.getMultiDimIdentityMap(kept)
                         : map.replaceDimsAndSymbols(loops, {}, kept, 0));
    }
    auto source = cast<RankedTensorType>(broadcast->source.getType());
    for (Value init : linalgOp.getDpsInits()) {
      Type element = cast<RankedTensorType>(init.getType()).getElementType();
      inits.push_back(emptyLike(broadcast->source,
                                cast<RankedTensorType>(source.clone(element))));
      maps.push_back(builder.getMultiDimIdentityMap(kept));
    }
    SmallVector<utils::IteratorType> iterators(kept,
                                               utils::IteratorType::parallel);
    auto small = linalg::GenericOp::create(builder, op->getLoc(),
                                           TypeRange(ValueRange(inits)), inputs,
                                           inits, maps, iterators);
    small->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    IRMapping mapping;
    op->getRegion(0).cloneInto(&small.getRegion(), mapping);
    // The bodies of some named operations do not have their inits.
    Block *body = small.getBody();
    for (unsigned i = body->getNumArguments(); i < maps.size(); ++i)
      body->addArgument(getElementTypeOrSelf(small->getOperand(i).getType()),
                        op->getLoc());
    return small;
  }

  Operation *op;
  OpBuilder builder;
  std::optional<Broadcast> broadcast; // along whose dims all others are
};

} // namespace

/// Erases operations that nothing uses, and what only they used.
static void eraseUnused(ArrayRef<Operation *> roots) {
  llvm::SetVector<Operation *> next(roots.begin(), roots.end());
  while (!next.empty()) {
    Operation *op = next.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        next.insert(producer);
    op->erase();
  }
}

bool postponeBroadcasts(const ConstantAnalysis &analysis) {
  SmallVector<Operation *> replaced;
  for (const ConstantAnalysis::Classified &classified : analysis.operations())
    if (classified.tier != ConstantTier::Variable &&
        Postponement(classified.operation).run())
      replaced.push_back(classified.operation);
  eraseUnused(replaced);
  return !replaced.empty();
}

} // namespace onnxfold
