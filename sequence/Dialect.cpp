//===- Dialect.cpp - The sequence dialect ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/sequence/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace onnxfold::sequence;

#include "onnxfold/sequence/SequenceDialect.cpp.inc"

void SequenceDialect::initialize() {
  registerTypes();
  registerOperations();
}

Operation *SequenceDialect::materializeConstant(OpBuilder &builder,
                                                Attribute value, Type type,
                                                Location location) {
  return arith::ConstantOp::materialize(builder, value, type, location);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static ParseResult parseLength(AsmParser &parser, int64_t &length) {
  if (succeeded(parser.parseOptionalQuestion())) {
    length = ShapedType::kDynamic;
    return success();
  }
  auto location = parser.getCurrentLocation();
  if (parser.parseInteger(length))
    return failure();
  if (length < 0)
    return parser.emitError(location)
           << "the length of a sequence is a number or ?, not " << length;
  return success();
}

static void printLength(AsmPrinter &printer, int64_t length) {
  if (ShapedType::isDynamic(length))
    printer << "?";
  else
    printer << length;
}

#define GET_TYPEDEF_CLASSES
#include "onnxfold/sequence/SequenceTypes.cpp.inc"

void SequenceDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "onnxfold/sequence/SequenceTypes.cpp.inc"
      >();
}

LogicalResult
SequenceType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     TensorType, int64_t length) {
  if (length < 0 && !ShapedType::isDynamic(length))
    return emitError() << "the length of a sequence is a number or "
                          "ShapedType::kDynamic, not "
                       << length;
  return success();
}

static Attribute encodingOf(TensorType type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked ? ranked.getEncoding() : Attribute();
}

TensorType onnxfold::sequence::joinTensors(TensorType left, TensorType right) {
  if (left.getElementType() != right.getElementType() ||
      encodingOf(left) != encodingOf(right))
    return {};
  if (!left.hasRank() || !right.hasRank() || left.getRank() != right.getRank())
    return UnrankedTensorType::get(left.getElementType());
  SmallVector<int64_t> shape(left.getShape());
  for (auto [mine, other] : llvm::zip_equal(shape, right.getShape()))
    mine = mine == other ? mine : ShapedType::kDynamic;
  return RankedTensorType::get(shape, left.getElementType(), encodingOf(left));
}

SequenceType onnxfold::sequence::joinSequences(SequenceType left,
                                               SequenceType right) {
  int64_t length = left.getLength() == right.getLength() ? left.getLength()
                                                         : ShapedType::kDynamic;
  TensorType element =
      joinTensors(left.getElementType(), right.getElementType());
  if (!element)
    return {};
  if (left.getLength() == 0 && right.getLength() != 0)
    element = right.getElementType();
  else if (right.getLength() == 0 && left.getLength() != 0)
    element = left.getElementType();
  return SequenceType::get(element, length);
}

bool onnxfold::sequence::covers(TensorType general, TensorType special) {
  return joinTensors(general, special) == general;
}

bool onnxfold::sequence::covers(SequenceType general, SequenceType special) {
  return joinSequences(general, special) == general;
}

bool onnxfold::sequence::areCompatible(TensorType left, TensorType right) {
  return left.getElementType() == right.getElementType() &&
         encodingOf(left) == encodingOf(right) &&
         succeeded(mlir::verifyCompatibleShape(left, right));
}

bool onnxfold::sequence::areCompatible(SequenceType left, SequenceType right) {
  if (left.hasLength() && right.hasLength() &&
      left.getLength() != right.getLength())
    return false;
  // Without elements nothing contradicts their shapes.
  if (left.getLength() == 0 || right.getLength() == 0)
    return left.getElementType().getElementType() ==
           right.getElementType().getElementType();
  return areCompatible(left.getElementType(), right.getElementType());
}

Value onnxfold::sequence::castSequence(OpBuilder &builder, Location location,
                                       Value value, SequenceType type) {
  return value.getType() == type
             ? value
             : CastOp::create(builder, location, type, value).getResult();
}

Value onnxfold::sequence::castTensor(OpBuilder &builder, Location location,
                                     Value value, TensorType type) {
  return value.getType() == type
             ? value
             : tensor::CastOp::create(builder, location, type, value)
                   .getResult();
}
