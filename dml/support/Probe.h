//===- Probe.h - What a node makes of chosen values -------------*- C++ -*-===//
//
// The kernels of constant folding know all the ways of an operator. A lowering
// of an operator that moves or weighs values runs the kernel on values of its
// choice, such as numbers of places, and reads from the results what to write.
// Or it lets a function of the kernels read the attributes.
//
//   ReasonOr<Elements> y = probed(cx, {places, {}, cx.constant(2)});
//
// Thread safety: none. Errors: reasons of the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_PROBE_H
#define ONNXFOLD_DML_SUPPORT_PROBE_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/dml/Lowering.h"

namespace onnxfold::dml {

/// Result 0 of the node for these inputs; null ones are left out.
ReasonOr<Elements> probed(LoweringContext &cx, llvm::ArrayRef<Elements> inputs);

/// What `read` returns when it gets what the kernel of the node would get for
/// these inputs; or why there is no kernel.
Reason readAsKernel(LoweringContext &cx, llvm::ArrayRef<Elements> inputs,
                    llvm::function_ref<Reason(FoldContext &)> read);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_PROBE_H
