//===- HeldInitializers.h - Initializers whose values may change -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Weights that will be replaced later (refitting, adapters, training) must not
// be folded. While the module is folded, the initializers of the main graph
// that a user names are arguments with unknown values. Afterwards they are
// initializers again, with the name, the bytes and the place that they had:
//
//   Expected<HeldInitializers> held =
//       HeldInitializers::create(module, "--keep-initializer", {"lora_*"});
//   ... evaluate, clean up, apply the plan ...
//   held->restore();
//   size_t cost = numWaitingFor(module, held->values());
//
// Initializers of bodies cannot be held, because no runtime replaces those.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RUNONCE_HELDINITIALIZERS_H
#define ONNXFOLD_ONNX_TRANSFORMS_RUNONCE_HELDINITIALIZERS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

class HeldInitializers {
public:
  explicit HeldInitializers(mlir::ModuleOp module) : module(module) {}

  /// Holds the initializers whose names match one of `globs`. Errors: an
  /// invalid glob, or one that matches no name; they begin with `flag`.
  static llvm::Expected<HeldInitializers>
  create(mlir::ModuleOp module, llvm::StringRef flag,
         llvm::ArrayRef<std::string> globs);

  /// Holds a constant of the main graph.
  void hold(mlir::Operation *initializer);

  /// Puts all initializers back. Call it once, after the plan was applied.
  void restore();

  /// The initializers; before restore() the arguments in their place.
  llvm::ArrayRef<mlir::Value> values() const { return held; }

private:
  mlir::ModuleOp module;
  /// The initializers that were taken out of the module.
  llvm::SmallVector<mlir::OwningOpRef<mlir::Operation *>> initializers;
  llvm::SmallVector<mlir::Value> held;
};

/// The names that match one of `globs`. Errors as those of
/// HeldInitializers::create; `expected` says what a glob has to match.
llvm::Expected<llvm::StringSet<>>
matchingNames(llvm::StringRef flag, llvm::StringRef expected,
              llvm::ArrayRef<llvm::StringRef> names,
              llvm::ArrayRef<std::string> globs);

/// The operations of the main graph by what they depend on.
struct Dependence {
  /// Pure operations that need a root and otherwise constants alone, and the
  /// initializers among the roots.
  llvm::DenseSet<mlir::Operation *> onRoots;
  /// Constants, and pure operations that need constants alone.
  llvm::DenseSet<mlir::Operation *> onConstants;
};

/// `roots`: arguments and initializers. `chosen`: operations that count as if
/// they depended on a root.
Dependence dependenceOn(mlir::ModuleOp module,
                        const llvm::DenseSet<mlir::Value> &roots,
                        const llvm::DenseSet<mlir::Operation *> &chosen = {});

/// Nodes of the main graph that would have been constants, were it not for
/// these initializers.
size_t numWaitingFor(mlir::ModuleOp module,
                     llvm::ArrayRef<mlir::Value> initializers);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RUNONCE_HELDINITIALIZERS_H
