//===- Resizing.h - Resize and Upsample -------------------------*- C++ -*-===//
//
// Each axis is resized for itself. Where its new elements come from is read
// from what the kernel of constant folding makes of the numbers of elements
// (nearest) or of one element that is 1 (linear, cubic).
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_RESIZING_H
#define ONNXFOLD_DML_SUPPORT_RESIZING_H

#include "onnxfold/dml/Lowering.h"

namespace onnxfold::dml {

/// `scales`: of all axes, or of attribute `axes`; nothing if there are sizes.
/// REQUIRES: inputs other than 0 are constants.
Lowered lowerResizing(LoweringContext &cx,
                      const std::optional<std::vector<float>> &scales);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_RESIZING_H
