//===- Scrub.h - Disposable to ordinary attributes --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Replaces every disposable attribute that a module refers to by an ordinary
// one of the same value, for code that cannot use disposable ones:
//
//   scrub(*module);                                  // DenseElementsAttr
//   scrub(*module, {.form = ScrubForm::Resource});   // dense_resource
//
// With ScrubForm::ResourceInFile the bytes of resources are computed block by
// block into a file without a name (elements/Spill.h), which is mapped as long
// as they live: all of them together take no more of the heap than the blocks.
//
// The values are converted in parallel on the context's threads. Each attribute
// that no other root and no pin holds is disposed as soon as it is converted;
// the memory never exceeds that of the remaining values, the converted ones,
// and one value per thread. Register the module as a root first: the other
// holders of attributes that were created outside every root are unknown.
//
// A resource has one or more whole bytes for each element, also for i1 and the
// other types narrower than a byte. Small values and splats become
// DenseElementsAttr in either form, as in toAttribute. Elided attributes are
// kept. Values of types that have no resource form (strings) become
// DenseElementsAttr in either case.
//
// Thread safety: the world must be stopped, as for DisposablePool::collect.
// Errors: none; a stale attribute ends the program, as everywhere.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_SCRUB_H
#define ONNXFOLD_GC_SCRUB_H

#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace onnxfold {

enum class ScrubForm {
  Dense,         ///< DenseElementsAttr: equal values are merged
  Resource,      ///< DenseResourceElementsAttr for what is not small or a splat
  ResourceInFile ///< the same, with its bytes in a file that is mapped
};

struct ScrubOptions {
  ScrubForm form = ScrubForm::Dense;
};

struct ScrubResult {
  uint64_t replaced = 0; ///< disposable attributes, each counted once
  uint64_t bytes = 0;    ///< of their values
};

ScrubResult scrub(mlir::Operation *module, ScrubOptions options = {});

} // namespace onnxfold

#endif // ONNXFOLD_GC_SCRUB_H
