//===- KernelEntry.h - Kernels as compiled programs call them ---*- C++ -*-===//
//
// The entry of the run time behind sequence.kernel: the project's own kernels
// for operators that a compiled program does not compute itself.
//
//   static void *slot;                             // one for each text
//   const char text[] = "func.func @node(%0: tensor<?xf32>) -> ...";
//   onnxfoldKernelCall(&slot, text, sizeof(text) - 1, 1, &x, 1, &y);
//
// The text is a function whose body is one operator of the onnx dialect on the
// arguments (onnx/tosequence writes it); the inputs are the arguments, in their
// order, the results what is returned. It is read at the first call. Nothing
// here knows an operator: which kernel it is, and what its attributes say, is
// looked up as folding does it.
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
  int64_t rank;     ///< of a result without descriptor: -1 if any is right
  void *descriptor; ///< as MLIR lays it out; of a result null: allocate it
};

/// Memory of results that the entry allocates, as malloc; programs free it.
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
