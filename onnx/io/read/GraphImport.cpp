//===- GraphImport.cpp - Graphs and functions into blocks -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/read/GraphImport.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/AttributeImport.h"
#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <queue>

using namespace onnxfold;
using namespace mlir;

std::string onnxfold::functionKey(StringRef domain, StringRef name,
                                  StringRef overload) {
  return (domain + Twine('\0') + name + Twine('\0') + overload).str();
}

OpsetVersions onnxfold::opsetVersions(ArrayRef<OpsetImport> imports) {
  OpsetVersions versions;
  for (const OpsetImport &import : imports)
    versions[canonicalDomain(import.domain)] = import.version;
  return versions;
}

ModelFault GraphImporter::place() const {
  return ModelFault().file(state.fileName()).append(label).says(":");
}

llvm::Error GraphImporter::error(ModelFault fault) const {
  return place().append(fault);
}

void GraphImporter::warn(const Twine &text) {
  state.warnings.push_back(place().says(text).text());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

llvm::Error GraphImporter::define(StringRef name, Value value) {
  if (name.empty() || scope.define(name, value))
    return llvm::Error::success();
  return error(
      ModelFault("value '" + printableName(name) + "' is defined twice"));
}

/// Arguments and initializers of a body may have the name of a value around it,
/// results may not.
llvm::Error GraphImporter::defineResult(StringRef name, Value value) {
  if (!name.empty() && scope.isAround(name))
    return error(ModelFault("value '" + printableName(name) +
                            "' is defined twice, here and around the graph"));
  return define(name, value);
}

Value GraphImporter::absent() {
  if (!absentValue) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(builder.getBlock());
    absentValue = OnnxAbsentOp::create(builder, builder.getUnknownLoc());
  }
  return absentValue;
}

Type GraphImporter::readType(ImportState &state, const MessageSpan &valueInfo,
                             std::string &name,
                             SmallVectorImpl<std::string> &dims) {
  // Longer ones are no types anybody meant.
  constexpr uint64_t mostBytes = 1 << 20;
  ByteRange range = valueInfo.contents();
  onnx::ValueInfoProto proto;
  if (range.size() <= mostBytes) {
    std::string bytes(range.size(), '\0');
    state.reader.read(range, bytes);
    // A text that does not parse is a hint less.
    if (!proto.ParseFromString(bytes))
      proto.Clear();
  }
  name = proto.name();
  for (auto [i, dim] :
       llvm::enumerate(proto.type().tensor_type().shape().dim()))
    if (dim.dim_value() < 0 && state.numNegativeSizes++ == 0)
      state.negativeSize =
          ("dimension " + Twine(i) + " of '" + printableName(name) + "' is " +
           Twine(dim.dim_value()))
              .str();
  for (StringRef dim : dimensionNames(proto.type()))
    dims.push_back(dim.str());
  return fromTypeProto(proto.type(), &state.context);
}

void GraphImporter::addInputType(const MessageSpan &valueInfo) {
  std::string name;
  SmallVector<std::string> dims;
  Type type = readType(state, valueInfo, name, dims);
  inputTypes.try_emplace(name, type);
}

void GraphImporter::addValueType(const MessageSpan &valueInfo) {
  std::string name;
  SmallVector<std::string> dims;
  Type type = readType(state, valueInfo, name, dims);
  auto [known, isNew] = types.try_emplace(name, type);
  if (isNew || !known->second)
    return;
  if (Type merged = mergeTypes(known->second, type)) {
    known->second = merged;
    return;
  }
  known->second = Type(); // runtimes differ in which one they believe
  warn("the type of value '" + printableName(name) +
       "' is stated twice, and differently; neither is believed");
}

Type GraphImporter::declaredType(StringRef name) const {
  if (Type type = types.lookup(name))
    return type;
  return OnnxUnknownType::get(&state.context);
}

Location GraphImporter::locationOf(const NodeFields &node) {
  if (!state.locations)
    return builder.getUnknownLoc();
  StringRef name = node.name;
  if (name.empty() && !node.outputs.empty())
    name = node.outputs.front().name;
  return NameLoc::get(builder.getStringAttr(name));
}

llvm::Error GraphImporter::lookupAll(ArrayRef<StringRef> names,
                                     SmallVectorImpl<Value> &values) {
  for (StringRef name : names) {
    Value value = scope.lookup(name);
    if (!value)
      return error(
          ModelFault("output '" + printableName(name) + "' is not defined"));
    values.push_back(value);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

namespace {

/// Names that are visible at a place of a subgraph that is not imported yet.
struct NameList {
  const NameList *outer;
  llvm::StringSet<> names;

  bool contains(StringRef name) const {
    for (const NameList *list = this; list; list = list->outer)
      if (list->names.contains(name))
        return true;
    return false;
  }
};

} // namespace

/// The first name that a subgraph reads and that neither it nor `scope` has.
static std::string firstFreeName(ImportState &state, const NameScope &scope,
                                 const GraphIndex &graph,
                                 const NameList *outer) {
  NameList list{outer, {}};
  for (const TensorIndex &tensor : graph.initializers)
    list.names.insert(tensor.name);
  for (const SparseTensorIndex &tensor : graph.sparseInitializers)
    list.names.insert(tensor.values.name);
  for (const NamedSpan &input : graph.inputs)
    list.names.insert(input.name);
  NodeFields node;
  auto read = [&](const MessageSpan &span) {
    llvm::Error error = readNode(state.reader, state.index, span, node);
    bool ok = !error;
    llvm::consumeError(std::move(error)); // comes again when it is imported
    return ok;
  };
  for (const MessageSpan &span : graph.nodes)
    if (read(span))
      for (const NameField &output : node.outputs)
        list.names.insert(output.name);
  auto isFree = [&](StringRef name) {
    return !name.empty() && !list.contains(name) && !scope.lookup(name);
  };
  for (const MessageSpan &span : graph.nodes) {
    if (!read(span))
      continue;
    for (const NameField &input : node.inputs)
      if (isFree(input.name))
        return input.name.str();
    SmallVector<const GraphIndex *> inner;
    for (const AttributeFields &attribute : node.attributes)
      inner.append(attribute.graphs.begin(), attribute.graphs.end());
    for (const GraphIndex *child : inner)
      if (std::string name = firstFreeName(state, scope, *child, &list);
          !name.empty())
        return name;
  }
  for (const NamedSpan &output : graph.outputs)
    if (isFree(output.name))
      return output.name.str();
  return "";
}

/// A name that must be defined before the node can be added, or "".
std::string GraphImporter::firstUndefined(const NodeFields &node) {
  currentInputs.clear();
  for (const NameField &input : node.inputs) {
    Value value = input.name.empty() ? Value() : scope.lookup(input.name);
    if (!value && !input.name.empty())
      return input.name.str();
    currentInputs.push_back(value);
  }
  for (const AttributeFields &attribute : node.attributes)
    for (const GraphIndex *graph : attribute.graphs)
      if (std::string name = firstFreeName(state, scope, *graph, nullptr);
          !name.empty())
        return name;
  return "";
}

llvm::Expected<std::string> GraphImporter::addNode(const MessageSpan &span,
                                                   int64_t ordinal) {
  NodeFields &node = current; // its memory serves them all
  if (llvm::Error error = readNode(state.reader, state.index, span, node))
    return error;
  if (std::string name = firstUndefined(node); !name.empty())
    return name;
  noteName(node);
  llvm::Expected<bool> added = addConstant(node, ordinal);
  if (!added)
    return added.takeError();
  if (!*added)
    if (llvm::Error error = addOperator(node, ordinal))
      return error;
  return "";
}

/// Ordinals of nodes that can be tried again now that `node` is there.
llvm::Error GraphImporter::wakeWaiting(const MessageSpan &span,
                                       WaitingNodes &waiting,
                                       llvm::function_ref<void(int64_t)> wake) {
  NodeFields node;
  if (llvm::Error error = readNode(state.reader, state.index, span, node))
    return error;
  for (const NameField &output : node.outputs) {
    auto it = waiting.find(output.name);
    if (it == waiting.end())
      continue;
    llvm::for_each(it->second, wake);
    waiting.erase(it);
  }
  return llvm::Error::success();
}

llvm::Error GraphImporter::addNodes(const std::deque<MessageSpan> &nodes) {
  scope.reserve(nodes.size()); // nearly all have one result
  nodeNames.reserve(nodes.size());
  // A node that comes before what it reads waits for the name; nodes that no
  // longer wait are added at once, lowest first: a stable sort.
  WaitingNodes waiting;
  bool sorted = true;
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> ready;
  for (size_t i = 0; i < nodes.size(); ++i) {
    ready.push(i);
    while (!ready.empty()) {
      int64_t ordinal = ready.top();
      ready.pop();
      llvm::Expected<std::string> missing = addNode(nodes[ordinal], ordinal);
      if (!missing)
        return missing.takeError();
      if (!missing->empty()) {
        waiting[*missing].push_back(ordinal);
        sorted = false;
      } else if (!waiting.empty()) {
        if (llvm::Error error =
                wakeWaiting(nodes[ordinal], waiting,
                            [&](int64_t waiter) { ready.push(waiter); }))
          return error;
      }
    }
  }
  if (!waiting.empty())
    return unsortable(nodes, waiting);
  warnOfDoubledNames();
  if (!sorted)
    warn("nodes are not in topological order; they were sorted to be folded");
  return llvm::Error::success();
}

/// Nodes wait for names that never came: undefined, or defined in a cycle.
llvm::Error GraphImporter::unsortable(const std::deque<MessageSpan> &nodes,
                                      const WaitingNodes &waiting) {
  // The order of the file makes the message always the same.
  std::map<int64_t, WaitingNode> stuck;
  llvm::StringMap<int64_t> producers;
  NodeFields node;
  for (const auto &entry : waiting)
    for (int64_t ordinal : entry.second) {
      if (llvm::Error error =
              readNode(state.reader, state.index, nodes[ordinal], node))
        return error;
      WaitingNode &one = stuck[ordinal];
      one = {atNode(node), entry.first().str()};
      for (const NameField &output : node.outputs)
        producers.try_emplace(output.name, ordinal);
    }
  for (const auto &[ordinal, one] : stuck)
    if (!producers.contains(one.missing))
      return error(ModelFault(one.node).says(
          "reads '" + printableName(one.missing) + "', which is not defined"));
  // Each node waits for one other, so whoever follows them comes to a cycle.
  std::vector<WaitingNode> path;
  llvm::DenseMap<int64_t, size_t> places;
  int64_t at = stuck.begin()->first;
  while (places.try_emplace(at, path.size()).second) {
    path.push_back(stuck[at]);
    at = producers.lookup(path.back().missing);
  }
  return describeCycle(llvm::ArrayRef(path).drop_front(places[at]));
}

llvm::Error GraphImporter::describeCycle(llvm::ArrayRef<WaitingNode> cycle) {
  // Beyond this nobody reads the rest.
  constexpr size_t most = 8;
  std::string text = cycle.front().node.text();
  for (size_t i = 0; i < std::min(cycle.size(), most); ++i)
    text += std::string(i ? ", which" : "") + " reads '" +
            printableName(cycle[i].missing) + "' of " +
            cycle[(i + 1) % cycle.size()].node.text();
  if (cycle.size() > most)
    text += ", and so on";
  if (cycle.size() > 1)
    return error(
        ModelFault(Twine(cycle.size()) + " nodes form a cycle: " + text));
  return error(ModelFault(cycle.front().node)
                   .says("reads '" + printableName(cycle.front().missing) +
                         "', which it makes itself"));
}

/// Names of nodes are for people, and some converters write them twice.
void GraphImporter::noteName(const NodeFields &node) {
  // One bit less: the set has two values for itself.
  if (node.name.empty() ||
      nodeNames.insert(llvm::xxh3_64bits(node.name) >> 1).second)
    return;
  if (doubledNames++ == 0)
    doubledName = printableName(node.name);
}

void GraphImporter::warnOfDoubledNames() {
  if (doubledNames != 0)
    warn(Twine(doubledNames) +
         (doubledNames == 1 ? " node has" : " nodes have") +
         " the name of an earlier one, such as '" + doubledName + "'");
  nodeNames = {};
}

/// Runtimes refuse it. The report has all of them.
void GraphImporter::noteInvalid(const NodeFields &node, const OperatorId &id,
                                StringRef why) {
  constexpr size_t most = 20;
  std::string what = (id.opType + "-" + Twine(id.since) + ": " + why).str();
  if (state.invalid.size() < most && state.invalid.insert(what).second)
    warn(atNode(node).says("is kept: breaks " + what).text());
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// True if the node was a Constant with a value.
llvm::Expected<bool> GraphImporter::addConstant(const NodeFields &node,
                                                int64_t ordinal) {
  if (node.opType != "Constant" || !canonicalDomain(node.domain).empty() ||
      node.outputs.size() != 1 || !node.inputs.empty() ||
      !isClearConstant(node))
    return false;
  auto subject = [&] { return atNode(node); };
  AttributeSource source{state.reader, state.external, &state.context,
                         Subject(subject)};
  llvm::Expected<Elements> elements = importConstant(source, node);
  if (!elements)
    return elements.takeError();
  if (!*elements)
    return false;
  StringRef output = node.outputs[0].name;
  if (addDoubledConstant(node, ordinal))
    return true;
  ElementsAttr value = tensorAttribute(*elements, &state.context);
  auto opset = opsets.find("");
  if (opset != opsets.end() &&
      !constantTakes(opset->second, value.getElementType()))
    state.anyConstant = true;
  auto constant =
      OnnxConstantOp::create(builder, locationOf(node), value, output, ordinal);
  if (llvm::Error error = defineResult(output, constant))
    return error;
  return true;
}

OperatorId GraphImporter::identify(const NodeFields &node, bool &custom) {
  StringRef domain = canonicalDomain(node.domain);
  if (!domain.empty() || !node.overload.empty())
    return lookUp(node, custom);
  auto known = standard.find(node.opType);
  if (known == standard.end()) {
    OperatorId id = lookUp(node, custom);
    standard[node.opType] = {id.since, custom};
    return id;
  }
  custom = known->second.custom;
  return {domain, node.opType, known->second.since};
}

/// Domain, type and version; `custom` if no schema applies.
OperatorId GraphImporter::lookUp(const NodeFields &node, bool &custom) {
  StringRef domain = canonicalDomain(node.domain);
  OperatorId id{domain, node.opType, 0, node.overload};
  custom = true;
  if (state.functions.contains(functionKey(domain, node.opType, node.overload)))
    return id;
  auto opset = opsets.find(domain);
  if (opset == opsets.end())
    return id;
  id.since = opset->second;
  std::optional<int> since = resolveSince(domain, node.opType, opset->second);
  // The meaning in a later opset is not known here.
  if (!since || opset->second > latestOpset(domain))
    return id;
  std::string key = functionKey(domain, node.opType, "");
  auto [it, isNew] = state.registered.try_emplace(key, false);
  if (isNew)
    it->second = registerOperator(state.context, domain, node.opType);
  custom = !it->second;
  if (!custom)
    id.since = *since;
  return id;
}

/// Of a Constant of one output whose value is a parameter of the function, if
/// the kind of the attribute states the type; otherwise null.
static Type typeOfParameter(const NodeFields &node, MLIRContext *context) {
  if (node.opType != "Constant" || !canonicalDomain(node.domain).empty() ||
      node.outputs.size() != 1 || node.attributes.size() != 1 ||
      node.attributes.front().refAttrName.empty())
    return {};
  static constexpr std::tuple<const char *, AttributeKind, DataType> kinds[] = {
      {"value_int", AttributeKind::Int, DataType::Int64},
      {"value_ints", AttributeKind::Ints, DataType::Int64},
      {"value_float", AttributeKind::Float, DataType::Float32},
      {"value_floats", AttributeKind::Floats, DataType::Float32},
      {"value_string", AttributeKind::String, DataType::String},
      {"value_strings", AttributeKind::Strings, DataType::String}};
  const AttributeFields &value = node.attributes.front();
  for (auto [name, kind, type] : kinds)
    if (value.name == name && value.declaredKind == kind)
      return RankedTensorType::get(
          SmallVector<int64_t>(value.name.ends_with("s"), ShapedType::kDynamic),
          elementTypeOf(int32_t(type), context));
  return {};
}

llvm::Expected<Operator>
GraphImporter::createOperator(const NodeFields &node, ValueRange inputs,
                              ArrayRef<NamedAttribute> attributes,
                              ArrayRef<StringRef> graphNames, bool isClear) {
  SmallVector<Type, 2> resultTypes;
  SmallVector<StringRef, 2> outputs;
  for (const NameField &output : node.outputs) {
    outputs.push_back(output.name);
    resultTypes.push_back(output.name.empty()
                              ? Type(NoneType::get(&state.context))
                              : declaredType(output.name));
  }
  if (Type type = typeOfParameter(node, &state.context);
      type && isa<OnnxUnknownType>(resultTypes[0]))
    resultTypes[0] = type;
  Location location = locationOf(node);
  bool custom;
  OperatorId id = identify(node, custom);
  custom |= !isClear;
  Operator op;
  if (!custom) {
    op = Operator::create(builder, location, id, inputs, resultTypes,
                          attributes, graphNames);
    // A node that breaks its schema is kept, as something unknown.
    if (llvm::Error error = op.checkAgainstSchema()) {
      noteInvalid(node, id, llvm::toString(std::move(error)));
      op->erase();
      custom = true;
    }
  }
  state.hasCustomNodes |= custom;
  if (custom)
    op = Operator::createCustom(builder, location, id, inputs, resultTypes,
                                attributes, graphNames);
  op.setNodeName(node.name);
  op.setOutputNames(outputs);
  return op;
}

llvm::Error GraphImporter::addOperator(const NodeFields &node,
                                       int64_t ordinal) {
  bool isClear = true;
  llvm::Expected<NamedAttrList> attributes = importAttributes(node, isClear);
  if (!attributes)
    return attributes.takeError();
  SmallVector<std::string> graphNames;
  for (const AttributeFields &attribute : node.attributes)
    for (size_t i = 0; i < attribute.graphs.size(); ++i)
      graphNames.push_back(attribute.kind == AttributeKind::Graphs
                               ? (attribute.name + "[" + Twine(i) + "]").str()
                               : attribute.name.str());
  SmallVector<Value, 4> inputs;
  for (Value input : currentInputs)
    inputs.push_back(input ? input : absent());
  SmallVector<StringRef> names(graphNames.begin(), graphNames.end());
  llvm::Expected<Operator> op =
      createOperator(node, inputs, attributes->getAttrs(), names, isClear);
  if (!op)
    return op.takeError();
  op->setNode(ordinal);
  if (llvm::Error error = addConfigurations(node, *op))
    return error;
  if (llvm::Error error = addRegions(node, *op))
    return error;
  for (auto [output, result] :
       llvm::zip_equal(node.outputs, op->getOperation()->getResults()))
    if (llvm::Error error = defineResult(output.name, result))
      return error;
  return llvm::Error::success();
}

llvm::Error GraphImporter::addRegions(const NodeFields &node, Operator op) {
  unsigned next = 0;
  for (const AttributeFields &attribute : node.attributes)
    for (const GraphIndex *graph : attribute.graphs)
      if (llvm::Error error = fillRegion(
              *graph, op, next++,
              ModelFault(label)
                  .says(":")
                  .append(atNode(node))
                  .says("graph '" + printableName(attribute.name) + "'")))
        return error;
  return llvm::Error::success();
}

llvm::Error GraphImporter::fillRegion(const GraphIndex &graph, Operator op,
                                      unsigned number, ModelFault innerLabel) {
  Block *block = new Block();
  op->getRegion(number).push_back(block);
  NameScope inner(&scope);
  GraphImporter importer(state, opsets, inner, block, std::move(innerLabel));
  for (const NamedSpan &input : graph.inputs) {
    std::string name;
    SmallVector<std::string> dims;
    Type type = readType(state, input.span, name, dims);
    Value argument = block->addArgument(
        type, NameLoc::get(builder.getStringAttr(input.name)));
    if (llvm::Error error = importer.define(input.name, argument))
      return error;
  }
  for (const MessageSpan &valueInfo : graph.valueInfos)
    importer.addValueType(valueInfo);
  SmallVector<StringRef> names;
  for (const NamedSpan &output : graph.outputs) {
    importer.addValueType(output.span);
    names.push_back(output.name);
  }
  if (llvm::Error error = importer.addInitializers(graph))
    return error;
  if (llvm::Error error = importer.addNodes(graph.nodes))
    return error;
  llvm::Expected<bool> areAll = importer.addAnnotations(graph);
  if (!areAll)
    return areAll.takeError();
  if (!*areAll)
    setFixedBodies(op);
  SmallVector<Value> values;
  if (llvm::Error error = importer.lookupAll(names, values))
    return error;
  OnnxYieldOp::create(importer.getBuilder(), builder.getUnknownLoc(), values);
  return llvm::Error::success();
}
