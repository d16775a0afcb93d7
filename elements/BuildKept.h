//===- BuildKept.h - Computed now, under the budget -------------*- C++ -*-===//
//
// Elements::build makes memory that belongs to its caller. Results of which
// there may be many at a time, and which are computed at once because their
// shape depends on values, are made here: they count for the budget of kept
// bytes and are moved to a file beyond it (elements/memory/Memory.h).
//
//   return buildKept<int64_t>({count}, [&](llvm::MutableArrayRef<int64_t> out) {
//     ...
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_BUILDKEPT_H
#define ONNXFOLD_ELEMENTS_BUILDKEPT_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// A tensor whose elements `fill` writes, all of them. T is no string.
template <class T>
Elements buildKept(ShapeRef shape,
                   llvm::function_ref<void(llvm::MutableArrayRef<T>)> fill) {
  size_t count = numElements(shape);
  Elements result =
      Elements::deferred(dataTypeOf<T>, shape, {}, [&](char *out) {
        fill({reinterpret_cast<T *>(out), count});
      });
  return result.materialize(); // `fill` has been called, and is dropped
}

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_BUILDKEPT_H
