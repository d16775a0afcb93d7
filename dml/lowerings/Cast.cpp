//===- Cast.cpp - Lowering of onnx.Cast ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// To integers: rounded to zero, and wrapped around; to bool: not 0; to floats
// that are narrower: half to even.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Rounding.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerCastLowering(LoweringRegistry &registry) {
  registry.add("Cast", {1, 6, 9, 13, 19, 21, 23, 24, 25, 28}, lowerConversion);
}
} // namespace onnxfold::dml
