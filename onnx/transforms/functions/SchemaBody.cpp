//===- SchemaBody.cpp - The function body of an operator ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/functions/SchemaBody.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/folding/StatedConstant.h"
#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace onnxfold;
using namespace mlir;
using onnx::AttributeProto;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

namespace {

class BodyImporter {
public:
  using Scope = llvm::StringMap<Value>;

  BodyImporter(OpBuilder builder, Location location, int64_t opset)
      : builder(builder), location(location), opset(opset) {}

  template <typename Nodes> bool importNodes(const Nodes &nodes, Scope &scope) {
    return llvm::all_of(nodes, [&](const onnx::NodeProto &node) {
      return importNode(node, scope);
    });
  }

  /// The value of that name; one that is not given where there is none.
  Value read(StringRef name, const Scope &scope) {
    if (Value known = name.empty() ? Value() : scope.lookup(name))
      return known;
    return OnnxAbsentOp::create(builder, location);
  }

  std::optional<NamedAttribute> importAttribute(const AttributeProto &proto) {
    MLIRContext *context = builder.getContext();
    auto value =
        fromAttributeProto(proto, context, [&](const TensorProto &tensor) {
          return statedTensor(tensor, context);
        });
    if (!value) {
      llvm::consumeError(value.takeError());
      return std::nullopt;
    }
    return builder.getNamedAttr(proto.name(), *value);
  }

private:
  bool importNode(const onnx::NodeProto &node, Scope &scope);
  bool importConstant(const onnx::NodeProto &node, Scope &scope);
  bool importGraph(const onnx::GraphProto &graph, Region &region, Scope scope);

  OpBuilder builder;
  Location location;
  int64_t opset;
};

} // namespace

/// False for one whose value is an attribute of the function.
bool BodyImporter::importConstant(const onnx::NodeProto &node, Scope &scope) {
  if (node.attribute_size() != 1 || node.output_size() != 1 ||
      !node.attribute(0).ref_attr_name().empty())
    return false;
  auto value = statedConstant(node.attribute(0), builder.getContext());
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  scope[node.output(0)] = OnnxConstantOp::create(builder, location, *value,
                                                 node.output(0), std::nullopt);
  return true;
}

bool BodyImporter::importGraph(const onnx::GraphProto &graph, Region &region,
                               Scope scope) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&region);
  for (const onnx::ValueInfoProto &input : graph.input())
    scope[input.name()] =
        block->addArgument(OnnxUnknownType::get(builder.getContext()),
                           NameLoc::get(builder.getStringAttr(input.name())));
  if (graph.initializer_size() != 0 || !importNodes(graph.node(), scope))
    return false;
  SmallVector<Value> outputs;
  for (const onnx::ValueInfoProto &output : graph.output())
    outputs.push_back(read(output.name(), scope));
  OnnxYieldOp::create(builder, location, outputs);
  return true;
}

bool BodyImporter::importNode(const onnx::NodeProto &node, Scope &scope) {
  MLIRContext *context = builder.getContext();
  bool isConstant = node.op_type() == "Constant";
  std::optional<int> since = resolveSince("", node.op_type(), opset);
  if (!canonicalDomain(node.domain()).empty() || !since)
    return false;
  if (isConstant && importConstant(node, scope))
    return true;
  SmallVector<NamedAttribute> attributes;
  SmallVector<StringRef> graphs, names;
  for (const AttributeProto &proto : node.attribute()) {
    if (proto.type() == AttributeProto::GRAPH &&
        proto.ref_attr_name().empty()) {
      graphs.push_back(proto.name());
      continue;
    }
    std::optional<NamedAttribute> attribute = importAttribute(proto);
    if (!attribute)
      return false;
    attributes.push_back(*attribute);
  }
  SmallVector<Value> inputs;
  for (const std::string &name : node.input())
    inputs.push_back(read(name, scope));
  SmallVector<Type> types;
  for (const std::string &name : node.output()) {
    types.push_back(name.empty() ? Type(NoneType::get(context))
                                 : Type(OnnxUnknownType::get(context)));
    names.push_back(name);
  }
  // The context of the tool has one thread, and fold-opt registers them all.
  if (!context->isMultithreadingEnabled())
    registerOperator(*context, "", node.op_type());
  OperatorId id{"", node.op_type(), *since};
  Operator op = isConstant ? Operator::createCustom(builder, location, id,
                                                    inputs, types, attributes)
                           : Operator::create(builder, location, id, inputs,
                                              types, attributes, graphs);
  op.setOutputNames(names);
  for (auto [name, result] : llvm::zip_equal(names, op->getResults()))
    scope[name] = result;
  return llvm::all_of(node.attribute(), [&](const AttributeProto &proto) {
    Region *region = proto.has_g() ? op.getGraph(proto.name()) : nullptr;
    return !region || importGraph(proto.g(), *region, scope);
  });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A module with an empty main graph.
static func::FuncOp makeGraph(SchemaBody &body, Operator op, int64_t opset,
                              unsigned numArguments) {
  OpBuilder builder(op->getContext());
  body.module = ModuleOp::create(op->getLoc());
  setOpsetImports(*body.module, {{"", opset}});
  if (std::optional<int64_t> version = irVersion(op.getOperation()))
    (*body.module)
        ->setAttr(irVersionAttrName, builder.getI64IntegerAttr(*version));
  builder.setInsertionPointToEnd(body.module->getBody());
  Type unknown = OnnxUnknownType::get(op->getContext());
  auto graph = func::FuncOp::create(
      builder, op->getLoc(), mainGraphSymbol,
      builder.getFunctionType(SmallVector<Type>(numArguments, unknown),
                              unknown));
  graph.addEntryBlock();
  return graph;
}

/// Reads the results and is what the graph gives.
static Operator finish(func::FuncOp graph, ValueRange results) {
  OpBuilder builder = OpBuilder::atBlockEnd(&graph.front());
  Operator end = Operator::createCustom(
      builder, graph.getLoc(), {"onnx-fold", "Result", /*since=*/1}, results,
      OnnxUnknownType::get(graph.getContext()));
  end.setNode(0); // what a node reads may become another value
  func::ReturnOp::create(builder, graph.getLoc(), end->getResults());
  return end;
}

/// Attributes of the function become those of the operator. False if one does
/// not, or an operator is unknown.
static bool resolve(func::FuncOp graph, Operator op, Operator end,
                    ArrayRef<NamedAttribute> defaults) {
  graph->setAttr(defaultsAttrName,
                 DictionaryAttr::get(graph.getContext(), defaults));
  resolveReferences(graph, op, graph);
  graph->removeAttr(defaultsAttrName);
  auto check = [&](Operation *inner) {
    Operator node = Operator::from(inner);
    bool isOpen = node && inner != end.getOperation() &&
                  (node.isCustom() || node.hasReferences());
    return isOpen ? WalkResult::interrupt() : WalkResult::advance();
  };
  return !graph.walk(check).wasInterrupted();
}

SchemaBody SchemaBody::import(Operator op, const onnx::FunctionProto &proto,
                              int64_t opset,
                              ArrayRef<std::optional<unsigned>> arguments,
                              unsigned numResults) {
  unsigned numArguments = 0;
  for (std::optional<unsigned> argument : arguments)
    numArguments = std::max(numArguments, argument ? *argument + 1 : 0);
  SchemaBody body;
  func::FuncOp graph = makeGraph(body, op, opset, numArguments);
  Block &block = graph.front();
  BodyImporter importer(OpBuilder::atBlockEnd(&block), op->getLoc(), opset);
  BodyImporter::Scope scope;
  for (auto [name, argument] : llvm::zip(proto.input(), arguments))
    if (argument)
      scope[name] = block.getArgument(*argument);
  SmallVector<NamedAttribute> defaults;
  for (const AttributeProto &attribute : proto.attribute_proto())
    if (auto value = importer.importAttribute(attribute))
      defaults.push_back(*value);
  if (proto.output_size() < int(numResults) ||
      !importer.importNodes(proto.node(), scope))
    return {};
  SmallVector<Value> results;
  for (unsigned i = 0; i < numResults; ++i) {
    Value value = scope.lookup(proto.output(i));
    bool isLeftOut = !value && op->getResult(i).use_empty();
    results.push_back(isLeftOut ? importer.read("", scope) : value);
  }
  if (llvm::is_contained(results, nullptr))
    return {};
  Operator end = finish(graph, results);
  if (!resolve(graph, op, end, defaults))
    return {};
  for (Operation *inner = end->getPrevNode(); inner;) {
    Operation *before = inner->getPrevNode();
    if (inner->use_empty())
      inner->erase();
    inner = before;
  }
  body.end = end.getOperation();
  return body;
}
