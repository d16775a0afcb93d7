//===- NodeWriter.h - An operator as a node of the file ---------*- C++ -*-===//
//
// The opposite of NodeReader.h, for operators that passes made: names of inputs
// and outputs are those of the values (Model.h), attributes those of the
// operation. Private to onnx/io.
//
// Thread safety: functions without state.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_NODEWRITER_H
#define ONNXFOLD_ONNX_IO_NODEWRITER_H

#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// The operator as a whole field of its parent (`field`: 1 in a graph, 7 in a
/// function). An error, which begins with `subject`, if one of its inputs has
/// no name, or if it has bodies or an attribute that ONNX does not have.
llvm::Expected<std::string> encodeNode(Operator op, uint32_t field,
                                       llvm::StringRef subject);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_NODEWRITER_H
