//===- RoundedResults.h - Results that are computed in double ---*- C++ -*-===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_ROUNDEDRESULTS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_ROUNDEDRESULTS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// For operators of several results, each of which is rounded once: `values`,
/// which is f64, as the float type `type`; wide (Elements::widened) if an input
/// of the operation is. Inputs are to be taken as input(i).unrounded(). For one
/// result see roundedOnce.
Elements rounded(FoldContext &cx, const Elements &values, DataType type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_ROUNDEDRESULTS_H
