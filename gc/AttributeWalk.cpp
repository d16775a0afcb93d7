//===- AttributeWalk.cpp - Everything an operation refers to --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/gc/internal/AttributeWalk.h"
#include "onnxfold/gc/DisposablePool.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;

void AttributeFinder::visit(mlir::Attribute attr) { walker.walk(attr); }
void AttributeFinder::visit(mlir::Type type) { walker.walk(type); }

bool onnxfold::hasPlainProperties(mlir::Operation *op) {
  auto info = op->getName().getRegisteredInfo();
  // Segment sizes take less than a pointer only where there is one segment,
  // so that equal sizes leave no room for anything else.
  return info && size_t(op->getPropertiesStorageSize()) ==
                     info->getAttributeNames().size() * sizeof(void *);
}

/// ODS properties that are no attributes can hold some all the same; only
/// turning all into a dictionary shows them.
void AttributeFinder::visitProperties(mlir::Operation *op) {
  if (op->getPropertiesStorageSize() == 0)
    return;
  if (hasPlainProperties(op)) {
    mlir::NamedAttrList inherent;
    op->getName().populateInherentAttrs(op, inherent);
    for (mlir::NamedAttribute attr : inherent)
      visit(attr.getValue());
  } else if (mlir::Attribute all = op->getPropertiesAsAttribute()) {
    visit(all);
  }
}

void AttributeFinder::visit(mlir::Operation *op) {
  // All that is no property: where an operation has none, inherent ones too.
  for (mlir::NamedAttribute attr : op->getRawDictionaryAttrs())
    visit(attr.getValue());
  visitProperties(op);
  visit(mlir::Attribute(op->getLoc()));
  for (mlir::Type type : op->getResultTypes())
    visit(type);
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      for (mlir::BlockArgument argument : block.getArguments()) {
        visit(argument.getType());
        visit(mlir::Attribute(argument.getLoc()));
      }
}

size_t onnxfold::walkDisposables(
    mlir::Operation *op,
    llvm::function_ref<void(DisposableElementsAttr, mlir::Location)> visit,
    mlir::Operation *except) {
  mlir::Operation *current = op;
  AttributeFinder finder(
      [&](DisposableElementsAttr attr) { visit(attr, current->getLoc()); });
  size_t operations = 0;
  op->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *nested) {
    if (nested == except)
      return mlir::WalkResult::skip();
    current = nested;
    ++operations;
    finder.visit(nested);
    return mlir::WalkResult::advance();
  });
  return operations;
}

static void replaceIn(mlir::Operation *op, mlir::AttrTypeReplacer &replacer) {
  mlir::DictionaryAttr dictionary = op->getRawDictionaryAttrs();
  mlir::Attribute changed = replacer.replace(mlir::Attribute(dictionary));
  if (changed != dictionary)
    op->setDiscardableAttrs(mlir::cast<mlir::DictionaryAttr>(changed));
  if (op->getPropertiesStorageSize() != 0 && hasPlainProperties(op)) {
    mlir::NamedAttrList inherent;
    op->getName().populateInherentAttrs(op, inherent);
    for (mlir::NamedAttribute attr : inherent) {
      changed = replacer.replace(attr.getValue());
      if (changed != attr.getValue())
        op->setInherentAttr(attr.getName(), changed);
    }
  } else if (op->getPropertiesStorageSize() != 0) {
    mlir::Attribute all = op->getPropertiesAsAttribute();
    changed = all ? replacer.replace(all) : all;
    if (changed != all && failed(op->setPropertiesFromAttribute(changed, [&] {
          return op->emitOpError("cannot replace attributes: ");
        })))
      return; // said so; the properties are as they were
  }
  replacer.replaceElementsIn(op, /*replaceAttrs=*/false, /*replaceLocs=*/true,
                             /*replaceTypes=*/true);
}

void onnxfold::replaceAttributes(
    mlir::Operation *op,
    const llvm::DenseMap<mlir::Attribute, mlir::Attribute> &replacements) {
  if (replacements.empty())
    return;
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](mlir::ElementsAttr attr) -> std::optional<mlir::Attribute> {
        if (mlir::Attribute to = replacements.lookup(attr))
          return to;
        return std::nullopt;
      });
  op->walk([&](mlir::Operation *nested) { replaceIn(nested, replacer); });
}
