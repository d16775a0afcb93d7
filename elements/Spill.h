//===- Spill.h - Tensors whose bytes lie in a file --------------*- C++ -*-===//
//
//   Elements big = spill(concat(parts, 0));  // never all in memory
//
// The file, its folder and its limits are those of elements/memory/Memory.h,
// which says how threads and errors are dealt with.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_SPILL_H
#define ONNXFOLD_ELEMENTS_SPILL_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// The same tensor with its bytes in a file: written there block by block, or
/// computed there, so that it takes no more memory than a few blocks, or than
/// the budget for what is computed on demand in one piece. Kept values that
/// others hold too are moved there for all of them. In memory (materialize) if
/// it is smaller than smallestSpilled, if its elements are strings, and if the
/// file cannot be written.
Elements spill(const Elements &x);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_SPILL_H
