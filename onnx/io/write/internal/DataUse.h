//===- DataUse.h - What a model refers to in its data files -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_IO_WRITE_INTERNAL_DATAUSE_H
#define ONNXFOLD_ONNX_IO_WRITE_INTERNAL_DATAUSE_H

#include "onnxfold/onnx/io/write/Export.h"

namespace onnxfold {

/// Notes the bytes of a tensor with external data.
void noteUse(DataUse &use, const TensorIndex &tensor);

/// The bytes in at least one of the ranges.
uint64_t usedBytes(llvm::ArrayRef<ByteRange> ranges);

/// The same with the zeros in front of ranges that begin at a page of memory, so
/// that they can be mapped: less than mappingAlignment each.
llvm::Expected<uint64_t> bytesWithPadding(const InputFile &file,
                                          llvm::ArrayRef<ByteRange> ranges);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_INTERNAL_DATAUSE_H
