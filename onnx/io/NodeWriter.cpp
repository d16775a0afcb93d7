//===- NodeWriter.cpp - An operator as a node of the file -----------------===//

#include "onnxfold/onnx/io/NodeWriter.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/TensorBytes.h"
#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Types.h"

using namespace onnxfold;
using namespace mlir;

/// The messages of one new node, and of the graphs in it.
namespace {
class Writer {
public:
  explicit Writer(std::string subject) : subject(std::move(subject)) {}
  llvm::Error write(Operator op, onnx::NodeProto &node);

private:
  llvm::Error addInputs(Operator op, onnx::NodeProto &node);
  llvm::Error addAttributes(Operator op, onnx::NodeProto &node);
  llvm::Error addConstant(OnnxConstantOp constant, onnx::NodeProto &node);
  llvm::Error addBody(Region &body, StringRef name, onnx::GraphProto &graph);
  llvm::Error addValue(Value value, onnx::ValueInfoProto &info);

  std::string subject;
};
} // namespace

llvm::Error Writer::addInputs(Operator op, onnx::NodeProto &node) {
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Value input = op.input(i);
    StringRef name = input ? valueName(input) : StringRef();
    if (input && name.empty())
      return makeError(subject + ": input #" + llvm::Twine(i) + " has no name");
    node.add_input(name.str());
  }
  return llvm::Error::success();
}

llvm::Error Writer::addAttributes(Operator op, onnx::NodeProto &node) {
  for (NamedAttribute attribute : op->getAttrs())
    if (!toAttributeProto(attribute, schemaKind(op, attribute.getName()),
                          *node.add_attribute(),
                          std::numeric_limits<int32_t>::max()))
      return makeError(subject + ": attribute '" +
                       attribute.getName().strref() +
                       "' has a kind that ONNX does not have");
  for (unsigned i = 0; i < op.numGraphs(); ++i) {
    StringRef name = op.graphName(i);
    if (name.contains('['))
      return makeError(subject + " has a list of bodies");
    onnx::AttributeProto &attribute = *node.add_attribute();
    attribute.set_name(name.str());
    attribute.set_type(onnx::AttributeProto::GRAPH);
    if (llvm::Error error =
            addBody(op->getRegion(i), name, *attribute.mutable_g()))
      return error;
  }
  return llvm::Error::success();
}

/// Initializers would be inputs of the body before IR version 4.
llvm::Error Writer::addConstant(OnnxConstantOp constant,
                                onnx::NodeProto &node) {
  node.set_op_type("Constant");
  node.add_output(constant.getOutput().get().str());
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  if (node.output(0).empty() ||
      !toTensorProto(constant.getValue(), *attribute.mutable_t(),
                     std::numeric_limits<int32_t>::max()))
    return makeError(subject + ": a constant has no value or no name");
  return llvm::Error::success();
}

/// Types are optional in bodies.
llvm::Error Writer::addValue(Value value, onnx::ValueInfoProto &info) {
  StringRef name = valueName(value);
  if (name.empty())
    return makeError(subject + ": a value of a body has no name");
  info.set_name(name.str());
  if (onnx::TypeProto type; toTypeProto(value.getType(), type))
    *info.mutable_type() = std::move(type);
  return llvm::Error::success();
}

llvm::Error Writer::addBody(Region &body, StringRef name,
                            onnx::GraphProto &graph) {
  graph.set_name(name.str());
  for (Value argument : body.getArguments())
    if (llvm::Error error = addValue(argument, *graph.add_input()))
      return error;
  for (Operation &op : body.front()) {
    auto constant = dyn_cast<OnnxConstantOp>(op);
    Operator node = Operator::from(&op);
    if (!constant && !node)
      continue; // what is absent has no name
    if (llvm::Error error = constant ? addConstant(constant, *graph.add_node())
                                     : write(node, *graph.add_node()))
      return error;
  }
  for (Value output : body.front().back().getOperands())
    if (llvm::Error error = addValue(output, *graph.add_output()))
      return error;
  return llvm::Error::success();
}

llvm::Error Writer::write(Operator op, onnx::NodeProto &node) {
  if (llvm::Error error = addInputs(op, node))
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
  return addAttributes(op, node);
}

llvm::Expected<std::string> onnxfold::encodeNode(Operator op, uint32_t field,
                                                 StringRef subject) {
  onnx::NodeProto node;
  Writer writer((subject + ": new node " + op.opType()).str());
  if (llvm::Error error = writer.write(op, node))
    return error;
  return encodeTextField(field, node.SerializeAsString());
}
