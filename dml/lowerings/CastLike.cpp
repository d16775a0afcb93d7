//===- CastLike.cpp - Lowering of onnx.CastLike --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// As Cast, to the type of input 1.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Rounding.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerCastLikeLowering(LoweringRegistry &registry) {
  registry.add("CastLike", {15, 19, 21, 23, 24, 25}, lowerConversion);
}
} // namespace onnxfold::dml
