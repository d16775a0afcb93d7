//===- InferenceCheck.h - What ONNX's inference says of a graph -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The checker and ONNX Runtime infer the types of a graph from the types that
// the file declares, and from constants: they refuse a model in which a node
// does not fit what is inferred of its operands, and the checker one that
// declares another type than the inferred one. Where an operand is computed
// they see neither. A fold makes a constant of it, and would show a mistake
// that a model always had.
//
// So a run that has a doubt looks at the graph as it is in the file and as it
// will be written, in the way that the checker does. `addCauses` says what has
// to be kept so that they see as little as before.
//
// Cost: an inference of each node, of up to a microsecond. Thread safety: none.
// Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_INFERENCECHECK_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_INFERENCECHECK_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/io/read/ModelIndex.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <unordered_map>

namespace onnxfold {

/// The types that a file declares for the values of its graphs, to the letter.
/// A name that two graphs declare differently is left out.
struct DeclaredTypes {
  llvm::StringMap<onnx::TypeProto> types;
  llvm::StringSet<> outputs; ///< of graphs; no run changes what they declare

  static DeclaredTypes read(const ModelIndex &index);
};

class InferenceCheck {
public:
  struct Failure {
    mlir::Operation *op;
    std::string text; ///< what the library says
    bool isDeclared; ///< The node fits; the declared type of a result does not.
  };

  InferenceCheck(const DeclaredTypes &declared, bool keepsValueInfo)
      : declared(declared), keepsValueInfo(keepsValueInfo) {}

  /// The main graph as it is.
  void run(mlir::ModuleOp module);
  /// Checks the graph that the plan leaves. Both must outlive this object.
  void run(mlir::ModuleOp module, const FoldPlan &plan,
           const Evaluation &evaluation);

  llvm::ArrayRef<Failure> failures() const { return found; }
  bool fails(bool isDeclared) const;

  /// The first outputs of the nodes that a failure depends on, and that are not
  /// in the graph as `before` has seen it, or fold.
  void addCauses(const Failure &failure, const InferenceCheck &before,
                 llvm::StringSet<> &names) const;

private:
  using Data = std::optional<onnx::TensorProto>;
  struct Known {
    onnx::TypeProto type;
    Data data = {};
  };

  Known &knownOf(mlir::Value value) {
    return known[value.getAsOpaquePointer()];
  }
  void inferBlock(mlir::Block &block);
  void inferNode(Operator op);
  InferredTypes inferGraph(mlir::Region &graph,
                           llvm::ArrayRef<const onnx::TypeProto *> types,
                           llvm::ArrayRef<const onnx::TensorProto *> data);
  void note(mlir::Value value, const onnx::TypeProto &inferred);
  void noteConstant(mlir::Value value, const Elements &elements);
  bool isFolded(mlir::Operation *op) const;
  void addFolded(mlir::Operation *op, llvm::StringSet<> &names) const;

  const DeclaredTypes &declared;
  bool keepsValueInfo; ///< the output declares what the input does
  const FoldPlan *plan = nullptr;
  const Evaluation *evaluation = nullptr;
  std::unordered_map<const void *, Known> known; ///< entries stay in place
  /// Operands whose elements were looked at.
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> read;
  llvm::StringMap<std::string> operators; ///< by the names of results
  std::vector<Failure> found;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_INFERENCECHECK_H
