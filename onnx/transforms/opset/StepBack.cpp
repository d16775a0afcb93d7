//===- StepBack.cpp - One node in the version before ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/NodeFault.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/transforms/opset/internal/EarlierRules.h"
#include "onnxfold/onnx/transforms/opset/internal/LoneModel.h"
#include "onnxfold/onnx/transforms/opset/internal/LoneNode.h"
#include "onnxfold/onnx/transforms/opset/internal/NodeConverter.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;
using onnx::ModelProto;
using onnx::NodeProto;
using onnx::OpSchema;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The parameter of an actual one; the last may be variadic.
static const OpSchema::FormalParameter *
parameterOf(const std::vector<OpSchema::FormalParameter> &all, size_t index) {
  return all.empty() ? nullptr : &all[std::min(index, all.size() - 1)];
}

/// Whether the earlier version takes every type that the value may have.
static bool takes(const OpSchema::FormalParameter *later,
                  const OpSchema::FormalParameter *earlier, Type type) {
  if (!later || !earlier)
    return later == earlier;
  onnx::TypeProto proto;
  if (toTypeProto(type, proto) &&
      !(proto.has_tensor_type() && proto.tensor_type().elem_type() == 0))
    return earlier->GetTypes().count(onnx::Utils::DataTypeUtils::ToType(proto));
  return llvm::all_of(later->GetTypes(), [&](onnx::DataType one) {
    return earlier->GetTypes().count(one) != 0;
  });
}

static llvm::Error wrongType(StringRef what, size_t index,
                             const OpSchema &earlier) {
  return llvm::createStringError(what + " #" + llvm::Twine(index) +
                                 " has a type that " + earlier.Name() + "-" +
                                 llvm::Twine(earlier.since_version()) +
                                 " does not take, or that is not known");
}

static llvm::Error checkTypes(Operator op, const OpSchema &later,
                              const OpSchema &earlier) {
  for (unsigned i = 0; i < op.numInputs(); ++i)
    if (op.hasInput(i) &&
        !takes(parameterOf(later.inputs(), i), parameterOf(earlier.inputs(), i),
               op.input(i).getType()))
      return wrongType("input", i, earlier);
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (!isa<NoneType>(result.getType()) &&
        !takes(parameterOf(later.outputs(), i),
               parameterOf(earlier.outputs(), i), result.getType()))
      return wrongType("output", i, earlier);
  return llvm::Error::success();
}

/// Functions do not say the types of a Loop's iteration number and condition,
/// which runtimes want to read.
static void typeLoops(const SchemaBody &body) {
  body.block().getParentOp()->walk([](Operation *inner) {
    Operator node = Operator::from(inner);
    Region *loop = node && node.is("Loop") ? node.getGraph("body") : nullptr;
    if (!loop)
      return;
    Builder builder(inner->getContext());
    loop->getArgument(0).setType(
        RankedTensorType::get({}, builder.getI64Type()));
    loop->getArgument(1).setType(
        RankedTensorType::get({}, builder.getI1Type()));
  });
}

/// Axes and the like are computed in many bodies, and earlier versions have
/// them as attributes.
static void foldBody(const SchemaBody &body, Evaluation &evaluation) {
  for (Operation &inner :
       llvm::make_early_inc_range(body.block().without_terminator())) {
    if (&inner == body.end || !evaluation.isFoldable(&inner))
      continue;
    OpBuilder builder(&inner);
    for (OpResult result : inner.getResults()) {
      if (result.use_empty())
        continue;
      auto value = toAttribute(evaluation.valueForConstant(result),
                               cast<ShapedType>(result.getType()));
      result.replaceAllUsesWith(
          OnnxConstantOp::create(builder, inner.getLoc(), value).getResult());
    }
    inner.erase();
  }
}

/// Infers the types in a body, which are not known yet.
static void inferBody(Operator op, const SchemaBody &body) {
  typeLoops(body);
  for (BlockArgument argument : body.block().getArguments())
    if (op.hasInput(argument.getArgNumber()))
      argument.setType(op.input(argument.getArgNumber()).getType());
  EvaluationOptions options;
  options.refinesTypes = true; // of a module of its own
  options.limits.maxResultBytes = 1 << 16;
  Evaluation evaluation(*body.module, std::move(options));
  evaluation.run();
  foldBody(body, evaluation);
}

/// The function of the operator's inputs, with types.
static SchemaBody bodyIn(int64_t opset, Operator op,
                         const onnx::FunctionProto &function) {
  SmallVector<std::optional<unsigned>> arguments;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    arguments.push_back(op.hasInput(i) ? std::optional(i) : std::nullopt);
  SchemaBody body =
      SchemaBody::import(op, function, opset, arguments, op.numOutputs());
  if (body.end)
    inferBody(op, body);
  return body;
}

static llvm::Error checkBody(const SchemaBody &body) {
  for (Operation &inner : body.block().without_terminator()) {
    Operator node = Operator::from(&inner);
    if (!node || &inner == body.end)
      continue;
    if (node.isCustom())
      return llvm::createStringError(node.opType() +
                                     " cannot be said in the version before");
    if (llvm::Error error = node.checkAgainstSchema())
      return error;
    if (llvm::Error error = checkInputTypes(node))
      return error;
    if (llvm::Error error = checkTypes(node, *node.schema(), *node.schema()))
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The way back
//===----------------------------------------------------------------------===//

/// A constant of the graph: an initializer, or a Constant node.
static const TensorProto *constantOf(const onnx::GraphProto &graph,
                                     StringRef name) {
  for (const TensorProto &tensor : graph.initializer())
    if (tensor.name() == name)
      return &tensor;
  for (const NodeProto &node : graph.node())
    if (node.op_type() == "Constant" && node.output(0) == name &&
        node.attribute_size() == 1 && node.attribute(0).has_t())
      return &node.attribute(0).t();
  return nullptr;
}

static bool areEqual(const TensorProto &a, const TensorProto &b) {
  return a.data_type() == b.data_type() && llvm::equal(a.dims(), b.dims()) &&
         intsOf(a) == intsOf(b) && floatsOf(a) == floatsOf(b) &&
         (intsOf(a) || floatsOf(a));
}

static bool readsTheSame(const onnx::GraphProto &a, StringRef inA,
                         const onnx::GraphProto &b, StringRef inB) {
  if (inA == inB)
    return true;
  const TensorProto *left = constantOf(a, inA), *right = constantOf(b, inB);
  return left && right && areEqual(*left, *right);
}

/// The only node that is no Constant; null if there are several.
static const NodeProto *nodeOf(const onnx::GraphProto &graph) {
  const NodeProto *found = nullptr;
  for (const NodeProto &node : graph.node()) {
    if (node.op_type() == "Constant")
      continue;
    if (found)
      return nullptr;
    found = &node;
  }
  return found;
}

static bool computesTheSame(const onnx::GraphProto &a,
                            const onnx::GraphProto &b, const OpSchema &schema) {
  const NodeProto *left = nodeOf(a), *right = nodeOf(b);
  if (!left || !right || left->op_type() != right->op_type())
    return false;
  onnx::GraphProto both;
  for (const NodeProto *one : {left, right}) {
    NodeProto &copy = *both.add_node() = *one;
    while (copy.input_size() > 0 && copy.input(copy.input_size() - 1).empty())
      copy.mutable_input()->RemoveLast();
    addDefaults(copy, schema);
  }
  const NodeProto &x = both.node(0), &y = both.node(1);
  if (x.input_size() != y.input_size())
    return false;
  for (int i = 0; i < x.input_size(); ++i)
    if (!readsTheSame(a, x.input(i), b, y.input(i)))
      return false;
  return haveSameAttributes(x, y);
}

llvm::Error NodeConverter::checkWayBack(const ModelProto &earlier,
                                        const ModelProto &later, Operator op,
                                        int64_t before) {
  ModelProto model = earlier;
  model.mutable_opset_import(0)->set_version(before);
  llvm::Expected<ModelProto> again = convertModel(model, before, op.since());
  if (!again)
    return again.takeError();
  if (!computesTheSame(again->graph(), later.graph(), *op.schema()))
    return llvm::createStringError(
        "the same node there would mean something else");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// A step
//===----------------------------------------------------------------------===//

/// The bodies of a node are converted with the nodes in them.
static llvm::Error checkWithGraphs(Operator op, const OpSchema &earlier) {
  if (op.is("Scan") && earlier.since_version() < 9)
    return llvm::createStringError("of opset 8 has another meaning");
  if (llvm::Error error = checkAgainst(op, earlier))
    return error;
  return checkTypes(op, *op.schema(), earlier);
}

llvm::Expected<NodeConverter::Earlier>
NodeConverter::inVersionBefore(Operator op, const SchemaEntry &entry) {
  const OpSchema &later = *op.schema(), &earlier = *schemaOf(entry);
  int64_t opset = op.since() - 1;
  if (op.numGraphs() != 0) {
    if (llvm::Error error = checkWithGraphs(op, earlier))
      return error;
    return Earlier{{/*isSame=*/true}, opset};
  }
  if (op.hasReferences())
    return llvm::createStringError(
        "an attribute is a parameter of the function");
  ModelProto before, after;
  if (!describe(op, op.since(), after))
    return llvm::createStringError(
        "an attribute has a kind that ONNX does not have");
  before = after;
  llvm::Expected<bool> needsCheck =
      sayEarlier(*before.mutable_graph(), later, earlier);
  if (!needsCheck)
    return needsCheck.takeError();
  if (*needsCheck)
    if (llvm::Error error = checkWayBack(before, after, op, opset))
      return error;
  const NodeProto &node = after.graph().node(0);
  if (isSameNode(node, before.graph())) {
    if (llvm::Error error = checkAgainst(op, earlier))
      return error;
    if (llvm::Error error = checkTypes(op, later, earlier))
      return error;
    return Earlier{{/*isSame=*/true}, opset};
  }
  SchemaBody body = bodyIn(opset, op, functionOf(before.graph(), node));
  if (!body.end)
    return llvm::createStringError("its earlier form cannot be read");
  if (llvm::Error error = checkBody(body))
    return error;
  return Earlier{{/*isSame=*/false, std::move(body)}, opset};
}

/// The bodies that ONNX has for the operator, the earliest first.
static SmallVector<int64_t> opsetsOfBodies(const OpSchema &schema) {
  SmallVector<int64_t> opsets;
  for (const std::vector<int> &list :
       {schema.function_opset_versions(),
        schema.context_dependent_function_opset_versions()})
    opsets.append(list.begin(), list.end());
  llvm::sort(opsets);
  return opsets;
}

llvm::Expected<NodeConverter::Earlier> NodeConverter::asFunction(Operator op) {
  std::vector<onnx::TypeProto> types(op.numInputs());
  SmallVector<InferenceInput, 4> inputs(op.numInputs());
  for (unsigned i = 0; i < op.numInputs(); ++i)
    if (op.hasInput(i) && toTypeProto(op.input(i).getType(), types[i]))
      inputs[i].type = &types[i];
  for (int64_t opset : opsetsOfBodies(*op.schema())) {
    auto proto = functionBody(op, inputs, opset);
    if (!proto) {
      llvm::consumeError(proto.takeError());
      continue;
    }
    if (!*proto)
      continue;
    SchemaBody body = bodyIn(opset, op, **proto);
    if (!body.end)
      continue;
    if (llvm::Error error = checkBody(body)) {
      llvm::consumeError(std::move(error));
      continue;
    }
    bool isMore = (*proto)->node_size() > 1;
    return Earlier{{/*isSame=*/false, std::move(body)}, opset, isMore};
  }
  return llvm::createStringError("no function defines it for its types");
}

llvm::Expected<NodeConverter::Earlier> NodeConverter::stepBack(Operator op) {
  const SchemaEntry *before = nullptr;
  for (const SchemaEntry &entry : schemasOf("", op.opType()))
    if (entry.since < op.since())
      before = &entry;
  std::string why;
  if (before) {
    llvm::Expected<Earlier> result = inVersionBefore(op, *before);
    if (result)
      return result;
    why = llvm::toString(result.takeError());
  }
  llvm::Expected<Earlier> function = asFunction(op);
  if (function || why.empty())
    return function;
  llvm::consumeError(function.takeError());
  return llvm::createStringError(why);
}
