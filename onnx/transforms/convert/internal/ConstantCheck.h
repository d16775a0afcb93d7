//===- ConstantCheck.h - What a constant loses in another type --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Counts what a conversion does to a tensor, in one pass over its elements, by
// all threads of the ParallelScope. Memory: blocks of the tensor.
//
// Thread safety: a pure function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_CONSTANTCHECK_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_CONSTANTCHECK_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/transforms/convert/TypeConversion.h"

namespace onnxfold {

/// `kept` says why the tensor must keep its type: it would overflow, or all its
/// numbers but 0 would become 0. The name is empty.
ConvertedTensor checkConstant(const Elements &value, const TypePair &pair);

/// The tensor in the other type, computed when it is read. `losses` are those
/// of checkConstant().
Elements convertConstant(const Elements &value, const TypePair &pair,
                         const ConvertedTensor &losses);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_CONSTANTCHECK_H
