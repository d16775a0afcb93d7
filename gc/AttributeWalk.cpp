//===- AttributeWalk.cpp - Everything an operation refers to --------------===//

#include "onnxfold/gc/AttributeWalk.h"
#include "onnxfold/gc/DisposablePool.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;

DisposableFinder::DisposableFinder(Found found) {
  walker.addWalk(
      [found = std::move(found)](DisposableElementsAttr attr) { found(attr); });
}

void DisposableFinder::visit(mlir::Attribute attr) { walker.walk(attr); }
void DisposableFinder::visit(mlir::Type type) { walker.walk(type); }

bool onnxfold::hasPlainProperties(mlir::Operation *op) {
  auto info = op->getName().getRegisteredInfo();
  // Segment sizes take less than a pointer only where there is one segment,
  // so that equal sizes leave no room for anything else.
  return info && size_t(op->getPropertiesStorageSize()) ==
                     info->getAttributeNames().size() * sizeof(void *);
}

/// ODS properties that are no attributes can hold some all the same; only
/// turning all into a dictionary shows them.
void DisposableFinder::visitProperties(mlir::Operation *op) {
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

void DisposableFinder::visit(mlir::Operation *op) {
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

void onnxfold::walkDisposables(
    mlir::Operation *op,
    llvm::function_ref<void(DisposableElementsAttr, mlir::Location)> visit,
    mlir::Operation *except) {
  mlir::Operation *current = op;
  auto found = [&](DisposableElementsAttr attr) {
    visit(attr, current->getLoc());
  };
  DisposableFinder finder(found);
  op->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *nested) {
    if (nested == except)
      return mlir::WalkResult::skip();
    current = nested;
    finder.visit(nested);
    return mlir::WalkResult::advance();
  });
}
