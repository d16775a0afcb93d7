//===- RunOnce.h - Splits a model into once and rest ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Splits the main graph of a model in two. The user names inputs that have the
// same value in every run, or initializers that are replaced from time to time:
// adapters, weights that are loaded later. The *once* model computes the values
// that depend on these and on constants alone. Its outputs are inputs of the
// *rest*:
//
//   once:  a, b -> delta = MatMul(a, b), w2 = Add(w, delta)
//   rest:  x, w2 -> y = MatMul(x, w2)
//
//   Expected<RunOnce> split = RunOnce::create(module, {"lora_*"});
//   ... evaluate, clean up, apply the plan: nothing of lora_* is folded ...
//   split->restoreConstants();
//   split->choose(typeOf);
//   RunOnce::Copy once = split->copyOnce(); // a module of its own
//   split->takeOut();                       // the module is the rest
//
// The cut is at values that an operator of the rest reads. A value does not
// cross if it is an output of the graph, is not known to be a tensor, is a mere
// view of another one, or takes more than eight times (and 1 MiB more than) the
// bytes of what it is computed from. Then its operator is kept in the rest, and
// the cut moves to the operands. Nodes of constants alone that both models need
// are in both. Bodies of control flow are not split; a node with bodies is once
// as a whole, with all values that its bodies read.
//
// Random operators and operators of other domains are never once. The operators
// and their order are those of the model, so a runtime that does not rewrite
// models computes the same bits.
//
// The design is that of constant tensor folding (docs/tensor-folding.md): these
// are its run-time constants and its fold function.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RUNONCE_RUNONCE_H
#define ONNXFOLD_ONNX_TRANSFORMS_RUNONCE_RUNONCE_H

#include "onnxfold/onnx/transforms/runonce/HeldInitializers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace onnxfold {

class RunOnce {
public:
  /// Finds the inputs and initializers of the main graph whose names match one
  /// of `globs`. The initializers become arguments, so that nothing of them
  /// folds until restoreConstants(). Errors: an invalid glob, or one that
  /// matches no name; a module of IR version 3 or older, where initializers are
  /// inputs.
  static llvm::Expected<RunOnce> create(mlir::ModuleOp module,
                                        llvm::ArrayRef<std::string> globs);

  /// Adds operations of the main graph that are once although they depend on
  /// constants alone. REQUIRES: they still exist when choose() is called.
  void addOperations(llvm::ArrayRef<mlir::Operation *> operations) {
    chosen.insert(operations.begin(), operations.end());
  }

  /// Puts the initializers back. Call it after the plan was applied.
  void restoreConstants();

  /// Decides which operations are once and where the cut is. `typeOf`: the best
  /// known type of a value. REQUIRES: restoreConstants() was called.
  void choose(llvm::function_ref<mlir::Type(mlir::Value)> typeOf);

  // REQUIRES: choose() was called.

  /// The values that cross the cut, in program order; empty if there is nothing
  /// to split.
  llvm::ArrayRef<mlir::Value> results() const { return cut.getArrayRef(); }
  /// The operators of the once model that the rest does not have.
  size_t numMoved() const { return moved; }
  /// Names of the inputs and initializers that create() found.
  llvm::ArrayRef<std::string> names() const { return found; }

  struct Copy {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    /// The originals of its operations and values.
    llvm::DenseMap<mlir::Operation *, mlir::Operation *> operations;
    llvm::DenseMap<mlir::Value, mlir::Value> values;
  };
  /// Copies the once model. Its inputs are the named inputs that it needs, its
  /// outputs the results.
  Copy copyOnce();

  /// Turns the module into the rest, whose last inputs are the new ones.
  void takeOut();

private:
  explicit RunOnce(mlir::ModuleOp module) : module(module), held(module) {}
  using TypeOf = llvm::function_ref<mlir::Type(mlir::Value)>;
  bool isNeededByRest(mlir::Value value) const;
  bool mayCross(mlir::Operation &op, TypeOf typeOf) const;

  mlir::ModuleOp module;
  std::vector<std::string> found;
  llvm::DenseSet<mlir::Value> roots; ///< named inputs and initializers
  HeldInitializers held;
  llvm::DenseSet<mlir::Operation *> chosen;

  /// Operations of the main graph: `once` need a root, `neutral` constants
  /// alone; `staying` are those once operations that the rest keeps.
  llvm::DenseSet<mlir::Operation *> once, neutral, staying;
  llvm::SetVector<mlir::Value> cut;
  llvm::DenseMap<mlir::Value, mlir::Type> types; ///< of the cut
  size_t moved = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RUNONCE_RUNONCE_H
