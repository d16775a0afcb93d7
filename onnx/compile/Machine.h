//===- Machine.h - Compiled models in this process --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Loads an object that compileModel made, and calls it. The memory of the code,
// of kernels and of sequences comes from malloc, which may be counted, or
// guarded too (GuardedMemory.h).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_COMPILE_MACHINE_H
#define ONNXFOLD_ONNX_COMPILE_MACHINE_H

#include "onnxfold/onnx/programs/Signature.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace onnxfold {

/// The memory that compiled code requested since resetMemoryCounts().
struct MemoryCounts {
  uint64_t allocations = 0, frees = 0;
  uint64_t liveBytes = 0, peakBytes = 0;
  uint64_t copies = 0, copiedBytes = 0; ///< of buffers
};
const MemoryCounts &memoryCounts();
void resetMemoryCounts();

enum class ProgramMemory { Plain, Counted, Guarded };

/// Frees memory of the program.
void freeOfProgram(void *block);

/// The address at which the program reads an input: a write-protected copy if
/// memory is guarded, else `data` itself.
const void *memoryOfInput(const void *data, size_t bytes);

class Machine {
public:
  /// `memory` applies to the process from now on.
  static llvm::Expected<Machine>
  load(std::unique_ptr<llvm::MemoryBuffer> object, ProgramMemory memory);
  Machine(Machine &&) noexcept;
  ~Machine();

  llvm::Expected<Signature> signature() const;
  /// Calls the main graph with the words of its C interface.
  void run(int64_t *words) const { entry(words); }

private:
  Machine();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)(int64_t *) = nullptr;
  const char *signatureText = nullptr;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_COMPILE_MACHINE_H
