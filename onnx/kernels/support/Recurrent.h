//===- Recurrent.h - What RNN, GRU and LSTM share ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads the attributes and inputs of the recurrent operators and makes their
// outputs; a kernel adds the equations of one time step
// (elements/nn/Recurrence.h).
//
//   return foldRecurrent(cx, {.gates = 1, .activations = {"Tanh"},
//                             .step = stepRNN});
//
// The specification does not define these points, for which the kernels have
// these rules:
//   * Y is 0 beyond the length of a sequence. A backward direction starts at
//     the end of the sequence, not of the padding. ONNX Runtime does the same;
//     the reference evaluator ignores sequence_lens.
//   * A sequence without elements has no last state: the operation is not
//     folded if that state has users.
//   * Before version 7 the formulas have H * R, later ones have H * R^T. The
//     weights of models did not change, so R is transposed in all versions.
//   * output_sequence = 0 (the default before version 7) and an output Y: the
//     value of Y is not defined, so the operation is not folded.
// Values are rounded once, at the outputs: states are in double between time
// steps. Thread safety: as FoldContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_RECURRENT_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_RECURRENT_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/nn/Recurrence.h"

namespace onnxfold {

/// The cell of an operator.
struct RecurrentCell {
  int64_t gates;
  llvm::SmallVector<llvm::StringRef, 3> activations; // by default
  void (*step)(ops::RecurrentStep &);
  bool isLSTM = false; // has inputs initial_c and P, and output Y_c
};

FoldResult foldRecurrent(FoldContext &cx, const RecurrentCell &cell);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_RECURRENT_H
