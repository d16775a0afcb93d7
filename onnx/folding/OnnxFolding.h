//===- OnnxFolding.h - How the engine folds ONNX ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The onnx dialect's FoldingInterface: versions, type inference with ONNX's own
// functions, operators that must be kept, and the kernels of onnx/kernels.
//
//   MLIRContext context;                        // onnx dialect loaded
//   addOnnxFolding(context, {.quantization = FoldQuantization::None});
//   Evaluation evaluation(module, onnxEvaluationOptions());
//
// Thread safety: that of dialect registration for addOnnxFolding; the rest is
// const.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_ONNXFOLDING_H
#define ONNXFOLD_ONNX_FOLDING_ONNXFOLDING_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/folding/FoldQuantization.h"
#include "onnxfold/onnx/folding/OperatorSchemas.h"

namespace onnxfold {

/// True for QuantizeLinear (DequantizeLinear) of the standard and of ONNX
/// Runtime.
bool quantizes(Operator op);
bool dequantizes(Operator op);

/// The options of a context. An evaluation may have another policy: that of
/// --verify computes everything.
struct OnnxFoldingOptions {
  FoldQuantization quantization = FoldQuantization::None;
  /// The schemas of operators outside the standard; null means the built-in
  /// ones.
  std::shared_ptr<const OperatorSchemas> schemas = nullptr;
  /// Functions of other models, which compute operators for which the model
  /// itself has no function. They must outlive the use of the context.
  std::vector<const mlir::SymbolTable *> libraries = {};
  /// Called where ONNX's inference refuses a node, or says a size that is
  /// disputed. May be empty.
  std::function<void()> noteDoubt = nullptr;
};

/// Makes the onnx dialect of `context` foldable, and Operation::fold with it.
/// REQUIRES: the dialect is loaded; called once, before passes run.
void addOnnxFolding(mlir::MLIRContext &context,
                    const OnnxFoldingOptions &options = {});

/// The MLIR type of a state, in which unknown dimensions have no names; null if
/// not even the element type is known.
mlir::Type typeOfState(const ValueState &state, const DimExprs &exprs,
                       mlir::MLIRContext *context);
/// True if `type` is the ranked type that typeOfState returns, which this
/// function does not make. False if the rank of the state is not known.
bool isTypeOfState(mlir::Type type, const ValueState &state,
                   const DimExprs &exprs);

/// A declared type of a value that contradicts the inferred one. The inferred
/// type is used, in the IR too (except for outputs of graphs).
struct TypeConflict {
  std::string value, declared, inferred;
  friend bool operator==(const TypeConflict &, const TypeConflict &) = default;
};

/// Collects the conflicts that evaluations note
/// (EvaluationOptions::noteTypeConflict), each once. Thread safety: none.
class TypeConflicts {
public:
  void note(mlir::Value value, mlir::Type inferred);
  llvm::ArrayRef<TypeConflict> all() const { return conflicts; }

private:
  std::vector<TypeConflict> conflicts;
};

/// The dispute of implementations over sizes of the operator's results, which
/// are unknown for that (DisputedSizes.h); "" if there is none.
llvm::StringRef disputeOver(Operator op, const Evaluation &evaluation);

/// Evaluation options for ONNX graphs: named dimensions of their arguments are
/// symbols of that name.
EvaluationOptions onnxEvaluationOptions();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_ONNXFOLDING_H
