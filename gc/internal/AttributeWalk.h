//===- AttributeWalk.h - Everything an operation refers to ------*- C++ -*-===//
//
// The walk behind collection: which disposable attributes an operation refers
// to, wherever they stand; and the way to replace them there. walkDisposables
// (DisposablePool.h) is the way to use it for whole modules.
//
// Thread safety: a finder is used by one thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_INTERNAL_ATTRIBUTEWALK_H
#define ONNXFOLD_GC_INTERNAL_ATTRIBUTEWALK_H

#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace onnxfold {

/// Calls a function for each attribute of its argument's type in what it
/// visits, once each over its whole lifetime:
///   AttributeFinder finder([&](DisposableElementsAttr attr) { ... });
///   finder.visit(op);
class AttributeFinder {
public:
  template <class Found> explicit AttributeFinder(Found found) {
    walker.addWalk(std::move(found));
  }

  /// An attribute and all that is nested in it.
  void visit(mlir::Attribute attr);
  void visit(mlir::Type type);

  /// Attributes, properties, location and types of one operation; types and
  /// locations of the arguments of its blocks. Not the operations nested in it.
  void visit(mlir::Operation *op);

private:
  void visitProperties(mlir::Operation *op);

  mlir::AttrTypeWalker walker;
};

/// Whether the properties of an operation are its inherent attributes, one
/// after the other, and nothing else: then each can be looked at and replaced
/// by name, without making a dictionary of them, which would live for ever.
bool hasPlainProperties(mlir::Operation *op);

/// Replaces attributes, wherever finders find them, in `op` and all operations
/// nested in it. What an operation's properties refuse is reported at that
/// operation and left. REQUIRES: no other thread looks at `op`.
void replaceAttributes(
    mlir::Operation *op,
    const llvm::DenseMap<mlir::Attribute, mlir::Attribute> &replacements);

} // namespace onnxfold

#endif // ONNXFOLD_GC_INTERNAL_ATTRIBUTEWALK_H
