//===- ResultCache.h - Results of earlier runs ------------------*- C++ -*-===//
//
// The interface of a store of values that outlives the process. If some
// constants of a model have changed, folding it again computes only what
// depends on them. The engine knows no files: onnx/driver has a store that is a
// folder.
//
// A value is found by a key that is made of all that decides it: the cache's
// salt (the program), precision, the operator with its version and attributes,
// and the keys of its inputs, down to the contents of constants. So nothing is
// hashed but constants, and these only when a value is asked for.
//
// Only what takes longer to compute than to hash its constants and to read it
// back is looked up: work is counted (FoldLimits::maxWork says in which unit),
// not timed. Two kinds of values are: those that become constants of the model,
// and intermediate values that are expensive (a product of matrices), so that
// what else is computed from them finds them. Kernels run in any case, so that
// limits and reasons are the same with a cache and without; what they defer is
// not computed.
//
//   EvaluationOptions options;
//   options.cache = &cache;
//
// Thread safety: all members may be called from any thread, at the same time.
// Errors: none. A cache that cannot find or keep a value is one that does not
// have it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_RESULTCACHE_H
#define ONNXFOLD_CONSTPROP_RESULTCACHE_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/ops/ContentHash.h"

namespace onnxfold {

class ResultCache {
public:
  using Key = ops::ContentHash;

  virtual ~ResultCache();

  /// A part of every key: other programs compute other values.
  virtual Key salt() const = 0;

  /// The value of this key, or null. REQUIRES: no strings.
  virtual Elements find(const Key &key, DataType type, ShapeRef shape) = 0;

  /// Computes the value and keeps it for later runs. Returns it from where it
  /// is kept, or the same handle, perhaps not computed, if it cannot be kept.
  virtual Elements keep(const Key &key, const Elements &value) = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_RESULTCACHE_H
