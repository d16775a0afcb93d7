//===- Recurrent.h - Common part of RNN, GRU and LSTM in DML ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The products of all inputs with their weights are one matrix product. A
// helper, called for each direction, runs along the steps. Y is 0 beyond the
// length of a sequence, and a backward direction starts at the end of the
// sequence, not of the padding.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_RECURRENT_H
#define ONNXFOLD_DML_SUPPORT_RECURRENT_H

#include "onnxfold/dml/export/Lowering.h"

namespace onnxfold::dml {

enum class RecurrentKind { RNN, GRU, LSTM };

Lowered lowerRecurrent(LoweringContext &cx, RecurrentKind kind);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_RECURRENT_H
