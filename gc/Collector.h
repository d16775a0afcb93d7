//===- Collector.h - Collection between passes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A PassInstrumentation that frees the attributes that passes leave unused:
//
//   ModuleRoot root(*module);
//   PassManager pm(context);
//   addCollector(pm);
//   pm.run(*module);
//
// After a pass on a registered root all unreachable attributes are disposed.
// After a nested pass, for example on a function, other threads may be changing
// the rest of the module: then only attributes that this pass created (on its
// own thread) and left unused in its own operation are disposed; the others are
// disposed after the next pass on the module, for example the end of a nested
// pipeline. A pass on an operation that is neither a root nor in one collects
// nothing, and the attributes that it creates count as born outside every root.
//
// After a failed pass nothing is collected. While passes run on several roots
// of a context at once, a collection after one of them is of the nested kind.
// Within a pass only safe points collect (DisposablePool.h, SafePoint.h).
//
// Every pass manager that runs on a root while another thread may collect needs
// this instrumentation. Passes that keep attributes in their own state from one
// run to the next must pin them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_COLLECTOR_H
#define ONNXFOLD_GC_COLLECTOR_H

#include <cstdint>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir {
class PassManager;
} // namespace mlir

namespace onnxfold {

struct DisposableStatistics;

struct CollectorOptions {
  /// Whether the operation that the pass manager runs on becomes a root for the
  /// time of the run, if it is none, and its attributes are adopted. This is
  /// for drivers that you cannot change, such as MlirOptMain. Then the context
  /// must have no other module that shares attributes with it.
  bool registerRoot = false;
  /// The least number of bytes that a pass creates before one of its safe
  /// points collects; DisposablePool.h says when it waits for more. Bytes are
  /// what attributes may keep in memory, so a view counts all of its buffer,
  /// and each thread is counted separately in nested passes. If it is 0, every
  /// safe point collects, which finds those that were declared too early; if it
  /// is ~0, none does. The default lets the next values take over the memory of
  /// the dead ones (MemoryLimits::recycledBytes) while it is in the caches.
  uint64_t pressureBytes = 4 << 20;
  /// Where the statistics of the context are printed when the pass manager is
  /// destroyed, if anywhere. The context and the stream must still live.
  llvm::raw_ostream *statistics = nullptr;
};

/// Adds the instrumentation. The context must outlive the pass manager's runs.
void addCollector(mlir::PassManager &passManager,
                  CollectorOptions options = {});

/// Writes the numbers in the form of MLIR's own pass statistics.
void print(const DisposableStatistics &statistics, llvm::raw_ostream &os);

} // namespace onnxfold

#endif // ONNXFOLD_GC_COLLECTOR_H
