//===- ModuleWalker.h - Walks a module, bodies included ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Visits operations top-down and puts them into the table. Constants are put
// there with their elements, and the evaluator evaluates all other operations.
// Bodies of loops are walked as often as the loop solver asks.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_INTERNAL_MODULEWALKER_H
#define ONNXFOLD_CONSTPROP_INTERNAL_MODULEWALKER_H

#include "onnxfold/constprop/internal/Evaluator.h"

namespace onnxfold {

class ModuleWalker {
public:
  using StateOfArgument = llvm::function_ref<ValueState(mlir::BlockArgument)>;

  /// `options` must outlive the walker.
  ModuleWalker(const EvaluationOptions &options,
               BodyRunner::Functions functions);

  void run(mlir::Operation *root, Walk::Visitor visited, Walk::Visitor inferred,
           Walk::Question isRepeated);
  /// Evaluates a new operation, as a part of the walk whose visitor is running,
  /// if there is one. Visitors are not called for operations in its bodies.
  void add(mlir::Operation *op);
  /// Sets the results of an operation that was just evaluated.
  void giveResults(mlir::Operation *op, const FoldResult &result);
  /// Sets their types. See Evaluation::giveTypes.
  void giveTypes(mlir::Operation *op, llvm::ArrayRef<ValueState> types);

  ValueTable values;
  LoopSolver loops;

private:
  Walk plainWalk();
  void visit(mlir::Operation *op, const Walk &walk);
  void visitRegion(mlir::Region &region, const Walk &walk,
                   StateOfArgument stateOfArgument);
  void visitBodies(mlir::Operation *op, const Walk &walk);
  bool isRepeated(mlir::Operation *op, const Walk &walk);
  void noteDeclared(const BodyLoop &loop, const Walk &walk);
  void tell(Walk::Visitor visitor, mlir::Operation *op, const Walk &walk);
  /// The constant's elements, or null.
  Elements constantOf(mlir::Operation *op);

  const EvaluationOptions &options;
  BodyRunner bodies;
  Evaluator evaluator;
  /// The walk whose visitor is running; the visitor may call add().
  const Walk *telling = nullptr;
  /// Elements of some of the last small constants, by the hash of the
  /// attribute. Equal constants share them: a model has thousands of constants
  /// with the same few shapes and axes.
  std::vector<std::pair<mlir::Attribute, Elements>> recent;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_MODULEWALKER_H
