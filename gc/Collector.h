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
// operation that is not a root and in none collect nothing.
//
// After a failed pass nothing is collected. While passes run on several roots
// of a context at once, a collection after one of them is of the nested kind.
//
// Every pass manager that runs on a root while another thread may collect needs
// this instrumentation. Passes that keep attributes in their own state from one
// run to the next must pin them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_COLLECTOR_H
#define ONNXFOLD_GC_COLLECTOR_H

namespace mlir {
class PassManager;
} // namespace mlir

namespace onnxfold {

struct CollectorOptions {
  /// Make the operation that the pass manager runs on a root (adopting what it
  /// holds) for the time of the run, if it is none: for drivers that one cannot
  /// reach into, as MlirOptMain. Then the context must have no other module
  /// that shares attributes with it.
  bool registerRoot = false;
};

/// Adds the instrumentation. The context must outlive the pass manager's runs.
void addCollector(mlir::PassManager &passManager,
                  CollectorOptions options = {});

} // namespace onnxfold

#endif // ONNXFOLD_GC_COLLECTOR_H
