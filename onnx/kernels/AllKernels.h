//===- AllKernels.h - The constant kernels of ONNX --------------*- C++ -*-===//
//
// Every kernel of this folder in one registry. The list is made from the file
// names by CMake: to add an operator, add <Op>.cpp, which defines
//
//   void onnxfold::register<Op>(KernelRegistry &registry);
//
// which adds kernels of that name only (ml/Scaler.cpp: of "ml.Scaler").
//
// and tests/onnx/kernels/<op>.mlir, and run tools/kernel_table.py, which writes
// the table README.md.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_ALLKERNELS_H
#define ONNXFOLD_ONNX_KERNELS_ALLKERNELS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

void registerAllKernels(KernelRegistry &registry);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_ALLKERNELS_H
