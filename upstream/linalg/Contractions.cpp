//===- Contractions.cpp - Products of linalg ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums of products, of any layout.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/upstream/support/StructuredOp.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace onnxfold::upstream {
void registerLinalgContractions(KernelRegistry &registry) {
  for (const char *op :
       {"batch_matmul", "batch_matvec", "batch_mmt4d", "batch_reduce_matmul",
        "batch_vecmat", "contract", "dot", "matmul", "matvec", "mmt4d",
        "quantized_batch_matmul", "quantized_matmul", "vecmat"})
    addStructured(registry, op);
}
} // namespace onnxfold::upstream
