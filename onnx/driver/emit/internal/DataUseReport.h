//===- DataUseReport.h - What is left of data files -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_DATAUSEREPORT_H
#define ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_DATAUSEREPORT_H

#include "onnxfold/onnx/driver/report/FoldReport.h"
#include "onnxfold/onnx/io/write/Export.h"

namespace onnxfold {

/// Tells the report how many bytes the output refers to in each data file of
/// the input.
void noteDataUse(const ImportedModel &model, const ModelExporter &exporter,
                 FoldReport &report);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_DATAUSEREPORT_H
