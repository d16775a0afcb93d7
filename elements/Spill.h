//===- Spill.h - Tensors whose bytes lie in a file --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Moves a large tensor out of memory; it can be read as before.
//
//   Elements big = spill(concat(parts, 0));  // never all in memory
//
// elements/memory/Memory.h describes the file, its folder, the limits, thread
// safety and errors.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_SPILL_H
#define ONNXFOLD_ELEMENTS_SPILL_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// The same tensor with its bytes in a file. They are written or computed there
/// block by block, which takes the memory of a few blocks. A value that is
/// computed on demand in one piece takes no more memory than the budget. A kept
/// value that other handles share is moved for all of them. The result is in
/// memory (materialize) if it is smaller than smallestSpilled, if its elements
/// are strings, or if the file cannot be written. Null for a null tensor.
Elements spill(const Elements &x);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_SPILL_H
