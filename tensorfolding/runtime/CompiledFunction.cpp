//===- CompiledFunction.cpp - Call functions of a program -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/internal/CompiledFunction.h"

#include "onnxfold/tensorfolding/runtime/internal/Descriptors.h"

namespace onnxfold::tensorfolding::internal {

/// How a scalar is passed by value; null for types that C passes in ways that
/// libffi has no name for.
static ffi_type *typeOfScalar(ElementType type) {
  if (type.isComplex())
    return nullptr;
  bool isFloat = type.kind() == ElementKind::Float;
  bool isSigned = type.kind() == ElementKind::Signed;
  switch (type.storageBits) {
  case 8:
    return type.kind() > ElementKind::Float ? nullptr
           : isSigned                       ? &ffi_type_sint8
                                            : &ffi_type_uint8;
  case 16:
    return type.kind() >= ElementKind::Float ? nullptr
           : isSigned                        ? &ffi_type_sint16
                                             : &ffi_type_uint16;
  case 32:
    return type.kind() > ElementKind::Float ? nullptr
           : isFloat                        ? &ffi_type_float
           : isSigned                       ? &ffi_type_sint32
                                            : &ffi_type_uint32;
  case 64:
    return type.kind() > ElementKind::Float ? nullptr
           : isFloat                        ? &ffi_type_double
                                            : &ffi_type_uint64;
  default:
    return nullptr;
  }
}

/// The type that libffi has for an argument; null if it has none.
static ffi_type *typeOfArgument(const TensorType &type) {
  return type.isScalar ? typeOfScalar(type.element) : &ffi_type_pointer;
}

/// Lays out what the function returns: nothing, one scalar, or a struct of
/// descriptors and scalars with their own alignments, through a pointer.
/// Returns the type that libffi needs; null for scalars that it does not have.
ffi_type *
CompiledFunction::layOut(const std::vector<const TensorType *> &results,
                         ResultConvention convention) {
  ffi_type *scalar = nullptr;
  bool hasTensors = false;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i]->isScalar && convention == ResultConvention::OutParameters)
      continue;
    size_t size, alignment = 8;
    if (results[i]->isScalar) {
      scalar = typeOfScalar(results[i]->element);
      if (!scalar)
        return nullptr;
      size = alignment = scalar->size;
    } else {
      hasTensors = true;
      size = 8 * descriptorWords(results[i]->shape.size());
    }
    bytes = (bytes + alignment - 1) / alignment * alignment;
    returns.push_back({uint32_t(i), bytes});
    bytes += size;
  }
  if (returns.size() == 1 && !hasTensors) {
    bytes = sizeof(ffi_arg); // libffi widens small integers to it
    return scalar;
  }
  firstArgument = returns.empty() ? 0 : 1;
  return &ffi_type_void;
}

Error CompiledFunction::find(const Function &function,
                             const std::vector<const TensorType *> &parameters,
                             const std::vector<const TensorType *> &results,
                             const Resolver &resolve, CompiledFunction &found) {
  std::string symbol = "_mlir_ciface_" + function.symbol;
  auto unusable = [&](const std::string &what) {
    return Error(ErrorCode::FunctionNotFound,
                 "function '" + function.symbol + "' " + what);
  };
  found.address = reinterpret_cast<void (*)()>(resolve(symbol));
  if (!found.address)
    return unusable("has no symbol '" + symbol +
                    "' in the program, expected it as functions with "
                    "llvm.emit_c_interface have");
  ffi_type *returned = found.layOut(results, function.convention);
  if (!returned)
    return unusable("returns a scalar of a type other than i1 to i64, index, "
                    "f32 and f64");
  if (found.firstArgument)
    found.types.push_back(&ffi_type_pointer);
  for (const TensorType *type : parameters) {
    found.types.push_back(typeOfArgument(*type));
    if (!found.types.back())
      return unusable("takes a scalar of type " + typeName(*type) +
                      ", expected i1 to i64, index, f32 or f64");
  }
  if (function.convention == ResultConvention::OutParameters)
    for (const TensorType *type : results)
      if (!type->isScalar)
        found.types.push_back(&ffi_type_pointer);
  if (ffi_prep_cif(&found.interface, FFI_DEFAULT_ABI,
                   unsigned(found.types.size()), returned,
                   found.types.data()) != FFI_OK)
    return unusable("has a signature that libffi cannot call");
  return Error();
}

void CompiledFunction::call(void **values, void *returned) const {
  if (!firstArgument)
    return ffi_call(&interface, address, returned, values + 1);
  values[0] = &returned;
  ffi_call(&interface, address, nullptr, values);
}

} // namespace onnxfold::tensorfolding::internal
