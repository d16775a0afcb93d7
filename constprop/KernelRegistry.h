//===- KernelRegistry.h - Kernels by operator and version -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel is a function that folds one operator, registered under the name of
// the operation and the exact list of its versions: an operation of another
// version is kept, with that reason.
//
//   void registerAbs(KernelRegistry &registry) {
//     registry.add("Abs", {1, 6, 13}, foldAbs);
//   }
//
// By default a kernel runs when all inputs are constant tensors. Some need
// less:
//   .ignoresValue(0)        the kernel reads only type and shape of input 0
//   .movesSymbols(0)        input 0 may hold partly known integers
//   .movesSymbols()         any input may
// Some accept more:
//   .takesSequences()       an input may be a sequence or an optional
// Some can be run on many operands at once:
//   .mapsElements()         tensors may stand for scalars
// A kernel whose work is not the number of elements of its results says so:
//   .costs(unitsOfFunction) for each element, in units of FoldLimits::maxWork
//
// A registry belongs to one dialect; names are written without its prefix. A
// run meets few of the many operators: addLazily() runs the function that adds
// a kernel when the kernel is first needed, so the code of the others is never
// touched.
//
// Thread safety: filled before use, read by any number of threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_KERNELREGISTRY_H
#define ONNXFOLD_CONSTPROP_KERNELREGISTRY_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/constprop/FoldResult.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <string>

namespace onnxfold {

using FoldFunction = FoldResult (*)(FoldContext &);

/// Arguments of Kernel::costs(), per element: reading an operand (and some
/// arithmetic); exp, sin and other functions; several of these. Measured with
/// the baseline's vector instructions, where they cost five times as much as
/// with AVX-512.
inline constexpr double unitsOfReading = 20, unitsOfFunction = 120,
                        unitsOfComposite = 450;

class Kernel {
public:
  /// The kernel does not need the value of this input, which may be unknown.
  Kernel &ignoresValue(unsigned input) {
    ignored |= 1u << input;
    return *this;
  }
  /// This input (or any) may be a tensor of symbols.
  Kernel &movesSymbols(unsigned input) {
    symbolic |= 1u << input;
    return *this;
  }
  Kernel &movesSymbols() {
    symbolic = ~0u;
    return *this;
  }

  /// Inputs may be sequences, or optionals that hold nothing.
  Kernel &takesSequences() {
    anyKind = true;
    return *this;
  }

  /// Sets the work for each element of its operands, or of its results if those
  /// have more elements. By default only results are counted, unless the kernel
  /// calls FoldContext::checkWork() itself.
  Kernel &costs(double units) {
    unitsOfElement = units;
    return *this;
  }

  /// Each element of the result depends on one element of each operand, so that
  /// runOnTensors (RunOnTensors.h) may give it tensors for scalars. Operands of
  /// rank 0 broadcast.
  Kernel &mapsElements() {
    isElementwise = true;
    return *this;
  }

  FoldFunction function = nullptr;
  std::string operation;     ///< "onnx.Abs", as it was registered
  double unitsOfElement = 0; // 0: costs() was not called
  bool anyKind = false;
  bool isElementwise = false;
  uint32_t ignored = 0, symbolic = 0; // bit i: input i (31: and all later)

  static bool has(uint32_t mask, unsigned input) {
    return mask >> (input < 31 ? input : 31) & 1;
  }
};

class KernelRegistry {
public:
  explicit KernelRegistry(llvm::StringRef dialect) : dialect(dialect) {}

  Kernel &add(llvm::StringRef op, std::initializer_list<int> versions,
              FoldFunction function);

  /// `addKernels` adds all kernels of `op` and nothing else.
  void addLazily(llvm::StringRef op, void (*addKernels)(KernelRegistry &));

  /// The kernel for an operation ("onnx.Abs") at a version, or the reason why
  /// there is none.
  ReasonOr<const Kernel *> lookup(llvm::StringRef operation, int version) const;

  /// All (operation, version) pairs, sorted: for tables and their tests.
  std::vector<std::pair<std::string, int>> entries() const;

private:
  struct Entry {
    Kernel kernel;
    llvm::SmallVector<int, 6> versions;
  };
  using Entries = std::vector<std::unique_ptr<Entry>>;
  struct Lazy {
    void (*addKernels)(KernelRegistry &);
    std::once_flag once;
    Entries entries;
  };
  /// The entries of an operation, or null.
  const Entries *find(llvm::StringRef operation) const;

  std::string dialect;
  llvm::StringMap<Entries> kernels;
  llvm::StringMap<std::unique_ptr<Lazy>> lazy;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_KERNELREGISTRY_H
