//===- ShapeInference.h - ONNX's inference for one operator -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the inference function that the ONNX library has for an operator on our
// operation, without making a node or a graph of it. Attributes are converted
// when the function asks for them. The caller passes what it knows of the
// inputs.
//
//   onnx::TypeProto x, w;  // from makeTensorTypeProto or toTypeProto
//   InferenceInput inputs[] = {{&x}, {&w}};
//   llvm::Expected<InferredTypes> types = inferTypes(op, inputs);
//
// If an operator has no inference function, its types are inferred from its
// function body. If it has none either (many operators of version 1), its
// element types follow from the type constraints of its schema
// (InferenceAdditions.h has the shapes).
//
// Thread safety: different operations may be inferred at the same time.
// Exceptions of the ONNX library become errors; their text is that of the
// library ("[ShapeInferenceError] ..."). Nothing is kept between calls. A call
// costs as much as the operator's function, about half a microsecond for a
// common operator.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_SHAPEINFERENCE_H
#define ONNXFOLD_ONNX_IR_SHAPEINFERENCE_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// The facts about one input. The pointers may be null; the messages must
/// outlive the call. An absent input has no type.
struct InferenceInput {
  const onnx::TypeProto *type = nullptr;
  /// The value, where it is a known constant. Functions look at small tensors
  /// only (shapes, axes, pads, scales), so leave large ones out.
  const onnx::TensorProto *data = nullptr;
  /// The value of a one-dimensional (or scalar) integer tensor that is known in
  /// part: each element is a number, a name, or nothing. Only used if `data` is
  /// null.
  const onnx::TensorShapeProto *symbolic = nullptr;
  /// If it is not null, set to 1 when a function asks for the value.
  char *wasRead = nullptr;
};

/// One entry per result; an unknown type has no value set.
using InferredTypes = llvm::SmallVector<onnx::TypeProto, 1>;

/// Called for a graph attribute of If, Loop, Scan, SequenceMap: `inputTypes`
/// has one entry per input of the graph (null: not known), `inputData` is empty
/// or has the values (null: not known). Returns the types of the outputs.
using InferGraph = llvm::function_ref<llvm::Expected<InferredTypes>(
    mlir::Region &graph, llvm::ArrayRef<const onnx::TypeProto *> inputTypes,
    llvm::ArrayRef<const onnx::TensorProto *> inputData)>;

/// The types of the results, all unknown for an onnx.Custom. Without
/// `inferGraph`, the outputs of a graph attribute have the types that the
/// operands of its onnx.Yield have now. If the type of some input is not known,
/// there is no error: what cannot be inferred is unknown. REQUIRES: one input
/// per operand.
llvm::Expected<InferredTypes> inferTypes(Operator op,
                                         llvm::ArrayRef<InferenceInput> inputs,
                                         InferGraph inferGraph = nullptr);

/// Checks that the operator's version takes the types of the inputs, and that
/// types that must be equal are equal. Inference does not check this, but a
/// runtime refuses a node that fails, so it must not be folded. Unknown types
/// pass. The error names input, type and what was expected. Success for
/// onnx.Custom. Takes about 0.1 microseconds.
llvm::Error checkInputTypes(Operator op);

/// The values of small integer results by ONNX's own propagation (Shape,
/// Gather, Concat, Add ... on shapes): one entry per result, without a value
/// where nothing is known. Neither the operation nor the inputs change.
llvm::Expected<llvm::SmallVector<std::optional<onnx::TensorShapeProto>, 1>>
propagateData(Operator op, llvm::ArrayRef<InferenceInput> inputs);

/// The function body that ONNX has for the operator in the given opset of
/// ai.onnx: a fixed one, or one made for these attributes and input types. No
/// value if ONNX has none for this version, opset and types. The body is
/// complete: attributes with defaults are its attribute_proto.
llvm::Expected<std::optional<onnx::FunctionProto>>
functionBody(Operator op, llvm::ArrayRef<InferenceInput> inputs, int64_t opset);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_SHAPEINFERENCE_H
