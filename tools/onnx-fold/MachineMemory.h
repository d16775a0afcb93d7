//===- MachineMemory.h - How much memory there is ---------------*- C++ -*-===//
//
// What the system says, of the machine and of the container. Nothing that a run
// writes may depend on it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNX_FOLD_MACHINEMEMORY_H
#define ONNXFOLD_TOOLS_ONNX_FOLD_MACHINEMEMORY_H

#include <cstdint>
#include <sys/types.h>

namespace onnxfold {

/// What a process may have at most: of the machine, the container, `ulimit -v`.
uint64_t memoryOfMachine();

/// What is free.
uint64_t freeMemory();

/// What a process takes. Pages of files are not counted: the system takes them
/// back when it needs to.
uint64_t memoryOf(pid_t process);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNX_FOLD_MACHINEMEMORY_H
