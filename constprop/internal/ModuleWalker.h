//===- ModuleWalker.h - Walks a module, bodies included ---------*- C++ -*-===//
//
// Visits operations top-down and puts them into the table: constants as they
// are, the rest as the evaluator says, loops as often as the loop solver wants.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_INTERNAL_MODULEWALKER_H
#define ONNXFOLD_CONSTPROP_INTERNAL_MODULEWALKER_H

#include "onnxfold/constprop/internal/Evaluator.h"

namespace onnxfold {

class ModuleWalker {
public:
  using StateOfArgument = llvm::function_ref<ValueState(mlir::BlockArgument)>;

  /// `options` must outlive it.
  ModuleWalker(const EvaluationOptions &options,
               BodyRunner::Functions functions);

  void run(mlir::Operation *root, Walk::Visitor visited, Walk::Visitor inferred,
           Walk::Question isRepeated);
  /// As part of the walk whose visitor is being told something, if there is
  /// one; visitors are not told of what is in its bodies.
  void add(mlir::Operation *op);
  /// As FoldResult of an operation that was just evaluated.
  void giveResults(mlir::Operation *op, const FoldResult &result);

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
  /// That whose visitor is being told something, which may come back: add().
  const Walk *telling = nullptr;
  /// Elements of some of the last small constants, by the hash of the
  /// attribute, which equal ones share: a model has thousands of a few shapes
  /// and axes.
  std::vector<std::pair<mlir::Attribute, Elements>> recent;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_MODULEWALKER_H
