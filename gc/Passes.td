//===- Passes.td - Passes that free and replace attributes -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def CollectPass : Pass<"collect"> {
  let summary = "free unreferenced disposable attributes";
  let description = [{
    Collects at its place in a pipeline: for pipelines without a Collector
    (`gc/Collector.h`), and to see the numbers of one place as pass statistics
    (with an LLVM that was built with statistics).

    The pass must run on a top-level operation. Without a Collector no other
    thread may change a registered root while it runs.
  }];
  let dependentDialects = ["::onnxfold::ElementsDialect"];
  let statistics = [
    Statistic<"freed", "freed", "attributes disposed">,
    Statistic<"freedBytes", "freed-bytes", "bytes of their values">,
    Statistic<"live", "live", "attributes alive after it">,
    Statistic<"liveBytes", "live-bytes", "bytes of their values">,
    Statistic<"peakBytes", "peak-bytes", "the most bytes alive at once">,
    Statistic<"mappedBytes", "mapped-bytes", "bytes of files mapped after it">,
    Statistic<"microseconds", "microseconds", "time spent">
  ];
}

def ScrubPass : Pass<"scrub"> {
  let summary = "replace disposable attributes by ordinary ones";
  let description = [{
    For code that must not see disposable attributes: each becomes a
    `DenseElementsAttr` of the same value, or, with `resources`, a
    `DenseResourceElementsAttr` where it is not small and no splat
    (`gc/Scrub.h`). While other roots of the context are registered the pass
    leaves the disposal to the collection after it.

    The pass must run on a root, as `merge-constants`.
  }];
  let options = [
    Option<"resources", "resources", "bool", "false",
           "as dense_resource where not small">,
    Option<"inFile", "in-file", "bool", "false",
           "the same, with the bytes in a mapped file of $TMPDIR, not in memory">
  ];
  let statistics = [
    Statistic<"replaced", "replaced", "attributes that were replaced">,
    Statistic<"bytes", "bytes", "bytes of their values">
  ];
}

def MergeConstantsPass : Pass<"merge-constants"> {
  let summary = "make constants of equal value one attribute";
  let description = [{
    Disposable attributes bypass the uniquer, so that two attributes of equal
    value make operations differ for CSE, folders and patterns. The pass merges
    them (`gc/Merge.h`); run `cse` after it.

    The pass must run on a root: a pass on a function may see attributes that
    another thread is just replacing.
  }];
  let statistics = [
    Statistic<"merged", "merged", "attributes that were replaced by an equal one">,
    Statistic<"bytes", "bytes", "bytes of their values">
  ];
}
