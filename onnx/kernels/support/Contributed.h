//===- Contributed.h - What kernels of com.microsoft share ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// ONNX Runtime's contributed operators have no schema here that checks their
// inputs, so a kernel first checks them by rules of its own:
//
//   if (Reason wrong = checkInputs(cx, {{floats}, {floats, 0}, {floats, 0, Optional}}))
//     return wrong;
//
// Most of them are compositions of standard operators, whose kernels
// runStandard calls. One operator is one rounding: parts are computed in double
// (unroundedInput, Normalization.h), and the result is rounded once
// (roundedResult).
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_CONTRIBUTED_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_CONTRIBUTED_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/nn/Recurrence.h"

namespace onnxfold {

/// A set of element types.
struct TypeSet {
  uint64_t bits = 0;

  constexpr TypeSet(std::initializer_list<DataType> types) {
    for (DataType type : types)
      bits |= uint64_t(1) << int(type);
  }
  constexpr bool has(DataType type) const {
    return int(type) < 64 && bits >> int(type) & 1;
  }
};
inline constexpr TypeSet floats = {DataType::Float16, DataType::BFloat16,
                                   DataType::Float32, DataType::Float64};
inline constexpr TypeSet float32 = {DataType::Float32};
inline constexpr TypeSet bytes = {DataType::Int8, DataType::UInt8};
inline constexpr TypeSet int32 = {DataType::Int32};
inline constexpr TypeSet int64 = {DataType::Int64};
inline constexpr TypeSet ints32And64 = {DataType::Int32, DataType::Int64};

/// All types of which elements can be moved.
inline constexpr TypeSet anyType = {
    DataType::Float32,   DataType::Float64, DataType::Float16,
    DataType::BFloat16,  DataType::Int8,    DataType::Int16,
    DataType::Int32,     DataType::Int64,   DataType::UInt8,
    DataType::UInt16,    DataType::UInt32,  DataType::UInt64,
    DataType::Bool,      DataType::String,  DataType::Complex64,
    DataType::Complex128};

/// The rule for one input.
struct InputRule {
  static constexpr int any = -1;

  TypeSet types;
  int like = any; // the number of the input whose element type it must have
  enum { Required, Optional } presence = Required;
};

/// A reason if an input is missing or has another type, or if there are too
/// many.
Reason checkInputs(FoldContext &cx, llvm::ArrayRef<InputRule> rules);

/// Runs the kernel of a standard operator on these inputs (null: left out) and
/// the attributes of the operation, which have the same names in both.
/// REQUIRES: the standard operator accepts the element types.
FoldResult runStandard(FoldContext &cx, llvm::StringRef op, int version,
                       llvm::ArrayRef<Elements> inputs);

/// Transposes channels last to channels second, and back.
Elements channelsSecond(const Elements &x);
Elements channelsLast(const Elements &x);

/// Attribute `activation`, applied to y (f64), with its parameters in the order
/// of the list (alpha, beta; of Clip minimum, maximum). If there is none, the
/// result is y.
ReasonOr<Elements> fusedActivation(FoldContext &cx, const Elements &y,
                                   llvm::ArrayRef<float> parameters);

/// activation(Conv(X, W, B) + Z) of inputs #0 to #3.
FoldResult fusedConvolution(FoldContext &cx, bool isChannelsLast);

/// alpha * A' * B': matrices are transposed if transA, transB say so; with
/// transBatchA, transBatchB the first dimension of the tensor, before those of
/// the batch, is the row (or, transposed, the last but one) dimension of the
/// matrix.
FoldResult fusedMatMul(FoldContext &cx, bool hasBatches);

/// Unpacks unsigned numbers of 2, 4 or 8 bits along the last dimension; the
/// first number is in the lowest bits of its byte. REQUIRES: x is u8.
Elements unpacked(const Elements &x, int64_t bits);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_CONTRIBUTED_H
