//===- KernelEntry.h - Kernels as compiled programs call them ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The entry of the run time behind sequence.kernel. It runs the project's own
// kernels for operators that a compiled program does not compute itself.
//
//   static void *slot;                             // one for each text
//   const char text[] = "func.func @node(%0: tensor<?xf32>) -> ...";
//   onnxfoldKernelCall(&slot, text, sizeof(text) - 1, 1, &x, 1, &y);
//
// The text is a function whose body is one operator of the onnx dialect on the
// arguments (onnx/tosequence writes it). The inputs are its arguments, in their
// order, and the results its returned values. The text is read at the first
// call. This code knows no operator: the kernel and the attributes are found as
// in folding.
//
// Errors: a kernel that cannot compute, a result of another type or shape than
// the text says, and a text that cannot be read stop the program by
// onnxfoldSequenceStop (sequence/runtime), with a message that names the node.
// Thread safety: any number of threads; calls with one slot take turns.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_PROGRAMS_KERNELENTRY_H
#define ONNXFOLD_ONNX_PROGRAMS_KERNELENTRY_H

#include <cstddef>
#include <cstdint>

namespace onnxfold {

/// A memref as an operand or a result.
struct KernelTensor {
  uint64_t elementCode; ///< as in sequence/runtime/Runtime.h
  int64_t elementBytes;
  int64_t rank;     ///< -1 for a result without descriptor of any rank
  void *descriptor; ///< as MLIR lays it out; null: the result is allocated
};

/// Sets the function, such as malloc, that allocates results; programs free
/// them.
void setKernelAllocator(void *(*allocate)(size_t bytes));

} // namespace onnxfold

/// Results that have a descriptor are written there; their shape must be that
/// of the descriptor. The others are allocated in one block: the descriptor,
/// whose allocated pointer is the block, then the data, aligned to 64 bytes.
extern "C" void onnxfoldKernelCall(void **slot, const char *text,
                                   int64_t textBytes, int64_t numInputs,
                                   const onnxfold::KernelTensor *inputs,
                                   int64_t numResults,
                                   onnxfold::KernelTensor *results);

#endif // ONNXFOLD_ONNX_PROGRAMS_KERNELENTRY_H
