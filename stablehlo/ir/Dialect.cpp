//===- Dialect.cpp - The dialects stablehlo and chlo ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/ir/Dialect.h"
#include "onnxfold/stablehlo/ir/Definition.h"
#include "onnxfold/stablehlo/ir/Forms.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace onnxfold::hlo;

#include "onnxfold/stablehlo/ir/ChloDialect.cpp.inc"
#include "onnxfold/stablehlo/ir/StablehloDialect.cpp.inc"

//===----------------------------------------------------------------------===//
// Text of constants
//===----------------------------------------------------------------------===//

/// The elements from number `next` on as a list of lists.
static void printBools(raw_ostream &out, ArrayRef<bool> values,
                       ArrayRef<int64_t> shape, size_t &next) {
  if (shape.empty()) {
    out << (values[next++] ? "true" : "false");
    return;
  }
  out << '[';
  for (int64_t i = 0; i < shape.front(); ++i) {
    if (i != 0)
      out << ", ";
    printBools(out, values, shape.drop_front(), next);
  }
  out << ']';
}

/// Many bools are hexadecimal digits in MLIR's text: a bit for each up to
/// version 22, and a byte for each in the version of JAX. All read lists.
static void printValue(OpAsmPrinter &printer, ElementsAttr value) {
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || !dense.getElementType().isInteger(1) || dense.isSplat() ||
      dense.empty())
    return printer.printAttribute(value);
  SmallVector<bool> values(dense.getValues<bool>());
  size_t next = 0;
  printer << "dense<";
  printBools(printer.getStream(), values, dense.getType().getShape(), next);
  printer << "> : " << dense.getType();
}

/// `() <{value = ...}> {...} : () -> type`, of a quantised type.
static ParseResult parseTypedConstant(OpAsmParser &parser,
                                      OperationState &state) {
  FunctionType type;
  if (parser.parseRParen() || parser.parseLess() ||
      parser.parseAttribute(state.propertiesAttr) || parser.parseGreater() ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type))
    return failure();
  state.addTypes(type.getResults());
  return success();
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &state) {
  if (succeeded(parser.parseOptionalLParen()))
    return parseTypedConstant(parser, state);
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseAttribute(value))
    return failure();
  state.getOrAddProperties<Properties>().value = value;
  state.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  if (getValue().getType() != getType())
    return printer.printGenericOp(*this, /*printOpName=*/false);
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  printer << ' ';
  printValue(printer, getValue());
}

#define GET_OP_CLASSES
#include "onnxfold/stablehlo/ir/StablehloOps.cpp.inc"

namespace {
/// Every operation may stand in another function, and in a region.
struct Inlining : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const override {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override {
    return true;
  }
};
} // namespace

void StablehloDialect::initialize() {
  allowUnknownOperations();
  hlo::addOperations(*this);
  addOperations<
#define GET_OP_LIST
#include "onnxfold/stablehlo/ir/StablehloOps.cpp.inc"
      >();
  addInterfaces<Inlining>();
}

void ChloDialect::initialize() {
  allowUnknownOperations();
  hlo::addOperations(*this);
  addInterfaces<Inlining>();
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

std::optional<Dialect::ParseOpHook>
StablehloDialect::getParseOperationHook(StringRef) const {
  return ParseOpHook(refuseUsualForm);
}
std::optional<Dialect::ParseOpHook>
ChloDialect::getParseOperationHook(StringRef) const {
  return ParseOpHook(refuseUsualForm);
}

static StringAttr namespaceOf(const Dialect &dialect) {
  return StringAttr::get(dialect.getContext(), dialect.getNamespace());
}

static Attribute parseOpaque(const Dialect &dialect, DialectAsmParser &parser,
                             Type type) {
  return OpaqueAttr::get(namespaceOf(dialect), parser.getFullSymbolSpec(),
                         type ? type : NoneType::get(dialect.getContext()));
}

static Type parseOpaque(const Dialect &dialect, DialectAsmParser &parser) {
  return OpaqueType::get(namespaceOf(dialect), parser.getFullSymbolSpec());
}

Attribute StablehloDialect::parseAttribute(DialectAsmParser &parser,
                                           Type type) const {
  return parseOpaque(*this, parser, type);
}
Type StablehloDialect::parseType(DialectAsmParser &parser) const {
  return parseOpaque(*this, parser);
}
Attribute ChloDialect::parseAttribute(DialectAsmParser &parser,
                                      Type type) const {
  return parseOpaque(*this, parser, type);
}
Type ChloDialect::parseType(DialectAsmParser &parser) const {
  return parseOpaque(*this, parser);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Operation *makeConstant(OpBuilder &builder, Attribute value, Type type,
                               Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, location, type, elements);
}

Operation *StablehloDialect::materializeConstant(OpBuilder &builder,
                                                 Attribute value, Type type,
                                                 Location location) {
  return makeConstant(builder, value, type, location);
}
Operation *ChloDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location location) {
  return makeConstant(builder, value, type, location);
}

/// The value; of a quantised type an attribute that nobody reads as its value.
OpFoldResult ConstantOp::fold(FoldAdaptor) {
  if (getValue().getType() == getType())
    return getValue();
  return ArrayAttr::get(getContext(), {getValue()});
}
