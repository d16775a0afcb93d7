//===- WithCollector.h - A pass that runs others with collection -*- C++ -*-===//
//
// For drivers that one cannot reach into, as mlir-opt:
//
//   --pass-pipeline='builtin.module(with-collector{pipeline=constprop,scrub})'
//
// What the passes of `pipeline` make and drop is freed between them
// (gc/Collector.h). Constants that are left are ordinary attributes only after
// `scrub`.
//
// Thread safety: as a pass on the top-level operation.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_PLUGIN_WITHCOLLECTOR_H
#define ONNXFOLD_UPSTREAM_PLUGIN_WITHCOLLECTOR_H

namespace onnxfold {

/// Registers the pass `with-collector`.
void registerWithCollectorPass();

} // namespace onnxfold

#endif // ONNXFOLD_UPSTREAM_PLUGIN_WITHCOLLECTOR_H
