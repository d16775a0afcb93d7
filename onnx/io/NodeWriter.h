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
/// function), with what is in its bodies: constants there are nodes, and held
/// in memory. An error, which begins with `subject`, if a value has no name, or
/// an attribute is none that ONNX has, or a list of bodies.
llvm::Expected<std::string> encodeNode(Operator op, uint32_t field,
                                       llvm::StringRef subject);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_NODEWRITER_H
