//===- ToSequence.h - ONNX sequences as programs ----------------*- C++ -*-===//
//
// The pass convert-onnx-to-sequence: functions of ONNX operators become
// functions of the dialects sequence, tensor, linalg, arith and scf, which the
// pipeline --lower-sequence-to-llvm makes programs of:
//
//   fold-opt model.mlir --convert-onnx-to-sequence --lower-sequence-to-llvm
//
// It is meant for sequences, and lowers the operators that models have around
// them:
//   SequenceEmpty SequenceConstruct SequenceInsert SequenceErase SequenceAt
//   SequenceLength SplitToSequence ConcatFromSequence SequenceMap
//   If Loop, with sequences and tensors carried, and scan outputs
//   Optional OptionalHasElement OptionalGetElement, optionals carried by a Loop
//   Identity Constant Add Sub Mul Slice Unsqueeze Squeeze Shape Not
// Everything else is an error that names the operator.
//
// Types are inferred from the operands, and may be more precise than those of
// the model: the type of a loop-carried sequence is the least one that covers
// the initial one and the one that the body yields, to a fixpoint, its length
// too. Arguments and results of functions keep the types of the model
// (!onnx.seq<tensor<...>> is !sequence.seq<tensor<...>, ?>).
//
// Errors are diagnostics at the operation: an operator without a lowering, a
// type that has none (strings, maps; optionals as arguments or results of
// functions and branches), unranked operands of Add and
// the like, axes and steps that are not constant. Thread safety: as MLIR's
// passes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TOSEQUENCE_TOSEQUENCE_H
#define ONNXFOLD_ONNX_TOSEQUENCE_TOSEQUENCE_H

#include <memory>

namespace mlir {
class Pass;
}

namespace onnxfold {

/// A pass on a module.
std::unique_ptr<mlir::Pass> createConvertOnnxToSequencePass();
void registerConvertOnnxToSequencePass();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TOSEQUENCE_TOSEQUENCE_H
