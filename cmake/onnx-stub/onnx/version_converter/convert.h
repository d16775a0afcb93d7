// Takes the place of the ONNX library's header of this name in the build of that library: its inliner can convert
// functions to the versions of the model, which nothing here asks for, and the adapters take long to compile.
#pragma once

#include "onnx/onnx_pb.h"

#include <stdexcept>

namespace ONNX_NAMESPACE::version_conversion {

inline ModelProto ConvertVersion(const ModelProto &, int) {
  throw std::logic_error(
      "this build of the ONNX library cannot convert versions");
}

} // namespace ONNX_NAMESPACE::version_conversion
