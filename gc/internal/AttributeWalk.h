//===- AttributeWalk.h - Everything an operation refers to ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds the disposable attributes that an operation refers to, wherever they
// are, for collections, and replaces attributes there. For whole modules use
// walkDisposables (DisposablePool.h).
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

/// Calls a function for each attribute of its argument's type that it finds,
/// once each in its lifetime:
///   AttributeFinder finder([&](DisposableElementsAttr attr) { ... });
///   finder.visit(op);
class AttributeFinder {
public:
  template <class Found> explicit AttributeFinder(Found found) {
    walker.addWalk(std::move(found));
  }

  /// Visits an attribute and everything nested in it.
  void visit(mlir::Attribute attr);
  void visit(mlir::Type type);

  /// Visits the attributes, properties, location and types of one operation,
  /// and the types and locations of the arguments of its blocks, but not the
  /// operations nested in it.
  void visit(mlir::Operation *op);

private:
  void visitProperties(mlir::Operation *op);

  mlir::AttrTypeWalker walker;
};

/// Whether the properties of an operation are its inherent attributes, one
/// after the other, and nothing else: then each can be read and replaced by
/// name, without a dictionary of all of them, which the context would never
/// free.
bool hasPlainProperties(mlir::Operation *op);

/// Replaces attributes, wherever finders find them, in `op` and all operations
/// nested in it. If the properties of an operation refuse an attribute, an
/// error is reported at the operation and the old attribute is kept. REQUIRES:
/// no other thread reads `op`.
void replaceAttributes(
    mlir::Operation *op,
    const llvm::DenseMap<mlir::Attribute, mlir::Attribute> &replacements);

} // namespace onnxfold

#endif // ONNXFOLD_GC_INTERNAL_ATTRIBUTEWALK_H
