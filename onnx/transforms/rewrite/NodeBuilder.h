//===- NodeBuilder.h - New nodes while a graph is cleaned up ----*- C++ -*-===//
//
// Makes nodes and constants in front of an operation that a pattern replaces,
// in the versions of the opset there, and evaluates them, so that this pattern
// and later ones know their types and values. Nodes of constants alone fold
// like all others: a pattern that scales a weight writes Mul(weight, scale).
//
//   nodes.begin(op);
//   Value sum = nodes.create("Add", {bias, shift});
//   Value conv = nodes.create("Conv", {x, w, sum}, op->getAttrs());
//   nodes.finish(conv);  // conv has the names of op now, sum a new one
//
// begin() is called when the pattern is sure to apply: new nodes are not taken
// back. Names of values are new in the whole module. Thread safety: none.
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
  /// `sources`: learns what copies were made of.
  explicit NodeBuilder(Evaluation &evaluation, CopySources *sources = nullptr)
      : evaluation(evaluation), sources(sources) {}

  /// New nodes are inserted before `op`.
  void begin(mlir::Operation *op);

  /// The opset of ai.onnx at `op` is one whose operators are known; else
  /// nothing can be made there.
  bool knowsOpset() const;
  /// The version of an operator of ai.onnx that holds at `op` and has a schema;
  /// nothing if there is none.
  std::optional<int> sinceOf(llvm::StringRef opType) const;

  /// A node with one result. REQUIRES: sinceOf(opType).
  mlir::Value create(llvm::StringRef opType, mlir::ValueRange inputs,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// A constant.
  mlir::Value constant(const Elements &value);
  /// A constant of rank 0: the number, rounded to the type.
  mlir::Value number(double value, DataType type);
  /// A constant of rank 1.
  mlir::Value integers(llvm::ArrayRef<int64_t> values);
  /// An optional input that is not given.
  mlir::Value absent();

  /// Attributes of new nodes.
  mlir::NamedAttribute attribute(llvm::StringRef name, int64_t value) const;
  mlir::NamedAttribute attribute(llvm::StringRef name, float value) const;
  mlir::NamedAttribute attribute(llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> values) const;

  /// `value`, which create() made, takes the names of result #`result` of the
  /// operation, and its declared type; what else was made gets new names.
  /// Returns `value`.
  mlir::Value finish(mlir::Value value, unsigned result = 0);
  /// What was made gets new names now, for a target that is not replaced by
  /// one value.
  void settle();
  /// A copy of an operation with operands mapped by `values`, which gets its
  /// results. They, and the values in its bodies, have the names of the
  /// original and `suffix`, or similar new ones. Names in graphs of custom
  /// operators, which may depend on them, are kept. Operations in its bodies
  /// that are unused by `isErased` are left out. If the original is in the body
  /// of the function of `site`, attributes are those of the call; a Constant of
  /// one becomes an onnx.Constant. finish() is not needed.
  mlir::Operation *
  copy(mlir::Operation *original, mlir::IRMapping &values,
       llvm::StringRef suffix,
       llvm::function_ref<bool(mlir::Operation *)> isErased = nullptr,
       const CallSite *site = nullptr);
  /// A copy some of whose operands are other values now. Its types say what is
  /// known of these (but for those that graphs state).
  void evaluateAgain(mlir::Operation *copied);
  /// Nothing was made, or finish() was called.
  bool isIdle() const { return made.empty(); }

  /// A name that no value of the module has, and from now on taken.
  std::string freshName(llvm::StringRef base);
  /// How many values of the module have this name.
  int count(llvm::StringRef name);
  /// So many values of this name are erased, or will be.
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
  /// Hashes of the names of all values of the module, in order, eight bytes for
  /// each; empty until it is first asked for. That two names have the same hash
  /// costs a number in a fresh one.
  std::vector<uint64_t> noted;
  llvm::DenseMap<uint64_t, int> changes; ///< of their counts, since then
  llvm::StringMap<unsigned> numbers;     ///< the last one of a base
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_NODEBUILDER_H
