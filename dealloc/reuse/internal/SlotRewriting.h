//===- SlotRewriting.h - Slots become allocations -------------------------===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_SLOTREWRITING_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_SLOTREWRITING_H

#include "onnxfold/dealloc/reuse/internal/LiveIntervals.h"

namespace onnxfold::deallocation {

/// Gives the buffers of a slot one allocation and one dealloc. A slot of
/// several types becomes a memref of i8 of which the buffers are views.
void rewriteSlot(llvm::ArrayRef<LiveBuffer *> members, const Slot &slot);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_SLOTREWRITING_H
