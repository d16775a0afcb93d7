//===- ResultCache.h - Results of earlier runs ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The interface of a store of values that outlives the process. If some
// constants of a model have changed, folding it again computes only the values
// that depend on them. The engine knows no files: onnx/driver has a store that
// is a folder.
//
// A value is found by a key that is made of everything that determines it: the
// cache's salt (the program), the precision, the operator with its version and
// attributes, and the keys of its inputs, down to the contents of constants. So
// only constants are hashed, and only when a value is looked up.
//
// A value is looked up only if computing it takes longer than hashing its
// constants and reading it back. Work is counted (FoldLimits::maxWork says in
// which unit), not timed. Two kinds of values are looked up: those that become
// constants of the model, and expensive intermediate values (a product of
// matrices), from which other values may be computed. Kernels run in any case,
// so limits and reasons are the same with a cache and without; deferred results
// that the cache has are not computed. A value that proves damaged when it is
// read is computed and kept again.
//
//   EvaluationOptions options;
//   options.cache = &cache;
//
// Thread safety: all members may be called from any thread, at the same time.
// Errors: none. A cache that fails to read or keep a value behaves as if it did
// not have the value.
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

  /// A part of every key, because another program may compute other values.
  virtual Key salt() const = 0;

  /// Whether there seems to be a value of this key. REQUIRES: `type` is not
  /// String.
  virtual bool has(const Key &key, DataType type, ShapeRef shape) = 0;

  /// Writes `size` bytes of the value, from `offset` on, to `out`. False if they
  /// are not what was kept, or cannot be read; what is in `out` then has no
  /// meaning. Ranges that begin and end at multiples of `pieceBytes`, or at the
  /// end of the value, are read without others.
  virtual bool read(const Key &key, DataType type, ShapeRef shape,
                    uint64_t offset, uint64_t size, char *out) = 0;
  static constexpr uint64_t pieceBytes = 256 << 10;

  /// Computes the value and keeps it for later runs. False if it cannot be kept.
  virtual bool keep(const Key &key, const Elements &value) = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_RESULTCACHE_H
