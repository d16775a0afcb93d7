//===- Concatenation.h - Joining and splitting tensors ----------*- C++ -*-===//
//
// What Concat and Split share with ConcatFromSequence and SplitToSequence, and
// those with SequenceMap, Loop and Scan.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_CONCATENATION_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_CONCATENATION_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// One tensor of parts that lie after each other along `axis`, which is one of
/// theirs. Invalid if their types differ, or their shapes other than along it;
/// `what` names a part ("input").
FoldResult joined(FoldContext &cx, llvm::ArrayRef<Elements> parts, int64_t axis,
                  llvm::StringRef what);

/// The same along an axis that the parts do not have: each has one index there.
FoldResult stacked(FoldContext &cx, llvm::ArrayRef<Elements> parts,
                   int64_t axis, llvm::StringRef what);

/// Views of these sizes along an axis; invalid if they do not add up.
FoldResult cutInto(const Elements &x, int64_t axis, ShapeRef sizes);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_CONCATENATION_H
