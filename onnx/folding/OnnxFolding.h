//===- OnnxFolding.h - How the engine folds ONNX ----------------*- C++ -*-===//
//
// The onnx dialect's FoldingInterface: versions, type inference with ONNX's own
// functions, operators that must be kept, and the kernels of onnx/kernels.
//
//   MLIRContext context;                        // onnx dialect loaded
//   addOnnxFolding(context, {.quantization = FoldQuantization::None});
//   Evaluation evaluation(module, onnxEvaluationOptions());
//
// Thread safety: addOnnxFolding as dialect registration; the rest is const.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_ONNXFOLDING_H
#define ONNXFOLD_ONNX_FOLDING_ONNXFOLDING_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/folding/OperatorSchemas.h"

namespace onnxfold {

/// --fold-quantization: what of QuantizeLinear and DequantizeLinear folds. They
/// tell a runtime to use integer kernels, so by default nothing does.
enum class FoldQuantization {
  None,
  Weights, // QuantizeLinear: constants become four times smaller
  /// Both where nodes that remain read something else. Decided by who plans
  /// (ModuleFoldingOptions::computesQuantized): an evaluation keeps all.
  Compute,
  All,
};

/// QuantizeLinear and DequantizeLinear, of the standard and of ONNX Runtime.
bool quantizes(Operator op);
bool dequantizes(Operator op);

/// Of a context. An evaluation may have another policy, as --verify does, which
/// computes all.
struct OnnxFoldingOptions {
  FoldQuantization quantization = FoldQuantization::None;
  /// Operators outside the standard; null: the built-in ones.
  std::shared_ptr<const OperatorSchemas> schemas = nullptr;
  /// Functions of other models, which compute operators for which the model
  /// itself has no function. They must outlive the use of the context.
  std::vector<const mlir::SymbolTable *> libraries = {};
};

/// Makes the onnx dialect of `context` foldable, and Operation::fold with it.
/// REQUIRES: the dialect is loaded; called once, before passes run.
void addOnnxFolding(mlir::MLIRContext &context,
                    const OnnxFoldingOptions &options = {});

/// The type of a state, unknown dimensions without names; null if not even the
/// element type is known.
mlir::Type typeOfState(const ValueState &state, const DimExprs &exprs,
                       mlir::MLIRContext *context);
/// Whether that type is this one, without making it.
bool isTypeOfState(mlir::Type type, const ValueState &state,
                   const DimExprs &exprs);

/// A type that the model says its value has, where inference says another one.
/// The inferred one holds, in the IR too (but for outputs of graphs).
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

/// Evaluation options that know arguments of ONNX graphs: named dimensions are
/// symbols of that name.
EvaluationOptions onnxEvaluationOptions();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_ONNXFOLDING_H
