//===- Probe.h - What a node makes of chosen values -------------*- C++ -*-===//
//
// The kernels of constant folding know all the ways of an operator. A lowering
// of an operator that moves or weighs values runs the kernel on values of its
// choice, such as numbers of places, and reads from the results what to write.
//
//   ReasonOr<Elements> y = probed(cx, {places, {}, cx.constant(2)});
//
// Thread safety: none. Errors: reasons of the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_PROBE_H
#define ONNXFOLD_DML_SUPPORT_PROBE_H

#include "onnxfold/constprop/Reason.h"
#include "onnxfold/dml/Lowering.h"

namespace onnxfold::dml {

/// Result 0 of the node for these inputs; null ones are left out.
ReasonOr<Elements> probed(LoweringContext &cx, llvm::ArrayRef<Elements> inputs);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_PROBE_H
