//===- WithCollector.h - A pass that runs others with collection -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A pass for drivers that cannot be extended, such as mlir-opt:
//
//   --pass-pipeline='builtin.module(with-collector{pipeline=constprop,scrub})'
//
// Between the passes of `pipeline`, constants that became unused are freed
// (gc/Collector.h). The remaining constants become ordinary attributes only by
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
