//===- BuildKept.h - Computed now, under the budget -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The memory that Elements::build allocates belongs to the caller and is under
// no budget. buildKept is for results whose shape depends on values, so that
// they are computed at once, and of which many may be alive at a time. Their
// bytes count towards the budget of kept bytes, and are moved to a file when
// the budget is exceeded (elements/memory/Memory.h).
//
//   return buildKept<int64_t>({count}, [&](MutableArrayRef<int64_t> out) {
//     ...
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_BUILDKEPT_H
#define ONNXFOLD_ELEMENTS_BUILDKEPT_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// A tensor of `shape` whose elements `fill` writes, all of them.
/// REQUIRES: T is not a string type.
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
