//===- Plugin.cpp - Our passes in stock mlir-opt --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   mlir-opt-22 --load-pass-plugin=libonnxfold_passes.so
//     --load-dialect-plugin=libonnxfold_passes.so
//     --pass-pipeline='builtin.module(constprop,scrub)' in.mlir
//
// The dialect plugin gives MLIR's dialects their kernels and adds ours; the pass
// plugin registers passes. mlir-opt has no hook for the collector, so there is a
// pass that runs others with it.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/gc/Passes.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/stablehlo/StablehloKernels.h"
#include "onnxfold/tensorfolding/Passes.h"
#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "onnxfold/upstream/UpstreamKernels.h"
#include "onnxfold/upstream/plugin/Registration.h"
#include "onnxfold/upstream/plugin/WithCollector.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

using namespace onnxfold;

void onnxfold::registerPluginPasses() {
  registerConstantPropagationPass();
  registerCollectionPasses();
  registerWithCollectorPass();
  registerDeallocationPasses();
  sequence::registerSequencePasses();
  sequence::registerSequencePipelines();
  registerTensorFoldingPasses();
  registerConstantTensorLowering();
}

void onnxfold::registerPluginDialects(mlir::DialectRegistry &registry) {
  registry.insert<ElementsDialect>();
  registerUpstreamKernels(registry);
  registerStablehlo(registry);
  registerDeallocationDialects(registry);
  sequence::registerSequenceDialects(registry);
}

#define ONNXFOLD_EXPORT extern "C" __attribute__((visibility("default")))

ONNXFOLD_EXPORT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "onnx-fold", LLVM_VERSION_STRING,
          registerPluginPasses};
}

ONNXFOLD_EXPORT mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "onnx-fold", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            registerPluginDialects(*registry);
          }};
}
