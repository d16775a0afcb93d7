//===- TensorElements.h - Tensors of a model file as Elements ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Turns a TensorIndex into an Elements handle. Small payloads are copied, large
// ones are read (or, if the file has them in another form, decoded) when they
// are needed. The opposite direction, the payload of a new tensor, is here
// too.
//
// Ownership: handles share the files that contain their bytes.
// Thread safety: one thread loads with one reader; any thread may use the
// handles. A file that another process truncates after it was opened is an
// exception when its bytes are needed (UnreadableFile).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_TENSORELEMENTS_H
#define ONNXFOLD_ONNX_IO_READ_TENSORELEMENTS_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/ExternalData.h"
#include "onnxfold/onnx/io/read/TensorIndex.h"
#include "onnxfold/onnx/io/wire/EditScript.h"

namespace onnxfold {

/// The elements of a tensor. `subject` ("initializer 'w'") is for messages; the
/// file's name is put before it. An error for a tensor with a problem, for one
/// in segments, and if its external data cannot be resolved.
llvm::Expected<Elements> loadTensor(WireReader &reader,
                                    const TensorIndex &tensor,
                                    ExternalData &external, Subject subject);

/// The dense form of a sparse tensor: zeros, except for `values` at `indices`
/// (linear, or one row of coordinates per value).
llvm::Expected<Elements> densify(const Elements &values,
                                 const Elements &indices, ShapeRef shape,
                                 Subject subject);

/// The number of bytes of raw_data, or of fields of strings, that `elements`
/// take in a file.
uint64_t payloadBytes(const Elements &elements);

/// A payload of those bytes, which are computed block by block.
Payload payloadOf(Elements elements);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_TENSORELEMENTS_H
