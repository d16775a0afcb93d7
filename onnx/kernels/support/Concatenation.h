//===- Concatenation.h - Joining and splitting tensors ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Joins and splits tensors for Concat, Split, ConcatFromSequence,
// SplitToSequence, SequenceMap, Loop and Scan.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_CONCATENATION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_CONCATENATION_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// The concatenation of the parts along `axis`, which is one of theirs. The
/// model is invalid if their types differ, or their shapes in another
/// dimension; `what` names a part in messages ("input").
FoldResult joined(FoldContext &cx, llvm::ArrayRef<Elements> parts, int64_t axis,
                  llvm::StringRef what);

/// The same along a new axis, on which each part has one index.
FoldResult stacked(FoldContext &cx, llvm::ArrayRef<Elements> parts,
                   int64_t axis, llvm::StringRef what);

/// Views of these sizes along an axis; the model is invalid if the sizes do not
/// add up to that of x.
FoldResult cutInto(const Elements &x, int64_t axis, ShapeRef sizes);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_CONCATENATION_H
