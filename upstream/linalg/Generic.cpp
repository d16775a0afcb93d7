//===- Generic.cpp - Loop nests of linalg --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// generic, and the operations that are loop nests by another name: map, reduce,
// transpose, broadcast, copy, fill.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/upstream/support/StructuredOp.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace onnxfold::upstream {
void registerLinalgGeneric(KernelRegistry &registry) {
  for (const char *op : {"generic", "map", "reduce", "transpose", "broadcast",
                         "copy", "fill", "fill_rng_2d"})
    addStructured(registry, op);
}
} // namespace onnxfold::upstream
