//===- ShapeInference.h - ONNX's inference for one operator -----*- C++ -*-===//
//
// Runs the inference function that the ONNX library has for an operator on our
// operation, without making a node or a graph of it: attributes are converted
// when the function asks for them, inputs are what the caller knows.
//
//   onnx::TypeProto x, w;  // from makeTensorTypeProto or toTypeProto
//   InferenceInput inputs[] = {{&x}, {&w}};
//   llvm::Expected<InferredTypes> types = inferTypes(op, inputs);
//
// An operator without an inference function has the types that come out of its
// function body, or, without one (many operators of version 1), the element
// types that its schema's type constraints give (shapes: MlShapes.h).
//
// Thread safe for different operations. Exceptions of the ONNX library become
// errors; their text is that of the library ("[ShapeInferenceError] ...").
// Nothing is kept between calls; a call costs what the operator's function
// costs, about half a microsecond for a common one.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_SHAPEINFERENCE_H
#define ONNXFOLD_ONNX_IR_SHAPEINFERENCE_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// What is known about one input. All pointers may be null and must outlive the
/// call. An input that is not given (absent) has no type.
struct InferenceInput {
  const onnx::TypeProto *type = nullptr;
  /// The value, where it is a known constant. Functions look at small tensors
  /// only (shapes, axes, pads, scales), so leave large ones out.
  const onnx::TensorProto *data = nullptr;
  /// The value of a one-dimensional (or scalar) integer tensor that is known in
  /// part: each element a number, a name, or nothing. Only used where `data` is
  /// null.
  const onnx::TensorShapeProto *symbolic = nullptr;
};

/// One entry per result; one that is not known has no value set.
using InferredTypes = llvm::SmallVector<onnx::TypeProto, 1>;

/// Called for a graph attribute of If, Loop, Scan, SequenceMap: `inputTypes`
/// has one entry per input of the graph (null: not known), `inputData` is empty
/// or has the values (null: not known). Returns the types of the outputs.
using InferGraph = llvm::function_ref<llvm::Expected<InferredTypes>(
    mlir::Region &graph, llvm::ArrayRef<const onnx::TypeProto *> inputTypes,
    llvm::ArrayRef<const onnx::TensorProto *> inputData)>;

/// The types of the results. Without `inferGraph`, the outputs of a graph
/// attribute have the types that its onnx.Yield has now.
/// onnx.Custom: all unknown. As long as the type of some input is not known,
/// the result is what could be inferred, and never an error. REQUIRES: one
/// input per operand.
llvm::Expected<InferredTypes> inferTypes(Operator op,
                                         llvm::ArrayRef<InferenceInput> inputs,
                                         InferGraph inferGraph = nullptr);

/// Whether the types of the inputs are among those that the operator's version
/// takes, and those that must be equal are. Inference does not ask this, but a
/// runtime refuses such a node, so it must not be folded. Types that are not
/// known pass. The text names input, type and what was expected; success for
/// onnx.Custom. About 0.1 microseconds.
llvm::Error checkInputTypes(Operator op);

/// What ONNX's own propagation says about the values of small integer results:
/// one entry per result, none where nothing is known. (Shape, Gather, Concat,
/// Add ... on shapes; the functions change neither operation nor inputs.)
llvm::Expected<llvm::SmallVector<std::optional<onnx::TensorShapeProto>, 1>>
propagateData(Operator op, llvm::ArrayRef<InferenceInput> inputs);

/// The body that ONNX gives for the operator in the given opset of ai.onnx: a
/// fixed one, or one made for these attributes and input types. No value if
/// there is none for this version, opset and types. Complete: attributes with
/// defaults are its attribute_proto.
llvm::Expected<std::optional<onnx::FunctionProto>>
functionBody(Operator op, llvm::ArrayRef<InferenceInput> inputs, int64_t opset);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_SHAPEINFERENCE_H
