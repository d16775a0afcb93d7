//===- AttributeWalk.h - Everything an operation refers to ------*- C++ -*-===//
//
// The walk behind collection: which disposable attributes an operation refers
// to, wherever they stand. Not made for other purposes; walkDisposables
// (DisposablePool.h) is the way to use it for whole modules.
//
// Thread safety: a finder is used by one thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_ATTRIBUTEWALK_H
#define ONNXFOLD_GC_ATTRIBUTEWALK_H

#include "onnxfold/elements/DisposableElementsAttr.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include <functional>

namespace mlir {
class Operation;
} // namespace mlir

namespace onnxfold {

/// Calls `found` for each disposable attribute in what it visits, once each
/// over its whole lifetime.
class DisposableFinder {
public:
  using Found = std::function<void(DisposableElementsAttr)>;
  explicit DisposableFinder(Found found);

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

} // namespace onnxfold

#endif // ONNXFOLD_GC_ATTRIBUTEWALK_H
