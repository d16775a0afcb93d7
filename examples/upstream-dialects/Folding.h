//===- Folding.h - Kernels for dialects of MLIR ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What has to be done to fold a dialect that one cannot edit: give it a
// FoldingInterface when it is loaded.
//
//   mlir::DialectRegistry registry;
//   registry.insert<mlir::arith::ArithDialect>();
//   addArithFolding(registry);
//
//===----------------------------------------------------------------------===//
#ifndef UPSTREAM_DIALECTS_FOLDING_H
#define UPSTREAM_DIALECTS_FOLDING_H

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/elements/ops/Elementwise.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

/// arith.addi, arith.mulf ... of tensors, vectors and scalars.
void addArithFolding(mlir::DialectRegistry &registry);
void registerArithCasts(onnxfold::KernelRegistry &kernels);

/// tosa.add, tosa.reshape ...
void addTosaFolding(mlir::DialectRegistry &registry);

/// A constant of type `type` by the dialect's own operation, which `create`
/// makes of an attribute. Where the operation's type says less than the value
/// has (tensor<?xf32>), users still get that type, by a tensor.cast.
/// REQUIRES: the tensor dialect is loaded.
mlir::Value
materializeAs(mlir::OpBuilder &builder, mlir::Location location,
              mlir::Type type, const onnxfold::Elements &value,
              llvm::function_ref<mlir::Value(mlir::TypedAttr)> create);

/// Integers have no sign in MLIR; the library holds i8 as a signed number.
/// These are the same bits, read as an unsigned one.
onnxfold::DataType unsignedOf(onnxfold::DataType type);
onnxfold::Elements asUnsigned(const onnxfold::Elements &x);

/// zip for lambdas that only integers have a meaning for (a % b); null for
/// other types, which is reported as an unsupported type.
template <class F>
onnxfold::Elements zipIntegers(const onnxfold::Elements &x,
                               const onnxfold::Elements &y, F f) {
  if (!onnxfold::isInteger(x.type()))
    return {};
  return onnxfold::ops::zip(x, y, [f](auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return decltype(a)(f(a, b));
    return a;
  });
}

/// The index of the first pair of integers for which `predicate` holds, as
/// "[1, 3]", or nothing: for what is undefined.
template <class F>
std::optional<std::string> findPair(const onnxfold::Elements &x,
                                    const onnxfold::Elements &y, F predicate) {
  using namespace onnxfold;
  Elements found = ops::zipTo<bool>(x, y, [predicate](auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return predicate(a, b);
    return false;
  });
  if (!found)
    return std::nullopt;
  auto number = ops::firstWhere<bool>(found, [](bool is) { return is; });
  if (!number)
    return std::nullopt;
  return toString(ops::indexOf(*number, found.shape()));
}

#endif // UPSTREAM_DIALECTS_FOLDING_H
