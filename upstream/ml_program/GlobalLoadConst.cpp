//===- GlobalLoadConst.cpp - Constant kernel of ml_program.global_load_const ===//
// SPDX-License-Identifier: Apache-2.0
//
// The value of a global that never changes. A load that is still read is kept:
// the global is the constant.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Globals.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace onnxfold::upstream {
void registerMlProgramGlobalLoadConst(KernelRegistry &registry) {
  registry.add("global_load_const", {1}, foldGlobal);
}
} // namespace onnxfold::upstream
