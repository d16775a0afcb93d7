//===- AllKernels.cpp - The constant kernels of ONNX ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/AllKernels.h"

namespace onnxfold {
#define KERNEL(Name, Op) void register##Op(KernelRegistry &);
#include "onnxfold/onnx/kernels/AllKernels.def"
#undef KERNEL
} // namespace onnxfold

void onnxfold::registerAllKernels(KernelRegistry &registry) {
#define KERNEL(Name, Op) registry.addLazily(Name, register##Op);
#include "onnxfold/onnx/kernels/AllKernels.def"
#undef KERNEL
}
