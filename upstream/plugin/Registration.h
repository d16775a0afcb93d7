//===- Registration.h - What the plugin registers ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For mlir-opt's plugins (Plugin.cpp) and for C (MlirC.cpp). Both may be called
// more than once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_PLUGIN_REGISTRATION_H
#define ONNXFOLD_UPSTREAM_PLUGIN_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace onnxfold {

void registerPluginPasses();
/// Our dialects, and the kernels of MLIR's, which are registered elsewhere.
void registerPluginDialects(mlir::DialectRegistry &registry);

} // namespace onnxfold

#endif // ONNXFOLD_UPSTREAM_PLUGIN_REGISTRATION_H
