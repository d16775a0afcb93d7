//===- Kernel.cpp - Tensors that a function of the run time computes ------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/sequence/Dialect.h"

using namespace mlir;
using namespace onnxfold::sequence;

/// Kernels of tensors have no effects; those of buffers allocate the buffers
/// that are results.
void KernelOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &input : getInputsMutable())
    if (isa<BaseMemRefType>(input.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &input);
  for (OpOperand &output : getOutputsMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &output);
  // Written as well: what only allocates is erased with its deallocation by
  // bufferization.dealloc's canonicalization, whatever else it writes.
  for (OpResult result : getOperation()->getResults())
    if (isa<BaseMemRefType>(result.getType())) {
      effects.emplace_back(MemoryEffects::Allocate::get(), result);
      effects.emplace_back(MemoryEffects::Write::get(), result);
    }
}
