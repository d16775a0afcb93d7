//===- CastStep.h - The step that converts elements -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The step that cast (Elementwise.h) and the precision of wide tensors add to
// programs. It is thread safe, and every element has a result.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_INTERNAL_CASTSTEP_H
#define ONNXFOLD_ELEMENTS_INTERNAL_CASTSTEP_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/widenum/Convert.h"
#include <new>

namespace onnxfold {

/// The step that converts blocks of type `from` to blocks of type `to`.
/// REQUIRES: isConvertible(to, from).
inline ElementsStep castStep(DataType to, DataType from,
                             CastOptions options = {}) {
  struct Closure {
    DataType to, from;
    CastOptions options;
  };
  static_assert(sizeof(Closure) <= ElementsStep::closureSize);
  ElementsStep step;
  step.type = to;
  step.arity = 1;
  step.function = [](const void *closure, const void *const *in, void *out,
                     size_t count) {
    auto &c = *static_cast<const Closure *>(closure);
    convertBlock(c.to, out, c.from, in[0], count, c.options);
  };
  new (step.closure) Closure{to, from, options};
  return step;
}

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_INTERNAL_CASTSTEP_H
