//===- GlobalLoad.cpp - Constant kernel of ml_program.global_load ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// As global_load_const where the global is not mutable.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Globals.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace onnxfold::upstream {
void registerMlProgramGlobalLoad(KernelRegistry &registry) {
  registry.add("global_load", {1}, foldGlobal);
}
} // namespace onnxfold::upstream
