//===- NodeBuilder.h - New nodes while a graph is cleaned up ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes nodes and constants in front of an operation that a pattern replaces,
// in the versions of the opset there. It evaluates them, so that this pattern
// and later ones know their types and values. Nodes whose operands are constant
// fold like all others: a pattern that scales a weight writes Mul(weight,
// scale).
//
//   nodes.begin(op);
//   Value sum = nodes.create("Add", {bias, shift});
//   Value conv = nodes.create("Conv", {x, w, sum}, op->getAttrs());
//   nodes.finish(conv);  // conv has the names of op now, sum a new one
//
// Call begin() only when the pattern is sure to apply, as far as it knows: new
// nodes are removed (discard) only if annotations forbid the rewrite. The names
// of new values are unique in the whole module. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_NODEBUILDER_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_NODEBUILDER_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace onnxfold {

class CopySources;

/// A call of a function of the model whose body is copied.
struct CallSite {
  Operator call;
  mlir::Operation *function;
};

class NodeBuilder {
public:
  /// `sources` records the originals of copies.
  explicit NodeBuilder(Evaluation &evaluation, CopySources *sources = nullptr)
      : evaluation(evaluation), sources(sources) {}

  /// New nodes are inserted before `op`.
  void begin(mlir::Operation *op);

  /// The operators of the opset of ai.onnx at `op` are known; else no node can
  /// be created there.
  bool knowsOpset() const;
  /// The opset of ai.onnx at `op`; of text forms without imports the newest.
  int64_t opset() const;
  /// The version of an operator of ai.onnx that holds at `op` and has a schema;
  /// nothing if there is none.
  std::optional<int> sinceOf(OperatorName opType) const;

  /// A node with one result. REQUIRES: sinceOf(opType).
  mlir::Value create(OperatorName opType, mlir::ValueRange inputs,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// The same with several results.
  mlir::Operation *createNode(OperatorName opType, mlir::ValueRange inputs,
                              llvm::ArrayRef<mlir::NamedAttribute> attributes,
                              unsigned numResults);
  /// A constant.
  mlir::Value constant(const Elements &value);
  /// A constant of rank 0: the number, rounded to the type.
  mlir::Value number(double value, DataType type);
  /// A constant of rank 1.
  mlir::Value integers(llvm::ArrayRef<int64_t> values);
  /// A missing optional input.
  mlir::Value absent();

  /// The symbols of the evaluation.
  DimExprs &exprs() const { return evaluation.exprs(); }

  /// Attributes of new nodes.
  mlir::StringAttr attributeName(llvm::StringRef name) const;
  mlir::NamedAttribute attribute(llvm::StringRef name, int64_t value) const;
  mlir::NamedAttribute attribute(llvm::StringRef name, float value) const;
  mlir::NamedAttribute attribute(llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> values) const;

  /// Gives `value`, which create() returned, the names and the declared type of
  /// result #`result` of the operation. Other new values get new names. Returns
  /// `value`.
  mlir::Value finish(mlir::Value value, unsigned result = 0);
  /// Gives all new values new names, for an operation that is not replaced by a
  /// single value.
  void settle();
  /// A copy of an operation with operands mapped by `values`, which gets its
  /// results. These results, and the values in its bodies, have the names of
  /// the original with `suffix`, or similar new ones. Names in graphs of custom
  /// operators, which may depend on them, are kept. Operations in its bodies
  /// for which `isErased` is true are left out if they are unused. If the
  /// original is in the body of the function of `site`, references to
  /// attributes become the attributes of the call; a Constant whose value is
  /// such a reference becomes an onnx.Constant. finish() is not needed.
  mlir::Operation *
  copy(mlir::Operation *original, mlir::IRMapping &values,
       llvm::StringRef suffix,
       llvm::function_ref<bool(mlir::Operation *)> isErased = nullptr,
       const CallSite *site = nullptr);
  /// Evaluates a copy again, some of whose operands were changed. The types of
  /// its results become those inferred for the new operands (except for types
  /// that graphs state).
  void evaluateAgain(mlir::Operation *copied);
  /// The operations that were created since finish(), in order.
  llvm::ArrayRef<mlir::Operation *> unfinished() const { return made; }
  /// Erases what was created since finish(). REQUIRES: nothing else reads it.
  void discard();
  /// No node was created since finish().
  bool isIdle() const { return made.empty(); }

  /// A name that no value of the module has. It is reserved from now on.
  std::string freshName(llvm::StringRef base);
  /// The number of values of the module with this name.
  int count(llvm::StringRef name);
  /// `values` values of this name are erased, or will be.
  void noteErased(llvm::StringRef name, unsigned values);

private:
  mlir::Operation *noteCopy(mlir::Operation *original, mlir::Operation *copied,
                            const CallSite *site);
  void noteNames();
  void noteMade(llvm::StringRef name);
  void rename(mlir::Operation *copied, llvm::StringRef suffix, bool keepsNames,
              bool statesTypes);
  Operator nameMade(mlir::Operation *root);

  Evaluation &evaluation;
  CopySources *sources;
  mlir::Operation *target = nullptr;
  llvm::SmallVector<mlir::Operation *, 4> made;
  /// The hashes of the names of all values of the module, sorted, eight bytes
  /// each; empty until the first query. If two names have the same hash, a
  /// fresh name may get a number without need.
  std::vector<uint64_t> noted;
  llvm::DenseMap<uint64_t, int> changes; ///< of the counts, since then
  llvm::StringMap<unsigned> numbers;     ///< the last one of a base
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_NODEBUILDER_H
