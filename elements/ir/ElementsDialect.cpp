//===- ElementsDialect.cpp - The dialect of tensor attributes -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ir/ElementsBytecode.h"
#include "onnxfold/elements/ir/ElementsText.h"
#include "mlir/IR/DialectImplementation.h"

using namespace onnxfold;

MLIR_DEFINE_EXPLICIT_TYPE_ID(onnxfold::ElementsDialect)

ElementsDialect::ElementsDialect(mlir::MLIRContext *context)
    : Dialect(getDialectNamespace(), context,
              mlir::TypeID::get<ElementsDialect>()),
      store(context) {
  registerAttributes();
  detail::addBytecodeInterfaces(*this);
}

ElementsDialect::~ElementsDialect() = default;

mlir::Attribute ElementsDialect::parseAttribute(mlir::DialectAsmParser &parser,
                                                mlir::Type type) const {
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(DisposableElementsAttr::mnemonic) ||
      parser.parseLess())
    return {};
  auto shapedType = mlir::dyn_cast_if_present<mlir::ShapedType>(type);
  if (!shapedType || !shapedType.hasStaticShape()) {
    parser.emitError(loc, "expected a type of static shape after "
                          "'#elements.dense<...>'");
    return {};
  }
  Elements elements;
  if (parseElements(parser, shapedType, elements) || parser.parseGreater())
    return {};
  // Nobody knows yet which module this text will be in.
  DisposableStore::OutsideRoots outside;
  if (!elements)
    return DisposableElementsAttr::getElided(shapedType);
  return DisposableElementsAttr::get(shapedType, elements);
}

void ElementsDialect::printAttribute(mlir::Attribute attr,
                                     mlir::DialectAsmPrinter &printer) const {
  auto dense = mlir::cast<DisposableElementsAttr>(attr);
  printer << DisposableElementsAttr::mnemonic << '<';
  printElements(printer, dense.getElements(), dense.getType());
  printer << '>';
}
