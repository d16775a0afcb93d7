//===- Bodies.h - Graphs as attributes --------------------------*- C++ -*-===//
//
// How the kernels of If, Loop, Scan and SequenceMap run the graphs that their
// nodes carry. What a graph reads from outside is read where it is known.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_BODIES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_BODIES_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// The values that a graph gives for these arguments, or why they are not
/// known. Counts as one iteration.
FoldResult runGraph(FoldContext &cx, llvm::StringRef attribute,
                    llvm::ArrayRef<FoldedValue> arguments);

/// How many values a graph gives; 0 if there is no such attribute.
int64_t graphResults(FoldContext &cx, llvm::StringRef attribute);

/// What a graph gives in each of no iterations, put together along `axis`: an
/// empty tensor, if inference knows its type and all other dimensions.
FoldResult emptyScan(FoldContext &cx, unsigned result, int64_t axis);

/// Puts together, along a new axis, what each iteration gave; no iterations:
/// emptyScan.
FoldResult scanned(FoldContext &cx, unsigned result,
                   llvm::ArrayRef<Elements> parts, int64_t axis);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_BODIES_H
