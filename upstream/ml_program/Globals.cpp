//===- Globals.cpp - Constant kernels of loads of globals -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A global that no operation writes has its initial value.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/upstream/support/Globals.h"
#include "onnxfold/constprop/KernelRegistry.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace onnxfold::upstream {
void registerMlProgramGlobals(KernelRegistry &registry) {
  // A global that is not mutable is read as global_load_const reads it.
  registry.add("global_load", {1}, foldGlobal);
  // The value of a global that never changes. A load that is still read is
  // kept: the global is the constant.
  registry.add("global_load_const", {1}, foldGlobal);
}
} // namespace onnxfold::upstream
