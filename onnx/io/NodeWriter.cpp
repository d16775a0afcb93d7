//===- NodeWriter.cpp - An operator as a node of the file -----------------===//

#include "onnxfold/onnx/io/NodeWriter.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/TensorBytes.h"
#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/ir/Model.h"

using namespace onnxfold;
using namespace mlir;

static llvm::Error addInputs(Operator op, onnx::NodeProto &node,
                             const llvm::Twine &subject) {
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Value input = op.input(i);
    StringRef name = input ? valueName(input) : StringRef();
    if (input && name.empty())
      return makeError(subject + ": input #" + llvm::Twine(i) + " has no name");
    node.add_input(name.str());
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> onnxfold::encodeNode(Operator op, uint32_t field,
                                                 StringRef subject) {
  std::string what = (subject + ": new node " + op.opType()).str();
  onnx::NodeProto node;
  if (llvm::Error error = addInputs(op, node, what))
    return error;
  for (unsigned i = 0; i < op.numOutputs(); ++i)
    node.add_output(op.outputName(i).str());
  if (!op.nodeName().empty())
    node.set_name(op.nodeName().str());
  node.set_op_type(op.opType().str());
  if (!op.domain().empty())
    node.set_domain(op.domain().str());
  if (!op.overload().empty())
    node.set_overload(op.overload().str());
  if (op.numGraphs() != 0)
    return makeError(what + " has a body");
  for (NamedAttribute attribute : op->getAttrs())
    if (!toAttributeProto(attribute, schemaKind(op, attribute.getName()),
                          *node.add_attribute(),
                          std::numeric_limits<int32_t>::max()))
      return makeError(what + ": attribute '" + attribute.getName().strref() +
                       "' has a kind that ONNX does not have");
  return encodeTextField(field, node.SerializeAsString());
}
