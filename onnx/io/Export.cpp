//===- Export.cpp - The changed model as a file ---------------------------===//

#include "onnxfold/onnx/io/Export.h"
#include "onnxfold/elements/ElementsAttrBuilder.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/NodeReader.h"
#include "onnxfold/onnx/io/OutputFile.h"
#include "onnxfold/onnx/io/TensorBytes.h"
#include "onnxfold/onnx/io/TensorElements.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using namespace mlir;

/// Field numbers of ModelProto, GraphProto and FunctionProto.
static constexpr uint32_t modelMetadata = 14, graphNode = 1, functionNode = 7;

/// Protobuf's own limit on a message, and so on what a reader takes.
static constexpr uint64_t largestMessage = (uint64_t(1) << 31) - 1;

namespace {

/// Compares one block after the other with the file and notes the edits.
class BlockDiff {
public:
  BlockDiff(const ModelIndex &index, EditScript &script)
      : index(index), script(script), reader(index.file()) {}

  llvm::Error diffGraph(const GraphIndex &graph, Block &block);
  llvm::Error diffFunction(const FunctionIndex &function, Block &block);

private:
  struct Present {
    llvm::BitVector nodes;          // by ordinal
    llvm::StringSet<> initializers; // names of constants that are no nodes
  };
  static Present collect(Block &block, size_t numNodes);
  llvm::Error eraseNodes(const std::deque<MessageSpan> &nodes,
                         const Present &present);
  void eraseInitializers(const GraphIndex &graph, const Present &present);
  llvm::Error eraseAnnotations(const GraphIndex &graph);
  llvm::Error insertConstants(Block &block,
                              const std::deque<MessageSpan> &nodes,
                              uint32_t nodeField, const GraphIndex *graph);
  llvm::Error diffSubgraphs(Block &block, const std::deque<MessageSpan> &nodes);

  const ModelIndex &index;
  EditScript &script;
  WireReader reader;
  llvm::StringSet<> removedNames; // in the block at hand
};

} // namespace

/// The ordinal of the node that an operation came from.
static std::optional<int64_t> nodeOf(Operation *op) {
  if (auto constant = dyn_cast<OnnxConstantOp>(op))
    return constant.getNode() ? std::optional<int64_t>(*constant.getNode())
                              : std::nullopt;
  if (Operator onnxOp = Operator::from(op))
    return onnxOp.node();
  return std::nullopt;
}

BlockDiff::Present BlockDiff::collect(Block &block, size_t numNodes) {
  Present present;
  present.nodes.resize(numNodes);
  for (Operation &op : block) {
    if (std::optional<int64_t> node = nodeOf(&op))
      present.nodes.set(*node);
    else if (auto constant = dyn_cast<OnnxConstantOp>(op))
      present.initializers.insert(constant.getOutput().value_or(""));
  }
  return present;
}

llvm::Error BlockDiff::eraseNodes(const std::deque<MessageSpan> &nodes,
                                  const Present &present) {
  NodeFields node;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (present.nodes.test(i))
      continue;
    if (llvm::Error error = readNode(reader, index, nodes[i], node))
      return error;
    for (const NameField &output : node.outputs)
      if (!present.initializers.contains(output.name))
        removedNames.insert(output.name);
    script.erase(nodes[i]);
  }
  return llvm::Error::success();
}

/// Initializers that were constants and are gone.
void BlockDiff::eraseInitializers(const GraphIndex &graph,
                                  const Present &present) {
  bool isMain = &graph == &index.mainGraph();
  llvm::StringSet<> inputs;
  for (const NamedSpan &input : graph.inputs)
    inputs.insert(input.name);
  for (const TensorIndex &tensor : graph.initializers) {
    if (present.initializers.contains(tensor.name) ||
        inputs.contains(tensor.name) || tensor.tolerable ||
        (isMain && index.isTrainingState(tensor.name)))
      continue;
    script.erase(tensor.span);
    removedNames.insert(tensor.name);
  }
}

/// What the file says about values that are no more.
llvm::Error BlockDiff::eraseAnnotations(const GraphIndex &graph) {
  if (removedNames.empty())
    return llvm::Error::success();
  llvm::BumpPtrAllocator arena;
  for (const MessageSpan &valueInfo : graph.valueInfos) {
    WireCursor cursor(reader, valueInfo.contents(), {"value info"});
    WireField field;
    StringRef name;
    while (cursor.next(field))
      if (field.isMessage(1))
        name = reader.text(field.body(), arena);
    if (removedNames.contains(name))
      script.erase(valueInfo);
  }
  for (const QuantizationAnnotation &annotation : graph.annotations)
    if (removedNames.contains(annotation.tensorName))
      script.erase(annotation.span);
  return reader.takeError();
}

//===----------------------------------------------------------------------===//
// New constants
//===----------------------------------------------------------------------===//

/// The bytes of a constant as an initializer, or as a Constant node if `node`.
static std::vector<Content> encode(StringRef name, const Elements &elements,
                                   const ConstantNode *node) {
  std::vector<Content> contents;
  TensorHeader header{name, int32_t(elements.type()), elements.shape()};
  if (elements.type() == DataType::String) {
    std::vector<StringRef> strings = elements.values<StringRef>();
    contents.push_back(
        Content::literal(node ? encodeStringConstantNode(*node, header, strings)
                              : encodeStringInitializer(header, strings)));
    return contents;
  }
  uint64_t bytes = payloadBytes(elements);
  FramedBytes frame = node ? encodeConstantNode(*node, header, bytes)
                           : encodeInitializer(header, bytes);
  contents.push_back(Content::literal(std::move(frame.before)));
  contents.push_back(Content::payload(payloadOf(elements)));
  if (!frame.after.empty())
    contents.push_back(Content::literal(std::move(frame.after)));
  return contents;
}

/// Constants that are in the block but not in the file: initializers at the end
/// of `graph`, or, if it is null, nodes before the next node that is left.
llvm::Error BlockDiff::insertConstants(Block &block,
                                       const std::deque<MessageSpan> &nodes,
                                       uint32_t nodeField,
                                       const GraphIndex *graph) {
  llvm::StringSet<> known;
  if (graph)
    for (const TensorIndex &tensor : graph->initializers)
      known.insert(tensor.name);
  // Before IR version 4 an initializer would have to be a graph input.
  bool asInitializer = graph && index.irVersion.value_or(0) >= 4;
  for (Operation &op : block) {
    auto constant = dyn_cast<OnnxConstantOp>(op);
    if (!constant || constant.getNode())
      continue;
    StringRef name = constant.getOutput().value_or("");
    if (known.contains(name))
      continue;
    Elements elements = fromAttribute(constant.getValue());
    if (!elements || name.empty())
      return makeError(index.file()->name() +
                       ": a new constant has no value or no name");
    ConstantNode node{name, "", nodeField};
    std::vector<Content> contents = encode(asInitializer ? name : "", elements,
                                           asInitializer ? nullptr : &node);
    Operation *next = &op;
    while (next && !nodeOf(next))
      next = next->getNextNode();
    for (Content &content : contents) {
      if (asInitializer)
        script.append(*graph->parts.back(), std::move(content));
      else if (next)
        script.insertBefore(nodes[*nodeOf(next)], std::move(content));
      else
        script.insertAfter(nodes.back(), std::move(content));
    }
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

llvm::Error BlockDiff::diffSubgraphs(Block &block,
                                     const std::deque<MessageSpan> &nodes) {
  NodeFields node;
  for (Operation &op : block) {
    std::optional<int64_t> ordinal = nodeOf(&op);
    if (!ordinal || op.getNumRegions() == 0)
      continue;
    if (llvm::Error error = readNode(reader, index, nodes[*ordinal], node))
      return error;
    unsigned next = 0;
    SmallVector<const GraphIndex *> graphs;
    for (const AttributeFields &attribute : node.attributes)
      graphs.append(attribute.graphs.begin(), attribute.graphs.end());
    for (const GraphIndex *graph : graphs)
      if (llvm::Error error = diffGraph(*graph, op.getRegion(next++).front()))
        return error;
  }
  return llvm::Error::success();
}

llvm::Error BlockDiff::diffGraph(const GraphIndex &graph, Block &block) {
  Present present = collect(block, graph.nodes.size());
  removedNames.clear();
  if (llvm::Error error = eraseNodes(graph.nodes, present))
    return error;
  eraseInitializers(graph, present);
  if (llvm::Error error = eraseAnnotations(graph))
    return error;
  if (llvm::Error error =
          insertConstants(block, graph.nodes, graphNode, &graph))
    return error;
  return diffSubgraphs(block, graph.nodes);
}

llvm::Error BlockDiff::diffFunction(const FunctionIndex &function,
                                    Block &block) {
  Present present = collect(block, function.nodes.size());
  removedNames.clear();
  if (llvm::Error error = eraseNodes(function.nodes, present))
    return error;
  if (llvm::Error error =
          insertConstants(block, function.nodes, functionNode, nullptr))
    return error;
  return diffSubgraphs(block, function.nodes);
}

//===----------------------------------------------------------------------===//
// Exporter
//===----------------------------------------------------------------------===//

static void setMetadata(EditScript &script, const ModelIndex &index,
                        StringRef key, StringRef value) {
  Content entry = Content::literal(encodeEntryField(modelMetadata, key, value));
  for (const MetadataEntry &existing : index.metadata)
    if (existing.key == key) {
      script.insertBefore(existing.span, std::move(entry));
      script.erase(existing.span);
      return;
    }
  script.append(index.root(), std::move(entry));
}

llvm::Expected<ModelExporter>
ModelExporter::create(const ImportedModel &model,
                      const ExportOptions &options) {
  ModelExporter exporter(model);
  const ModelIndex &index = *model.index;
  BlockDiff diff(index, *exporter.script);
  // The importer makes the main graph first, then functions in their order.
  auto functions = model.module.get().getOps<func::FuncOp>().begin();
  if (llvm::Error error =
          diff.diffGraph(index.mainGraph(), (*functions).front()))
    return error;
  for (const FunctionIndex &function : index.functions)
    if (llvm::Error error = diff.diffFunction(function, (*++functions).front()))
      return error;
  for (const auto &[key, value] : options.metadata)
    setMetadata(*exporter.script, index, key, value);
  return exporter;
}

uint64_t ModelExporter::outputBytes() const { return script->layout().size; }

/// True if both files have the same bytes.
static llvm::Expected<bool> sameContent(const InputFile &a,
                                        const InputFile &b) {
  if (a.size() != b.size())
    return false;
  constexpr uint64_t block = 1 << 20;
  std::vector<char> x(block), y(block);
  for (uint64_t at = 0; at < a.size(); at += block) {
    uint64_t count = std::min(block, a.size() - at);
    MutableArrayRef<char> xs(x.data(), count), ys(y.data(), count);
    if (llvm::Error error = a.read(at, xs))
      return error;
    if (llvm::Error error = b.read(at, ys))
      return error;
    if (xs != ArrayRef<char>(ys))
      return false;
  }
  return true;
}

/// Puts a data file beside an output in another folder, under its own name.
static llvm::Error copyDataFile(StringRef location, const InputFile &source,
                                StringRef folder) {
  SmallString<128> target(folder);
  llvm::sys::path::append(target, location);
  if (llvm::sys::fs::exists(target)) {
    llvm::Expected<InputFileRef> existing = InputFile::open(target);
    if (!existing)
      return existing.takeError();
    if ((*existing)->identity() == source.identity())
      return llvm::Error::success();
    llvm::Expected<bool> same = sameContent(source, **existing);
    if (!same)
      return same.takeError();
    if (*same)
      return llvm::Error::success();
    return makeError(target + ": is there with other content; the output "
                              "needs external data of that name");
  }
  StringRef parent = llvm::sys::path::parent_path(target);
  if (std::error_code code = llvm::sys::fs::create_directories(parent))
    return makeError(parent + ": " + code.message());
  auto output = OutputFile::create(target, {source.identity()});
  if (!output)
    return output.takeError();
  // A hole at the end is not written.
  if (llvm::Error error = (*output)->resize(source.size()))
    return error;
  if (llvm::Error error = (*output)->copy(source, {0, source.size()}, 0))
    return error;
  return (*output)->commit();
}

llvm::Error ModelExporter::write(StringRef path,
                                 llvm::ThreadPoolInterface *pool,
                                 std::function<void(uint64_t)> progress) {
  const InputFileRef &input = model->index->file();
  auto dataFiles = model->external->files();
  OutputLayout layout = script->layout();
  if (layout.size > largestMessage && input->size() <= largestMessage)
    return makeError(path + ": would have " + Twine(layout.size) +
                     " bytes, more than the 2 GB that protobuf allows; lower "
                     "--max-growth or --max-result");
  if (path == "-" && !dataFiles.empty())
    return makeError("<stdout>: a model with external data cannot be written "
                     "to standard output");
  auto output = OutputFile::create(path, model->inputFiles());
  if (!output)
    return output.takeError();
  (*output)->onProgress(std::move(progress));
  std::string folder = folderOfModel(path);
  if (!llvm::sys::fs::equivalent(folder, folderOfModel(input->name())))
    for (const auto &[location, file] : dataFiles)
      if (llvm::Error error = copyDataFile(location, *file, folder))
        return error;
  if (llvm::Error error = script->write(**output, layout, pool))
    return error;
  if (llvm::Error error = input->checkUnchanged())
    return error;
  return (*output)->commit();
}
