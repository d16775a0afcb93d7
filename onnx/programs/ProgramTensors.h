//===- ProgramTensors.h - Memrefs as kernels read them ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The tensors of a compiled program as Elements, and back, and the context of
// the texts that it carries (KernelEntry.h, ModelEntry.h).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_PROGRAMS_PROGRAMTENSORS_H
#define ONNXFOLD_ONNX_PROGRAMS_PROGRAMTENSORS_H

#include "onnxfold/elements/Elements.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <bit>
#include <mutex>
#include <optional>

namespace onnxfold {

/// The fields of a memref descriptor behind a pointer.
struct DescriptorView {
  DescriptorView(void *descriptor, int64_t rank)
      : words(static_cast<int64_t *>(descriptor)), rank(rank) {}

  char *data(int64_t elementBytes) const {
    return std::bit_cast<char *>(words[1]) + words[2] * elementBytes;
  }
  ShapeRef sizes() const { return ShapeRef(words + 3, rank); }
  ShapeRef strides() const { return ShapeRef(words + 3 + rank, rank); }
  bool isRowMajor() const;

  int64_t *words;
  int64_t rank;
};

/// A copy of a tensor of any strides. Null if a string is a number without a
/// text.
Elements copyOfTensor(const DescriptorView &view, int64_t elementBytes,
                      DataType type);

/// The same, but where the bytes are row-major and those of Elements, the tensor
/// where it lies.
Elements elementsOfTensor(const DescriptorView &view, int64_t elementBytes,
                          DataType type);

/// Memory of programs (setKernelAllocator); null if there is none.
void *allocateForProgram(size_t bytes);

/// A block with a descriptor and room for the data behind it; nothing if there
/// is no memory. Elements that are all the same take none themselves, so any
/// number of them may come.
std::optional<DescriptorView> allocateTensor(const Elements &elements,
                                             int64_t elementBytes);

/// The number that the sequence run time knows an element type by
/// (sequence/transforms/internal/RuntimeCalls.h).
uint32_t programElementCode(mlir::Type type);

/// Guards the context of parsed texts, which has no locks of its own.
std::mutex &contextMutex();

/// Reads a text that begins with a function; `function` is null if it does not.
/// Its operators are run, not folded (runsName). REQUIRES: contextMutex() is locked.
mlir::OwningOpRef<mlir::ModuleOp> parseFunction(llvm::StringRef text,
                                                mlir::func::FuncOp &function);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_PROGRAMS_PROGRAMTENSORS_H
