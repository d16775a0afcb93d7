//===- Operations.cpp - Verifiers, types of results, effects --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/sequence/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace onnxfold::sequence;

#define GET_OP_CLASSES
#include "onnxfold/sequence/SequenceOps.cpp.inc"

void SequenceDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "onnxfold/sequence/SequenceOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

std::optional<int64_t> onnxfold::sequence::constantIndex(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

std::optional<int64_t> onnxfold::sequence::positionFromFront(int64_t position,
                                                             int64_t length,
                                                             bool inclusive) {
  if (ShapedType::isDynamic(length)) {
    // The front is inside wherever an element may be put behind the last.
    if (inclusive && position == 0)
      return 0;
    return std::nullopt;
  }
  int64_t fromFront = position < 0 ? position + length : position;
  if (fromFront < 0 || fromFront >= length + (inclusive ? 1 : 0))
    return std::nullopt;
  return fromFront;
}

std::optional<int64_t> onnxfold::sequence::knownPosition(InsertOp op) {
  int64_t length = op.getSequence().getType().getLength();
  if (!op.getPosition())
    return ShapedType::isDynamic(length) ? std::nullopt
                                         : std::optional<int64_t>(length);
  std::optional<int64_t> position = constantIndex(op.getPosition());
  return position ? positionFromFront(*position, length, /*inclusive=*/true)
                  : std::nullopt;
}

std::optional<int64_t> onnxfold::sequence::knownPosition(EraseOp op) {
  int64_t length = op.getSequence().getType().getLength();
  std::optional<int64_t> position = op.getPosition()
                                        ? constantIndex(op.getPosition())
                                        : std::optional<int64_t>(-1);
  return position ? positionFromFront(*position, length, /*inclusive=*/false)
                  : std::nullopt;
}

std::optional<int64_t> onnxfold::sequence::knownPosition(AtOp op) {
  std::optional<int64_t> position = constantIndex(op.getPosition());
  return position ? positionFromFront(*position,
                                      op.getSequence().getType().getLength(),
                                      /*inclusive=*/false)
                  : std::nullopt;
}

/// An operation that may stop the program runs only where it was asked for.
static Speculation::Speculatability speculatableIf(bool cannotStop) {
  return cannotStop ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

Speculation::Speculatability InsertOp::getSpeculatability() {
  return speculatableIf(!getPosition() || knownPosition(*this));
}

Speculation::Speculatability EraseOp::getSpeculatability() {
  return speculatableIf(knownPosition(*this).has_value());
}

Speculation::Speculatability AtOp::getSpeculatability() {
  return speculatableIf(knownPosition(*this) &&
                        covers(cast<TensorType>(getResult().getType()),
                               getSequence().getType().getElementType()));
}

Speculation::Speculatability SplitOp::getSpeculatability() {
  auto input = dyn_cast<RankedTensorType>(getInput().getType());
  return speculatableIf(input && !getSizes() && !getChunk());
}

Speculation::Speculatability ConcatOp::getSpeculatability() {
  return Speculation::NotSpeculatable;
}

Speculation::Speculatability CastOp::getSpeculatability() {
  return speculatableIf(covers(getResult().getType(), getSequence().getType()));
}

//===----------------------------------------------------------------------===//
// Types of results
//===----------------------------------------------------------------------===//

/// Results may say less than is known.
static bool resultCovers(TypeRange inferred, TypeRange actual) {
  auto general = dyn_cast<SequenceType>(actual.front());
  return general && covers(general, cast<SequenceType>(inferred.front()));
}

/// The tensor type of an element, null for a record, whose type is not known.
static TensorType elementTypeOf(Value element) {
  return dyn_cast<TensorType>(element.getType());
}

LogicalResult EmptyOp::verify() {
  int64_t length = getResult().getType().getLength();
  if (length > 0)
    return emitOpError() << "has length 0, not " << length;
  return success();
}

LogicalResult ConstructOp::verify() {
  if (getElements().empty())
    return emitOpError("needs an element; sequence.empty says the type of "
                       "a sequence without elements");
  return success();
}

LogicalResult ConstructOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> location,
                                            ValueRange operands, DictionaryAttr,
                                            OpaqueProperties, RegionRange,
                                            SmallVectorImpl<Type> &types) {
  TensorType joined;
  for (Value operand : operands) {
    TensorType type = elementTypeOf(operand);
    if (!type) // records: the result type says what they are
      type = UnrankedTensorType::get(NoneType::get(context));
    joined = joined ? joinTensors(joined, type) : type;
    if (!joined)
      return emitOptionalError(location, "elements of different kinds: ",
                               operands.front().getType(), " and ", type);
  }
  if (!joined)
    return emitOptionalError(location, "a sequence without elements has no "
                                       "type: sequence.empty says one");
  types.push_back(SequenceType::get(joined, operands.size()));
  return success();
}

/// Works as resultCovers; of records only the length is inferred, since their
/// types were checked as long as they were tensors.
static bool compatibleOrOfRecords(TypeRange inferred, TypeRange actual) {
  auto general = dyn_cast<SequenceType>(actual.front());
  auto special = cast<SequenceType>(inferred.front());
  if (!general || !isa<NoneType>(special.getElementType().getElementType()))
    return resultCovers(inferred, actual);
  return !general.hasLength() || general.getLength() == special.getLength();
}

bool ConstructOp::isCompatibleReturnTypes(TypeRange inferred,
                                          TypeRange actual) {
  return compatibleOrOfRecords(inferred, actual);
}

static int64_t lengthPlus(int64_t length, int64_t more) {
  return ShapedType::isDynamic(length) ? length : length + more;
}

LogicalResult InsertOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> location,
                                         ValueRange operands, DictionaryAttr,
                                         OpaqueProperties, RegionRange,
                                         SmallVectorImpl<Type> &types) {
  auto sequence = dyn_cast<SequenceType>(operands[1].getType());
  if (!sequence)
    return emitOptionalError(location, "inserts into a sequence, not into ",
                             operands[1].getType());
  TensorType element = elementTypeOf(operands[0]);
  if (!element && sequence.getLength() == 0) // as in construct
    element = UnrankedTensorType::get(NoneType::get(context));
  else if (!element)
    element = sequence.getElementType();
  TensorType joined = sequence.getLength() == 0 && !elementTypeOf(operands[0])
                          ? element
                          : joinTensors(sequence.getElementType(), element);
  if (!joined)
    return emitOptionalError(location, "inserts ", element,
                             " into a sequence of another kind, ", sequence);
  if (sequence.getLength() == 0)
    joined = element;
  types.push_back(
      SequenceType::get(joined, lengthPlus(sequence.getLength(), 1)));
  return success();
}

bool InsertOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) {
  return compatibleOrOfRecords(inferred, actual);
}

LogicalResult EraseOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> location,
                                        ValueRange operands, DictionaryAttr,
                                        OpaqueProperties, RegionRange,
                                        SmallVectorImpl<Type> &types) {
  auto sequence = dyn_cast<SequenceType>(operands[0].getType());
  if (!sequence)
    return emitOptionalError(location, "erases from a sequence, not from ",
                             operands[0].getType());
  // A sequence of length 0 has nothing to erase: the program notices that.
  int64_t length = sequence.getLength() == 0
                       ? ShapedType::kDynamic
                       : lengthPlus(sequence.getLength(), -1);
  types.push_back(SequenceType::get(sequence.getElementType(), length));
  return success();
}

bool EraseOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) {
  return resultCovers(inferred, actual);
}

LogicalResult AtOp::inferReturnTypes(MLIRContext *,
                                     std::optional<Location> location,
                                     ValueRange operands, DictionaryAttr,
                                     OpaqueProperties, RegionRange,
                                     SmallVectorImpl<Type> &types) {
  auto sequence = dyn_cast<SequenceType>(operands[0].getType());
  if (!sequence)
    return emitOptionalError(location, "takes from a sequence, not from ",
                             operands[0].getType());
  types.push_back(sequence.getElementType());
  return success();
}

bool AtOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) {
  auto type = dyn_cast<TensorType>(actual.front());
  return type && areCompatible(type, cast<TensorType>(inferred.front()));
}

LogicalResult CastOp::verify() {
  if (areCompatible(getSequence().getType(), getResult().getType()))
    return success();
  return emitOpError() << "from " << getSequence().getType() << " to "
                       << getResult().getType() << ", which contradict";
}

//===----------------------------------------------------------------------===//
// Split and concat
//===----------------------------------------------------------------------===//

/// The axis counted from the front, of `rank` axes; nothing outside.
static std::optional<int64_t> axisFromFront(int64_t axis, int64_t rank) {
  int64_t fromFront = axis < 0 ? axis + rank : axis;
  if (fromFront < 0 || fromFront >= rank)
    return std::nullopt;
  return fromFront;
}

static InFlightDiagnostic &addAxisError(InFlightDiagnostic &&diagnostic,
                                        int64_t axis, int64_t rank) {
  return diagnostic << "axis " << axis << " is not in [" << -rank << ", "
                    << rank - 1 << "]";
}

LogicalResult SplitOp::verify() {
  if (getChunk() && getSizes())
    return emitOpError("has both chunk and sizes");
  if (getSqueeze() && (getChunk() || getSizes()))
    return emitOpError("has squeeze, which needs slices of extent 1 without "
                       "chunk and sizes");
  if (std::optional<int64_t> chunk = constantIndex(getChunk());
      chunk && *chunk <= 0)
    return emitOpError() << "has chunk " << *chunk << ", which is not above 0";
  if (getSizes()) {
    auto sizes = dyn_cast<ShapedType>(getSizes().getType());
    if (!sizes.hasRank() || sizes.getRank() != 1 ||
        !sizes.getElementType().isInteger(64))
      return emitOpError("has sizes that are not a vector of i64");
  }
  auto input = cast<ShapedType>(getInput().getType());
  if (input.hasRank() && !axisFromFront(getAxis(), input.getRank()))
    return addAxisError(emitOpError(), getAxis(), input.getRank());
  return success();
}

/// How many slices there are, and the extent of each, where known.
static std::pair<int64_t, int64_t> slicesOf(SplitOp::Adaptor op, int64_t dim) {
  const int64_t unknown = ShapedType::kDynamic;
  if (op.getSizes()) {
    int64_t count = cast<ShapedType>(op.getSizes().getType()).getDimSize(0);
    DenseIntElementsAttr sizes;
    if (!matchPattern(op.getSizes(), m_Constant(&sizes)) || sizes.empty() ||
        !llvm::all_equal(sizes.getValues<int64_t>()))
      return {count, unknown};
    return {count, *sizes.value_begin<int64_t>()};
  }
  std::optional<int64_t> chunk =
      op.getChunk() ? constantIndex(op.getChunk()) : std::optional<int64_t>(1);
  if (!chunk || *chunk <= 0)
    return {unknown, unknown};
  if (ShapedType::isDynamic(dim))
    return {unknown, *chunk == 1 ? 1 : unknown};
  return {llvm::divideCeil(dim, *chunk), dim % *chunk ? unknown : *chunk};
}

LogicalResult
SplitOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                          ValueRange operands, DictionaryAttr attributes,
                          OpaqueProperties properties, RegionRange regions,
                          SmallVectorImpl<Type> &types) {
  SplitOp::Adaptor op(operands, attributes, properties, regions);
  auto input = dyn_cast<ShapedType>(op.getInput().getType());
  if (!input)
    return emitOptionalError(location, "splits a tensor, not ",
                             op.getInput().getType());
  Type kind = input.getElementType();
  if (!input.hasRank()) {
    auto [count, extent] = slicesOf(op, ShapedType::kDynamic);
    types.push_back(SequenceType::get(UnrankedTensorType::get(kind), count));
    return success();
  }
  std::optional<int64_t> axis = axisFromFront(op.getAxis(), input.getRank());
  if (!axis)
    return emitOptionalError(location, "axis ", op.getAxis(), " is not one of ",
                             input);
  auto [count, extent] = slicesOf(op, input.getDimSize(*axis));
  SmallVector<int64_t> shape(input.getShape());
  shape[*axis] = extent;
  if (op.getSqueeze())
    shape.erase(shape.begin() + *axis);
  types.push_back(SequenceType::get(RankedTensorType::get(shape, kind), count));
  return success();
}

bool SplitOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) {
  // Memrefs say other dimensions than tensors where buffers were cast.
  auto general = cast<SequenceType>(actual.front());
  return areCompatible(general, cast<SequenceType>(inferred.front()));
}

void SplitOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands())
    if (isa<BaseMemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

void SeqExtractOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getStorageMutable());
  // It counts: two of them are two references.
  if (!getBorrowed())
    effects.emplace_back(MemoryEffects::Write::get());
}

/// The shape of `count` tensors of one shape, joined along `axis`.
static std::optional<SmallVector<int64_t>>
concatenatedShape(ArrayRef<int64_t> shape, int64_t count, int64_t axis,
                  bool stack) {
  int64_t rank = shape.size();
  std::optional<int64_t> where = axisFromFront(axis, rank + (stack ? 1 : 0));
  if (!where)
    return std::nullopt;
  SmallVector<int64_t> result(shape);
  if (stack)
    result.insert(result.begin() + *where, count);
  else if (ShapedType::isDynamic(count) ||
           ShapedType::isDynamic(result[*where]))
    result[*where] = ShapedType::kDynamic;
  else
    result[*where] *= count;
  return result;
}

LogicalResult
ConcatOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &types) {
  ConcatOp::Adaptor op(operands, attributes, properties, regions);
  auto sequence = dyn_cast<SequenceType>(op.getSequence().getType());
  if (!sequence)
    return emitOptionalError(location, "joins a sequence, not ",
                             op.getSequence().getType());
  TensorType element = sequence.getElementType();
  if (!element.hasRank()) {
    types.push_back(UnrankedTensorType::get(element.getElementType()));
    return success();
  }
  auto shape = concatenatedShape(element.getShape(), sequence.getLength(),
                                 op.getAxis(), op.getStack());
  if (!shape)
    return emitOptionalError(location, "axis ", op.getAxis(),
                             " is not one of the result of ", sequence);
  types.push_back(RankedTensorType::get(*shape, element.getElementType()));
  return success();
}

bool ConcatOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) {
  if (isa<RecordType>(actual.front()))
    return true;
  auto type = dyn_cast<TensorType>(actual.front());
  return type && areCompatible(type, cast<TensorType>(inferred.front()));
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

LogicalResult RecordAllocOp::verify() {
  auto type = dyn_cast<MemRefType>(getBufferType());
  if (!type || !type.getLayout().isIdentity() || type.getMemorySpace())
    return emitOpError() << "has a buffer of type " << getBufferType()
                         << ", expected a ranked memref without layout and "
                            "memory space";
  if (getDynamicSizes().size() != size_t(type.getNumDynamicDims()))
    return emitOpError() << "has " << getDynamicSizes().size()
                         << " sizes, expected " << type.getNumDynamicDims()
                         << " for " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// Kernels of tensors have no effects; those of buffers allocate the buffers
/// that are results.
void KernelOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<BaseMemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input);
  for (OpOperand &output : getOutputsMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &output);
  // Written as well: what only allocates is erased with its deallocation by
  // bufferization.dealloc's canonicalization, whatever else it writes.
  for (OpResult result : getOperation()->getResults())
    if (isa<BaseMemRefType>(result.getType())) {
      effects.emplace_back(MemoryEffects::Allocate::get(), result);
      effects.emplace_back(MemoryEffects::Write::get(), result);
    }
}
