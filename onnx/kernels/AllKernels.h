//===- AllKernels.h - The constant kernels of ONNX --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Adds every kernel of this folder to one registry. CMake makes the list from
// the file names. To add an operator, add <Op>.cpp, which defines
//
//   void onnxfold::register<Op>(KernelRegistry &registry);
//
// The function adds kernels of that name only (ml/Scaler.cpp: of "ml.Scaler").
//
// Add also tests/onnx/kernels/<op>.mlir, and run tools/kernel_table.py, which
// writes the table in README.md.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_ALLKERNELS_H
#define ONNXFOLD_ONNX_KERNELS_ALLKERNELS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

void registerAllKernels(KernelRegistry &registry);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_ALLKERNELS_H
