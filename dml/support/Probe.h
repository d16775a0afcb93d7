//===- Probe.h - The values of a node for chosen inputs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of constant folding know every form of an operator. A lowering of
// an operator that moves or weighs values runs the kernel on values of its
// choice, such as the numbers of places, and derives the statements from the
// results. Or it lets a function of the kernels read the attributes.
//
//   ReasonOr<Elements> y = probed(cx, {places, {}, cx.constant(2)});
//
// Thread safety: none. Errors: the reasons of the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_PROBE_H
#define ONNXFOLD_DML_SUPPORT_PROBE_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/dml/export/Lowering.h"

namespace onnxfold::dml {

/// Result 0 of the node for these inputs; null inputs are left out.
ReasonOr<Elements> probed(Operator op, llvm::ArrayRef<Elements> inputs);
inline ReasonOr<Elements> probed(LoweringContext &cx,
                                 llvm::ArrayRef<Elements> inputs) {
  return probed(cx.op(), inputs);
}

/// Calls `read` with the context that the kernel of the node would get for
/// these inputs, and returns its result; or the reason why there is no kernel.
Reason readAsKernel(Operator op, llvm::ArrayRef<Elements> inputs,
                    llvm::function_ref<Reason(FoldContext &)> read);
inline Reason readAsKernel(LoweringContext &cx, llvm::ArrayRef<Elements> inputs,
                           llvm::function_ref<Reason(FoldContext &)> read) {
  return readAsKernel(cx.op(), inputs, read);
}

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_PROBE_H
