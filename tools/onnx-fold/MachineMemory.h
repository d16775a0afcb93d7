//===- MachineMemory.h - How much memory there is ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Asks the system for the memory of the machine and of the container. The
// output of a run must not depend on it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNX_FOLD_MACHINEMEMORY_H
#define ONNXFOLD_TOOLS_ONNX_FOLD_MACHINEMEMORY_H

#include <cstdint>

namespace onnxfold {

/// The most memory that a process may have, by the machine, the container and
/// `ulimit -v`.
uint64_t memoryOfMachine();

/// The free memory.
uint64_t freeMemory();

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNX_FOLD_MACHINEMEMORY_H
