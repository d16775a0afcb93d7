//===- Collector.h - Collection between passes ------------------*- C++ -*-===//
//
// A PassInstrumentation that frees what passes leave behind:
//
//   ModuleRoot root(*module);
//   PassManager pm(context);
//   addCollector(pm);
//   pm.run(*module);
//
// After a pass on a registered root everything that is unreachable is disposed.
// After a nested pass, on a function say, other threads are changing the rest
// of the module: then only what that pass itself made (on its own thread) and
// left unused in its own operation is disposed; the rest waits for a pass on
// the module, of which the end of a nested pipeline is one. Passes on an
// operation that is not a root and in none collect nothing, and what they make
// counts as born outside every root.
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
  /// Make the operation that the pass manager runs on a root (adopting what it
  /// holds) for the time of the run, if it is none: for drivers that you cannot
  /// change, such as MlirOptMain. Then the context must have no other module
  /// that shares attributes with it.
  bool registerRoot = false;
  /// How many bytes a pass makes before a safe point of it collects, at least;
  /// DisposablePool.h says when it waits for more. Bytes are what attributes
  /// may keep in memory, so a view counts all of its buffer, and each thread
  /// is counted separately in nested passes. 0: every safe point collects,
  /// which finds one that was declared too early; ~0: none does. The default
  /// lets the next values take over the memory of the dead ones
  /// (MemoryLimits::recycledBytes) while it is in the caches.
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
