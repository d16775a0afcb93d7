//===- Dropout.cpp - Lowering of onnx.Dropout ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The identity: models run, they do not train.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/onnx/ir/SettingName.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerDropout(LoweringContext &cx) {
  Elements training = cx.constant(2);
  if ((cx.hasInput(2) && (!training || training.value<bool>())) ||
      (cx.op().since() < 7 && cx.op().getInt("is_test", 0) == 0))
    return Lowered::refused("training mode, or not known to be inference",
                            "fix the input with " + setting("bind"));
  cx.define(0, cx.matrix(0));
  if (cx.isUsed(1)) {
    auto [rows, columns] = naturalSizes(cx.input(0).dims);
    cx.define(1, cx.filled(1, rows, columns));
  }
  return Lowered::done();
}

namespace onnxfold::dml {
void registerDropoutLowering(LoweringRegistry &registry) {
  registry.add("Dropout", {1, 6, 7, 10, 12, 13, 22}, lowerDropout);
}
} // namespace onnxfold::dml
