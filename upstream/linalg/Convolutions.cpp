//===- Convolutions.cpp - Convolutions of linalg -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums of products of windows; nothing is padded.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/upstream/support/StructuredOp.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace onnxfold::upstream {
void registerLinalgConvolutions(KernelRegistry &registry) {
  for (const char *op : {"conv_1d",
                         "conv_1d_ncw_fcw",
                         "conv_1d_nwc_wcf",
                         "conv_2d",
                         "conv_2d_nchw_fchw",
                         "conv_2d_nchw_fchw_q",
                         "conv_2d_ngchw_fgchw",
                         "conv_2d_ngchw_gfchw",
                         "conv_2d_ngchw_gfchw_q",
                         "conv_2d_nhwc_fhwc",
                         "conv_2d_nhwc_fhwc_q",
                         "conv_2d_nhwc_hwcf",
                         "conv_2d_nhwc_hwcf_q",
                         "conv_2d_nhwgc_gfhwc",
                         "conv_2d_nhwgc_gfhwc_q",
                         "conv_3d",
                         "conv_3d_ncdhw_fcdhw",
                         "conv_3d_ndhwc_dhwcf",
                         "conv_3d_ndhwc_dhwcf_q",
                         "depthwise_conv_1d_ncw_cw",
                         "depthwise_conv_1d_nwc_wc",
                         "depthwise_conv_1d_nwc_wcm",
                         "depthwise_conv_2d_nchw_chw",
                         "depthwise_conv_2d_nhwc_hwc",
                         "depthwise_conv_2d_nhwc_hwc_q",
                         "depthwise_conv_2d_nhwc_hwcm",
                         "depthwise_conv_2d_nhwc_hwcm_q",
                         "depthwise_conv_3d_ncdhw_cdhw",
                         "depthwise_conv_3d_ndhwc_dhwc",
                         "depthwise_conv_3d_ndhwc_dhwcm"})
    addStructured(registry, op);
}
} // namespace onnxfold::upstream
