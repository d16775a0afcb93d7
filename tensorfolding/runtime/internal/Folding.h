//===- Folding.h - Run a fold function --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_FOLDING_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_FOLDING_H

#include "onnxfold/tensorfolding/runtime/internal/CompiledFunction.h"
#include "onnxfold/tensorfolding/runtime/internal/Store.h"

namespace onnxfold::tensorfolding::internal {

using Weights = std::vector<std::shared_ptr<const Weight>>;

/// The bytes of a part's block, if all its shapes are static.
uint64_t staticBlockBytes(const Metadata &metadata, const Part &part);

/// Runs the fold function of a part on weights of the types that it declares,
/// in any layout, and stores the values in its place if that is free. Null and
/// an error if memory cannot be allocated or the results contradict the
/// metadata; then all memory is freed.
std::unique_ptr<FoldedBlock> runFold(const Metadata &metadata, const Part &part,
                                     const CompiledFunction &function,
                                     const Weights &inputs, const Place &place,
                                     Error &error);

} // namespace onnxfold::tensorfolding::internal

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_FOLDING_H
