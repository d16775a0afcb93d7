//===- Recurrent.h - What RNN, GRU and LSTM share ---------------*- C++ -*-===//
//
// Attributes, inputs and outputs of the recurrent operators; a kernel adds the
// equations of one time step (elements/nn/Recurrence.h).
//
//   return foldRecurrent(cx, {.gates = 1, .activations = {"Tanh"},
//                             .step = stepRNN});
//
// What the text is silent about:
//   * Y is 0 beyond the length of a sequence. A backward direction starts at
//     the end of the sequence, not of the padding. So does ONNX Runtime; the
//     reference evaluator does not look at sequence_lens.
//   * A sequence without elements has no last state: kept if that is read.
//   * Before version 7 the formulas have H * R where later ones have H * R^T.
//     The weights of models did not change, so R is transposed there too.
//   * output_sequence = 0 (the default before version 7) and an output Y: it is
//     not said what Y then is: kept.
// Values are rounded once, at the outputs: states are kept in double between
// time steps.
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
