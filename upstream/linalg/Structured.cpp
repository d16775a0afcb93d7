//===- Structured.cpp - Constant kernels of structured operations of linalg ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Operations with a body over loops (support/StructuredOp.h).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/upstream/support/StructuredOp.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace onnxfold::upstream {
void registerLinalgStructured(KernelRegistry &registry) {
  // Sums of products, of any layout.
  for (const char *op :
       {"batch_matmul", "batch_matvec", "batch_mmt4d", "batch_reduce_matmul",
        "batch_vecmat", "contract", "dot", "matmul", "matvec", "mmt4d",
        "quantized_batch_matmul", "quantized_matmul", "vecmat"})
    addStructured(registry, op);
  // Their bodies are operations of arith and math, whose kernels compute them.
  for (const char *op :
       {"abs",    "add",  "ceil",   "div",        "div_unsigned", "elementwise",
        "erf",    "exp",  "floor",  "log",        "max",          "min",
        "mul",    "negf", "powf",   "reciprocal", "round",        "rsqrt",
        "select", "sqrt", "square", "sub",        "tanh"})
    addStructured(registry, op);
  // Reductions of windows; nothing is padded.
  for (const char *op :
       {"pooling_nchw_max", "pooling_nchw_sum", "pooling_ncw_max",
        "pooling_ncw_sum", "pooling_ndhwc_max", "pooling_ndhwc_min",
        "pooling_ndhwc_sum", "pooling_nhwc_max", "pooling_nhwc_max_unsigned",
        "pooling_nhwc_min", "pooling_nhwc_min_unsigned", "pooling_nhwc_sum",
        "pooling_nwc_max", "pooling_nwc_max_unsigned", "pooling_nwc_min",
        "pooling_nwc_min_unsigned", "pooling_nwc_sum"})
    addStructured(registry, op);
  // generic, and the operations that are loop nests by another name: map,
  // reduce, transpose, broadcast, copy, fill.
  for (const char *op : {"generic", "map", "reduce", "transpose", "broadcast",
                         "copy", "fill", "fill_rng_2d"})
    addStructured(registry, op);
}
} // namespace onnxfold::upstream
