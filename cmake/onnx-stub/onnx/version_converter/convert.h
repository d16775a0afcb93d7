// SPDX-License-Identifier: Apache-2.0
// Takes the place of the ONNX library's header of this name in the build of that library: its inliner can convert
// functions to the versions of the model, which nothing here asks for, and the adapters take long to compile. The
// converter's own files see the library's header.
#ifdef ONNXFOLD_ONNX_CONVERTER
#include_next "onnx/version_converter/convert.h"
#else
#pragma once

#include "onnx/onnx_pb.h"

#include <stdexcept>

namespace ONNX_NAMESPACE::version_conversion {

// Static: the library has a function of this name.
static ModelProto ConvertVersion(const ModelProto &, int) {
  throw std::logic_error("functions of other versions cannot be inlined");
}

} // namespace ONNX_NAMESPACE::version_conversion
#endif
