//===- ShapeInference.cpp - ONNX's inference for one operator -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/ShapeInference.h"

#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/ir/InferenceAdditions.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/BuiltinTypes.h"
#include "onnx/defs/schema.h"
#include "onnx/shape_inference/implementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <exception>
#include <forward_list>

using namespace mlir;
using namespace onnxfold;
using onnx::AttributeProto;
using onnx::OpSchema;
using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;

namespace {

/// An error that travels through the ONNX library as an exception.
struct CarriedError : std::runtime_error {
  explicit CarriedError(llvm::Error error)
      : std::runtime_error(llvm::toString(std::move(error))) {}
};

/// Attributes of an operator as the library wants them, each converted when it
/// is first asked for. Functions ask for few, some for the same twice.
class AttributeCache {
public:
  explicit AttributeCache(Operator op) : op(op) {}

  const AttributeProto *get(const std::string &name) const {
    for (const AttributeProto &known : protos)
      if (known.name() == name)
        return &known;
    Attribute value = op.attribute(name);
    if (!value)
      return nullptr;
    protos.emplace_front();
    NamedAttribute attribute(name, value);
    if (!toAttributeProto(attribute, schemaKind(op, name), protos.front()))
      throw onnx::InferenceError("attribute '" + name +
                                 "' has a kind that ONNX does not have");
    protos.front().set_name(name);
    // An axis becomes an int in the library (1.23.2): LayerNormalization's
    // function takes 2^32 - 1 for -1, and writes there.
    if (name == "axis" && !llvm::isInt<32>(protos.front().i()))
      throw onnx::InferenceError("attribute 'axis' is " +
                                 std::to_string(protos.front().i()) +
                                 ", which is not a dimension");
    // GatherND's function (1.23.2) adds it to a number of dimensions, and reads
    // the dimension before the first.
    if (name == "batch_dims" && protos.front().i() < 0)
      throw onnx::InferenceError("attribute 'batch_dims' is " +
                                 std::to_string(protos.front().i()) +
                                 ", expected none below 0");
    return &protos.front();
  }

private:
  Operator op;
  mutable std::forward_list<AttributeProto> protos;
};

/// Hands the inference of one graph attribute to the caller.
class GraphAdapter final : public onnx::GraphInferencer {
public:
  GraphAdapter(Region &graph, InferGraph inferGraph)
      : graph(graph), inferGraph(inferGraph) {}

  std::vector<const TypeProto *>
  doInferencing(const std::vector<const TypeProto *> &inputTypes,
                const std::vector<const TensorProto *> &inputData) override {
    if (inferGraph) {
      llvm::Expected<InferredTypes> types =
          inferGraph(graph, inputTypes, inputData);
      if (!types)
        throw CarriedError(types.takeError());
      outputs = std::move(*types);
    } else {
      useTypesOfYield();
    }
    std::vector<const TypeProto *> result;
    for (const TypeProto &type : outputs)
      result.push_back(&type);
    return result;
  }

private:
  void useTypesOfYield() {
    outputs.clear();
    if (graph.empty() || graph.front().empty())
      return;
    for (Value value : graph.front().back().getOperands())
      toTypeProto(value.getType(), outputs.emplace_back());
  }

  Region &graph;
  InferGraph inferGraph;
  InferredTypes outputs;
};

/// Nothing is propagated through longer vectors. Shapes have few elements.
constexpr int64_t mostElementsPropagated = 64;

/// Whether ONNX's inference (1.23.2) fails on a type with such a size: that of
/// Split computes with 32 bits, and that of GroupNormalization, whose body has
/// a Cast, makes a message for each element of a vector.
bool isTooLarge(Operator op, const TensorShapeProto &shape, int64_t size) {
  return op.is("Split")
             ? !llvm::isInt<32>(size)
             : shape.dim_size() == 1 && size > mostElementsPropagated;
}

/// A copy of the type in which these sizes are unknown; nothing if it has none.
std::optional<TypeProto> withoutLargeSizes(Operator op, const TypeProto &type) {
  std::optional<TypeProto> copy;
  if (!op.is("Split") && !op.is("GroupNormalization"))
    return copy;
  const TensorShapeProto &shape = type.tensor_type().shape();
  for (auto [i, dim] : llvm::enumerate(shape.dim())) {
    if (!isTooLarge(op, shape, dim.dim_value()))
      continue;
    if (!copy)
      copy = type;
    copy->mutable_tensor_type()->mutable_shape()->mutable_dim(i)->clear_value();
  }
  return copy;
}

class Context final : public onnx::InferenceContext {
public:
  Context(Operator op, ArrayRef<InferenceInput> inputs, InferGraph inferGraph)
      : op(op), inputs(inputs), inferGraph(inferGraph), attributes(op),
        outputs(op.numOutputs()) {
    for (auto [i, input] : llvm::enumerate(inputs))
      if (input.type)
        if (auto type = withoutLargeSizes(op, *input.type))
          changedTypes.emplace_back(i, std::move(*type));
  }

  InferredTypes &outputTypes() { return outputs; }

  const AttributeProto *getAttribute(const std::string &name) const override {
    const AttributeProto *given = attributes.get(name);
    // ONNX's inference of STFT (1.23.2) takes another default than its schema.
    if (!given && name == "onesided" && op.is("STFT") && op.schema())
      return &op.schema()->attributes().at(name).default_value;
    // Split's inference makes as many sizes as this says, and reads one for
    // each output.
    if (given && name == "num_outputs" &&
        given->i() != static_cast<int64_t>(outputs.size()))
      throw onnx::InferenceError("attribute 'num_outputs' is " +
                                 std::to_string(given->i()) + ", there are " +
                                 std::to_string(outputs.size()) + " outputs");
    return given;
  }
  size_t getNumInputs() const override { return inputs.size(); }
  const TypeProto *getInputType(size_t index) const override {
    for (const auto &[changed, type] : changedTypes)
      if (changed == index)
        return &type;
    return at(index).type;
  }
  bool hasInput(size_t index) const override {
    return index < inputs.size() && op.hasInput(index);
  }
  const TensorProto *getInputData(size_t index) const override {
    if (char *wasRead = at(index).wasRead)
      *wasRead = 1;
    return at(index).data;
  }
  const TensorShapeProto *getSymbolicInput(size_t index) const override {
    const InferenceInput &input = at(index);
    return input.data ? nullptr : input.symbolic;
  }
  const onnx::SparseTensorProto *getInputSparseData(size_t) const override {
    return nullptr;
  }
  size_t getNumOutputs() const override { return outputs.size(); }
  TypeProto *getOutputType(size_t index) override {
    if (index >= outputs.size())
      throw onnx::InferenceError("output #" + std::to_string(index) +
                                 " does not exist");
    return &outputs[index];
  }
  bool hasOutput(size_t index) override {
    return index < outputs.size() &&
           !isa<NoneType>(op->getResult(index).getType());
  }
  onnx::GraphInferencer *
  getGraphAttributeInferencer(const std::string &name) override {
    Region *graph = op.getGraph(name);
    if (!graph)
      throw onnx::InferenceError("attribute '" + name + "' is not a graph");
    graphs.push_back(std::make_unique<GraphAdapter>(*graph, inferGraph));
    return graphs.back().get();
  }
  std::string getDisplayName() const override {
    std::string name = "node " + op.opType().str();
    if (!op.nodeName().empty())
      name += " (" + op.nodeName().str() + ")";
    return name;
  }

private:
  const InferenceInput &at(size_t index) const {
    if (index >= inputs.size())
      throw onnx::InferenceError("input #" + std::to_string(index) +
                                 " does not exist");
    return inputs[index];
  }

  Operator op;
  ArrayRef<InferenceInput> inputs;
  InferGraph inferGraph;
  AttributeCache attributes;
  InferredTypes outputs;
  SmallVector<std::pair<size_t, TypeProto>, 1> changedTypes; // of inputs
  // The library keeps the types that an inferencer returned until it is done.
  SmallVector<std::unique_ptr<GraphAdapter>, 2> graphs;
};

class BodyContext final : public onnx::FunctionBodyBuildContext {
public:
  BodyContext(Operator op, ArrayRef<InferenceInput> inputs)
      : op(op), inputs(inputs), attributes(op) {}

  const AttributeProto *getAttribute(const std::string &name) const override {
    return attributes.get(name);
  }
  bool hasInput(int index) const override {
    return index >= 0 && op.hasInput(index);
  }
  bool hasOutput(int index) const override {
    return index >= 0 && unsigned(index) < op.numOutputs() &&
           !isa<NoneType>(op->getResult(index).getType());
  }
  const TypeProto *getInputType(int index) const override {
    return index >= 0 && size_t(index) < inputs.size() ? inputs[index].type
                                                       : nullptr;
  }

private:
  Operator op;
  ArrayRef<InferenceInput> inputs;
  AttributeCache attributes;
};

class PropagationContext final : public onnx::DataPropagationContext {
public:
  PropagationContext(Operator op, ArrayRef<InferenceInput> inputs)
      : op(op), inputs(inputs), attributes(op), known(inputs.size()),
        outputs(op.numOutputs()), outputTypes(op.numOutputs()) {
    for (auto [type, result] : llvm::zip(outputTypes, op->getResults()))
      toTypeProto(result.getType(), type);
  }

  SmallVector<std::optional<TensorShapeProto>, 1> takeOutputs() {
    return std::move(outputs);
  }

  const AttributeProto *getAttribute(const std::string &name) const override {
    return attributes.get(name);
  }
  size_t getNumInputs() const override { return inputs.size(); }
  const TypeProto *getInputType(size_t index) const override {
    return inputs[index].type;
  }
  size_t getNumOutputs() const override { return outputs.size(); }
  const TypeProto *getOutputType(size_t index) const override {
    return &outputTypes[index];
  }
  const TensorShapeProto *getInputData(size_t index) override {
    if (index >= inputs.size())
      return nullptr;
    const InferenceInput &input = inputs[index];
    if (!input.data)
      return input.symbolic ? input.symbolic : unknownElements(index);
    if (!known[index])
      known[index] = fromTensor(*input.data);
    return known[index] ? &*known[index] : nullptr;
  }
  void addOutputData(size_t index, TensorShapeProto &&value) override {
    if (index < outputs.size())
      outputs[index] = std::move(value);
  }

private:
  static std::optional<TensorShapeProto> fromTensor(const TensorProto &data) {
    if (data.dims_size() > 1)
      return std::nullopt;
    TensorShapeProto value;
    if (data.data_type() == TensorProto::INT64)
      for (int64_t element : onnx::ParseData<int64_t>(&data))
        value.add_dim()->set_dim_value(element);
    else if (data.data_type() == TensorProto::INT32)
      for (int32_t element : onnx::ParseData<int32_t>(&data))
        value.add_dim()->set_dim_value(element);
    else
      return std::nullopt;
    return value;
  }

  /// A vector of known length and unknown elements.
  const TensorShapeProto *unknownElements(size_t index) {
    const TypeProto *type = inputs[index].type;
    if (!type || type->tensor_type().shape().dim_size() != 1)
      return nullptr;
    const auto &dim = type->tensor_type().shape().dim(0);
    if (!dim.has_dim_value() || dim.dim_value() > mostElementsPropagated)
      return nullptr;
    if (!known[index]) {
      known[index].emplace();
      for (int64_t i = 0; i < dim.dim_value(); ++i)
        known[index]->add_dim();
    }
    return &*known[index];
  }

  Operator op;
  ArrayRef<InferenceInput> inputs;
  AttributeCache attributes;
  SmallVector<std::optional<TensorShapeProto>, 2> known;
  SmallVector<std::optional<TensorShapeProto>, 1> outputs;
  InferredTypes outputTypes;
};

} // namespace

/// Runs code of the ONNX library; its exceptions become errors.
template <typename Function> static llvm::Error guarded(Function &&function) {
  try {
    function();
  } catch (const std::exception &exception) {
    return llvm::createStringError(exception.what());
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Function bodies
//===----------------------------------------------------------------------===//

/// A body written for one opset holds in a later one if no operator that it
/// uses has changed in between. (OpSchema has this check, but against the
/// library's own registry, which is empty here.)
static bool bodyHolds(const onnx::FunctionProto &body, int64_t writtenFor,
                      int64_t opset) {
  return llvm::all_of(body.node(), [&](const onnx::NodeProto &node) {
    return !canonicalDomain(node.domain()).empty() ||
           resolveSince("", node.op_type(), writtenFor) ==
               resolveSince("", node.op_type(), opset);
  });
}

/// The newest version in an ascending list that is not above `opset`.
static std::optional<int> newestUpTo(const std::vector<int> &versions,
                                     int64_t opset) {
  std::optional<int> found;
  for (int version : versions)
    if (version <= opset)
      found = version;
  return found;
}

/// Defaults of attributes are part of the schema; a body that is to stand for
/// itself has them as FunctionProto's attribute_proto.
static void addDefaults(onnx::FunctionProto &body, const OpSchema &schema) {
  body.clear_attribute();
  for (const auto &[name, attribute] : schema.attributes()) {
    if (attribute.default_value.name().empty())
      body.add_attribute(name);
    else
      *body.add_attribute_proto() = attribute.default_value;
  }
}

static std::optional<onnx::FunctionProto>
findBody(Operator op, const OpSchema &schema, ArrayRef<InferenceInput> inputs,
         int64_t opset) {
  if (auto version = newestUpTo(schema.function_opset_versions(), opset)) {
    const onnx::FunctionProto *body =
        schema.GetFunction(*version, /*validate=*/false);
    if (body && bodyHolds(*body, *version, opset)) {
      onnx::FunctionProto copy = *body;
      addDefaults(copy, schema);
      return copy;
    }
  }
  auto version =
      newestUpTo(schema.context_dependent_function_opset_versions(), opset);
  if (!version)
    return std::nullopt;
  onnx::FunctionProto body;
  BodyContext context(op, inputs);
  if (!schema.BuildContextDependentFunction(context, body, *version) ||
      !bodyHolds(body, *version, opset))
    return std::nullopt;
  schema.BuildFunction(body);
  addDefaults(body, schema);
  return body;
}

llvm::Expected<std::optional<onnx::FunctionProto>>
onnxfold::functionBody(Operator op, ArrayRef<InferenceInput> inputs,
                       int64_t opset) {
  std::optional<onnx::FunctionProto> body;
  const OpSchema *schema = op.schema();
  if (!schema)
    return body;
  if (llvm::Error error =
          guarded([&] { body = findBody(op, *schema, inputs, opset); }))
    return error;
  return body;
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

static void inferFromBody(Operator op, const OpSchema &schema,
                          ArrayRef<InferenceInput> inputs, Context &context) {
  // Types do not depend on which of the bodies is used: the schema's version.
  std::optional<onnx::FunctionProto> body =
      findBody(op, schema, inputs, op.since());
  if (!body)
    return inferFromConstraints(schema, inputs, context.outputTypes());
  if (body->output_size() > int(op.numOutputs())) // optional ones at the end
    body->mutable_output()->DeleteSubrange(
        op.numOutputs(), body->output_size() - op.numOutputs());
  // Shapes computed inside the body (Shape, Reshape) are followed.
  onnx::shape_inference::DataValueMap values;
  onnx::shape_inference::InferShapeForFunctionNode(
      *body, &schemaRegistry(), context,
      onnx::ShapeInferenceOptions(/*check_type=*/false, /*strict_mode=*/0,
                                  /*data_prop=*/true),
      /*model_local_functions_map=*/{}, /*symbol_table=*/nullptr, &values);
}

/// Many functions take an input without a type for a mistake.
static bool hasUnknownInput(Operator op, ArrayRef<InferenceInput> inputs) {
  for (auto [index, input] : llvm::enumerate(inputs))
    if (!input.type && op.hasInput(index))
      return true;
  return false;
}

/// RegexFullMatch's function (ONNX 1.23.2) reads the type of an input that has
/// none.
static bool readsUnknownType(Operator op, ArrayRef<InferenceInput> inputs) {
  return op.is("RegexFullMatch") && hasUnknownInput(op, inputs);
}

/// Einsum's function never returns (ONNX 1.23.2) where a term has anything but
/// letters, spaces and one ellipsis.
static bool neverReturns(Operator op, const OpSchema &schema) {
  if (schema.Name() != "Einsum" || !schema.domain().empty())
    return false;
  auto equation = dyn_cast_or_null<StringAttr>(op.attribute("equation"));
  if (!equation)
    return false;
  std::string text = equation.str();
  llvm::erase(text, ' ');
  SmallVector<StringRef> terms;
  StringRef(text).split("->").first.split(terms, ',');
  return llvm::any_of(terms, [](StringRef term) {
    auto [before, after] = term.split("...");
    return !llvm::all_of(before, llvm::isAlpha) ||
           !llvm::all_of(after, llvm::isAlpha);
  });
}

llvm::Expected<InferredTypes>
onnxfold::inferTypes(Operator op, ArrayRef<InferenceInput> inputs,
                     InferGraph inferGraph) {
  const OpSchema *schema = op.schema();
  if (!schema || neverReturns(op, *schema) || readsUnknownType(op, inputs))
    return InferredTypes(op.numOutputs());
  Context context(op, inputs, inferGraph);
  llvm::Error error = guarded([&] {
    if (schema->has_type_and_shape_inference_function())
      schema->GetTypeAndShapeInferenceFunction()(context);
    else
      inferFromBody(op, *schema, inputs, context);
  });
  if (error && !hasUnknownInput(op, inputs))
    return error;
  llvm::consumeError(std::move(error));
  addMlShapes(op, inputs, context.outputTypes());
  addFirstVersionShapes(op, inputs, context.outputTypes());
  return std::move(context.outputTypes());
}

llvm::Expected<SmallVector<std::optional<TensorShapeProto>, 1>>
onnxfold::propagateData(Operator op, ArrayRef<InferenceInput> inputs) {
  PropagationContext context(op, inputs);
  const OpSchema *schema = op.schema();
  if (schema && schema->has_data_propagation_function())
    if (llvm::Error error =
            guarded([&] { schema->GetDataPropagationFunction()(context); }))
      return error;
  return context.takeOutputs();
}
