//===- Pooling.cpp - Pooling of linalg -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reductions of windows; nothing is padded.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/upstream/support/StructuredOp.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace onnxfold::upstream {
void registerLinalgPooling(KernelRegistry &registry) {
  for (const char *op :
       {"pooling_nchw_max", "pooling_nchw_sum", "pooling_ncw_max",
        "pooling_ncw_sum", "pooling_ndhwc_max", "pooling_ndhwc_min",
        "pooling_ndhwc_sum", "pooling_nhwc_max", "pooling_nhwc_max_unsigned",
        "pooling_nhwc_min", "pooling_nhwc_min_unsigned", "pooling_nhwc_sum",
        "pooling_nwc_max", "pooling_nwc_max_unsigned", "pooling_nwc_min",
        "pooling_nwc_min_unsigned", "pooling_nwc_sum"})
    addStructured(registry, op);
}
} // namespace onnxfold::upstream
