//===- Scrub.h - Disposable to ordinary attributes --------------*- C++ -*-===//
//
// Replaces every disposable attribute that a module refers to by an ordinary
// one of the same value, for code that must not see ours:
//
//   scrub(*module);                                  // DenseElementsAttr
//   scrub(*module, {.form = ScrubForm::Resource});   // dense_resource
//
// With ScrubForm::ResourceInFile the bytes of resources are computed block by
// block into a file without a name (elements/Spill.h), which is mapped as long
// as they live: all of them together take no more of the heap than the blocks.
//
// The values are converted in parallel on the context's threads. Each attribute
// that nobody else holds (another root, a pin) is disposed as soon as it is
// converted; at no time is more in memory than the values that were there, the
// finished ones, and one value per thread. Register the module as a root
// before: it is not known who else holds attributes that were made outside
// every root.
//
// The bytes of a resource are one or more for each element, of i1 and the other
// types narrower than a byte too. Small values and splats, as toAttribute has
// it, become DenseElementsAttr in either form. Elided attributes are kept.
// Values of types that have no resource form (strings) become DenseElementsAttr
// in either case.
//
// Thread safety: needs the world stopped, as DisposablePool::collect. Errors:
// none; a stale attribute ends the program, as everywhere.
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
