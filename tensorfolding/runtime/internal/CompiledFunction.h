//===- CompiledFunction.h - Call functions of a program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A function of a program whose signature is known from metadata only: any
// number of tensors and scalars. libffi makes the call.
//
// Thread safety: several threads may call one function, since calls do not
// change the object.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_COMPILEDFUNCTION_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_COMPILEDFUNCTION_H

#include "onnxfold/tensorfolding/runtime/FoldedProgram.h"
#include <ffi.h>
#include <vector>

namespace onnxfold::tensorfolding::internal {

/// A result that the C interface returns.
struct ReturnedValue {
  uint32_t result; // its number
  size_t offset;   // in the returned struct
};

class CompiledFunction {
public:
  /// Finds the function and prepares its calls.
  static Error find(const Function &function,
                    const std::vector<const TensorType *> &parameters,
                    const std::vector<const TensorType *> &results,
                    const Resolver &resolve, CompiledFunction &found);

  /// Parameters and out-parameters.
  size_t argumentCount() const { return types.size() - firstArgument; }

  /// The length of the array `values` of a call. values[0] is reserved for this
  /// class.
  size_t valueCount() const { return 1 + argumentCount(); }

  /// Calls it. values[1 + i] is the address of argument i: of a pointer to a
  /// descriptor, or of a scalar. `returned` has returnedBytes().
  void call(void **values, void *returned) const;

  size_t returnedBytes() const { return bytes; }
  const std::vector<ReturnedValue> &returnedValues() const { return returns; }

private:
  ffi_type *layOut(const std::vector<const TensorType *> &results,
                   ResultConvention convention);

  void (*address)() = nullptr;
  mutable ffi_cif interface = {};
  std::vector<ffi_type *> types;
  size_t firstArgument = 0; // 1 if a struct is returned through a pointer
  size_t bytes = 0;
  std::vector<ReturnedValue> returns;
};

} // namespace onnxfold::tensorfolding::internal

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_COMPILEDFUNCTION_H
