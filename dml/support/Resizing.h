//===- Resizing.h - Resize and Upsample -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each axis is resized by itself. The sources of its new elements are found by
// running the kernel of constant folding on the numbers of the elements
// (nearest), or on inputs of which one element is 1 (linear, cubic).
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_RESIZING_H
#define ONNXFOLD_DML_SUPPORT_RESIZING_H

#include "onnxfold/dml/export/Lowering.h"

namespace onnxfold::dml {

/// `scales`: those of all axes, or of the attribute `axes`; nothing if there
/// are sizes. REQUIRES: inputs other than 0 are constants.
Lowered lowerResizing(LoweringContext &cx,
                      const std::optional<std::vector<float>> &scales);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_RESIZING_H
