//===- Dialect.cpp - The dialects stablehlo and chlo ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/ir/Dialect.h"
#include "onnxfold/stablehlo/ir/Definition.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace onnxfold::hlo;

#include "onnxfold/stablehlo/ir/ChloDialect.cpp.inc"
#include "onnxfold/stablehlo/ir/StablehloDialect.cpp.inc"

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

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
