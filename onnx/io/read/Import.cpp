//===- Import.cpp - A model file as MLIR ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/AttributeImport.h"
#include "onnxfold/onnx/io/read/ForeignFormat.h"
#include "onnxfold/onnx/io/read/GraphImport.h"
#include "onnxfold/onnx/io/read/internal/AmbiguousFunctions.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NearNames.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/GlobPattern.h"

using namespace onnxfold;
using namespace mlir;

/// A function without arguments and results, to be filled.
static func::FuncOp addFunction(ModuleOp module, StringRef symbol) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(builder, builder.getUnknownLoc(), symbol,
                                       builder.getFunctionType({}, {}));
  function.addEntryBlock();
  return function;
}

/// Ends the function with the values of these names and gives it its type.
static llvm::Error finishFunction(func::FuncOp function,
                                  GraphImporter &importer,
                                  ArrayRef<StringRef> outputs) {
  SmallVector<Value> values;
  if (llvm::Error error = importer.lookupAll(outputs, values))
    return error;
  OpBuilder &builder = importer.getBuilder();
  func::ReturnOp::create(builder, builder.getUnknownLoc(), values);
  function.setFunctionType(builder.getFunctionType(
      function.front().getArgumentTypes(), ValueRange(values).getTypes()));
  // All at once: each list of attributes lives as long as the context, and
  // some models have thousands of outputs.
  SmallVector<DictionaryAttr> attributes;
  for (StringRef name : outputs)
    attributes.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(nameAttrName, builder.getStringAttr(name))));
  function.setAllResultAttrs(attributes);
  return llvm::Error::success();
}

/// The attributes of an argument: the name of the graph input, and the names of
/// its dimensions if it has some.
static DictionaryAttr describeInput(MLIRContext *context, StringRef name,
                                    ArrayRef<std::string> dims) {
  Builder builder(context);
  SmallVector<NamedAttribute> attributes = {
      builder.getNamedAttr(nameAttrName, builder.getStringAttr(name))};
  if (!dims.empty()) {
    SmallVector<StringRef> names(dims.begin(), dims.end());
    attributes.push_back(
        builder.getNamedAttr(dimsAttrName, builder.getStrArrayAttr(names)));
  }
  return builder.getDictionaryAttr(attributes);
}

/// Before IR version 4 every initializer is listed as an input too, and none
/// may be overridden.
bool onnxfold::initializersMayBeOverridden(const ModelIndex &index) {
  return index.irVersion.value_or(0) >= 4;
}

bool onnxfold::isOpaqueInitializer(Operation *op) {
  Operator made = Operator::from(op);
  return made && made.domain() == "onnx-fold" && made.opType() == "NotConstant";
}

/// Names that graphs of training information read and do not define.
static llvm::Error collectTrainingReads(ImportState &state,
                                        llvm::SetVector<StringRef> &names,
                                        llvm::StringSet<> &storage) {
  NodeFields node;
  for (const TrainingInfo &info : state.index.trainingInfos)
    for (const GraphIndex *graph : {info.initialization, info.algorithm}) {
      if (!graph)
        continue;
      for (const MessageSpan &span : graph->nodes) {
        if (llvm::Error error = readNode(state.reader, state.index, span, node))
          return error;
        for (const NameField &input : node.inputs)
          names.insert(storage.insert(input.name).first->first());
      }
      for (const NamedSpan &output : graph->outputs)
        names.insert(output.name);
    }
  return llvm::Error::success();
}

static bool isMadeByNode(Value value) {
  Operation *maker = value.getDefiningOp();
  if (auto constant = dyn_cast_or_null<OnnxConstantOp>(maker))
    return constant.getNode().has_value();
  Operator op = Operator::from(maker);
  return op && op.node();
}

/// Adds a reader for values that must be kept although no node may read them:
/// those that graphs of training read, and parameters of annotations that nodes
/// make.
static llvm::Error addKeep(ImportState &state, GraphImporter &importer,
                           const NameScope &scope) {
  llvm::SetVector<StringRef> names;
  llvm::StringSet<> storage;
  if (llvm::Error error = collectTrainingReads(state, names, storage))
    return error;
  SmallVector<Value> values;
  for (StringRef name : names)
    if (Value value = scope.lookup(name))
      values.push_back(value);
  // Scales and zero points that are initializers the writer keeps by name.
  for (const GraphIndex &graph : state.index.graphs)
    for (const QuantizationAnnotation &annotation : graph.annotations)
      for (const TextEntry &parameter : annotation.parameters)
        if (Value value = scope.lookup(parameter.value);
            value && !names.contains(parameter.value) && isMadeByNode(value))
          values.push_back(value);
  if (!values.empty())
    Operator::createCustom(importer.getBuilder(),
                           importer.getBuilder().getUnknownLoc(),
                           {"onnx-fold", "Keep", /*since=*/1}, values, {});
  return llvm::Error::success();
}

llvm::StringSet<> onnxfold::initializerNames(const GraphIndex &graph) {
  llvm::StringSet<> names;
  for (const TensorIndex &tensor : graph.initializers)
    names.insert(tensor.name);
  for (const SparseTensorIndex &tensor : graph.sparseInitializers)
    names.insert(tensor.values.name);
  return names;
}

std::vector<std::string> onnxfold::overridableInputs(const ModelIndex &index) {
  std::vector<std::string> names;
  if (!initializersMayBeOverridden(index))
    return names;
  llvm::StringSet<> initializers = initializerNames(index.mainGraph());
  for (const NamedSpan &input : index.mainGraph().inputs)
    if (initializers.contains(input.name))
      names.push_back(input.name.str());
  return names;
}

/// The inputs whose initializers are their values: all before IR version 4,
/// then those that match a pattern.
static llvm::Expected<llvm::StringSet<>>
constantInputs(ImportState &state, ArrayRef<std::string> bound) {
  llvm::StringSet<> constants;
  if (!initializersMayBeOverridden(state.index))
    constants = initializerNames(state.index.mainGraph());
  std::vector<std::string> names = overridableInputs(state.index);
  SmallVector<StringRef> known(names.begin(), names.end());
  for (const std::string &text : bound) {
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(text);
    if (!glob)
      return badPattern(setting("bind"), text, glob.takeError());
    bool matches = text.empty(); // all, also if there are none
    if (matches)
      constants.insert(known.begin(), known.end());
    for (StringRef name : known)
      if (name == text || glob->match(name)) {
        constants.insert(name);
        matches = true;
      }
    if (!matches)
      return ModelFault()
          .file(state.fileName())
          .append(badOption(setting("bind"), text,
                            "NAME=VALUE, or the name of an input that has an "
                            "initializer" +
                                nearNames(known, text)));
  }
  return constants;
}

/// `constants`: inputs that are none in the IR.
static llvm::Error importMainGraph(ImportState &state, ModuleOp module,
                                   const llvm::StringSet<> &constants) {
  const GraphIndex &graph = state.index.mainGraph();
  func::FuncOp function = addFunction(module, mainGraphSymbol);
  Block &block = function.front();
  OpsetVersions opsets = opsetVersions(state.index.opsetImports);
  NameScope scope;
  GraphImporter importer(
      state, opsets, scope, &block,
      ModelFault("graph '" + printableName(graph.name) + "'"));
  SmallVector<std::pair<StringRef, SmallVector<std::string>>> arguments;
  for (const NamedSpan &input : graph.inputs) {
    if (constants.contains(input.name)) {
      importer.addInputType(input.span);
      continue;
    }
    std::string name;
    SmallVector<std::string> dims;
    Type type = GraphImporter::readType(state, input.span, name, dims);
    Value argument = block.addArgument(type, function.getLoc());
    if (!scope.define(input.name, argument))
      return ModelFault()
          .file(state.fileName())
          .input(input.name)
          .says("is defined twice");
    arguments.emplace_back(input.name, std::move(dims));
  }
  for (const MessageSpan &valueInfo : graph.valueInfos)
    importer.addValueType(valueInfo);
  SmallVector<StringRef> outputs;
  for (const NamedSpan &output : graph.outputs) {
    importer.addValueType(output.span);
    outputs.push_back(output.name);
  }
  if (llvm::Error error = importer.addInitializers(graph))
    return error;
  if (llvm::Error error = importer.addNodes(graph.nodes))
    return error;
  if (llvm::Error error = addKeep(state, importer, scope))
    return error;
  if (llvm::Error error = finishFunction(function, importer, outputs))
    return error;
  SmallVector<DictionaryAttr> attributes;
  for (const auto &[name, dims] : arguments)
    attributes.push_back(describeInput(&state.context, name, dims));
  function.setAllArgAttrs(attributes);
  return importer.addAnnotations(graph).takeError();
}

/// Values of parameters that a call may leave out. Graphs are none here: a call
/// that leaves one out is not understood.
static llvm::Error importDefaults(ImportState &state, func::FuncOp function,
                                  const FunctionIndex &index) {
  auto subject = [&] {
    return ModelFault("function '" + printableName(index.name) + "'");
  };
  AttributeSource source{state.reader, state.external, &state.context,
                         Subject(subject)};
  llvm::BumpPtrAllocator arena;
  NamedAttrList defaults;
  for (const MessageSpan &span : index.defaultAttributes) {
    AttributeFields fields;
    if (llvm::Error error =
            readAttribute(state.reader, state.index, span, arena, fields))
      return error;
    if (fields.name.empty() || !fields.graphs.empty() ||
        defaults.get(fields.name))
      continue;
    llvm::Expected<Attribute> value = importAttribute(source, fields);
    if (!value)
      return value.takeError();
    defaults.append(fields.name, *value);
  }
  if (!defaults.empty())
    function->setAttr(defaultsAttrName, defaults.getDictionary(&state.context));
  return llvm::Error::success();
}

static llvm::Error importFunction(ImportState &state, ModuleOp module,
                                  const FunctionIndex &index) {
  func::FuncOp function = addFunction(
      module, functionSymbol(index.domain, index.name, index.overload));
  Builder builder(&state.context);
  function->setAttr(nameAttrName, builder.getStringAttr(index.name));
  function->setAttr(domainAttrName, builder.getStringAttr(index.domain));
  if (!index.overload.empty())
    function->setAttr(overloadAttrName, builder.getStringAttr(index.overload));
  SmallVector<std::pair<StringRef, int64_t>> imports;
  for (const OpsetImport &import : index.opsetImports)
    imports.emplace_back(import.domain, import.version);
  setOpsetImports(function, imports);
  function.setPrivate();
  if (llvm::Error error = importDefaults(state, function, index))
    return error;

  Block &block = function.front();
  OpsetVersions opsets = opsetVersions(index.opsetImports);
  NameScope scope;
  GraphImporter importer(
      state, opsets, scope, &block,
      ModelFault("function '" + printableName(index.name) + "'"));
  // A function that names an input twice is never called (markAmbiguous).
  for (StringRef input : index.inputs)
    scope.define(input, block.addArgument(OnnxUnknownType::get(&state.context),
                                          function.getLoc()));
  for (const MessageSpan &valueInfo : index.valueInfos)
    importer.addValueType(valueInfo);
  if (llvm::Error error = importer.addNodes(index.nodes))
    return error;
  SmallVector<StringRef> outputs(index.outputs.begin(), index.outputs.end());
  if (llvm::Error error = finishFunction(function, importer, outputs))
    return error;
  SmallVector<DictionaryAttr> attributes;
  for (StringRef input : index.inputs)
    attributes.push_back(describeInput(&state.context, input, {}));
  function.setAllArgAttrs(attributes);
  return llvm::Error::success();
}

static void addModelAttributes(ModuleOp module, const ModelIndex &index) {
  Builder builder(module.getContext());
  if (index.irVersion)
    module->setAttr(irVersionAttrName,
                    builder.getI64IntegerAttr(*index.irVersion));
  SmallVector<std::pair<StringRef, int64_t>> imports;
  for (const OpsetImport &import : index.opsetImports)
    imports.emplace_back(import.domain, import.version);
  setOpsetImports(module, imports);
}

/// Without imports no node means anything (IR version 3 and later).
static llvm::Error checkImports(const ModelIndex &index) {
  if (!index.opsetImports.empty() || index.irVersion.value_or(3) < 3)
    return llvm::Error::success();
  return ModelFault()
      .file(index.file()->name())
      .has("no opset_import")
      .expected("one for each domain");
}

/// Everybody takes the last one, and the model is not as it was meant to be.
static void warnOfImports(ArrayRef<OpsetImport> imports, const Twine &where,
                          std::vector<std::string> &warnings) {
  OpsetVersions last = opsetVersions(imports);
  llvm::StringSet<> warned;
  for (const OpsetImport &import : imports) {
    StringRef domain = canonicalDomain(import.domain);
    if (int64_t version = last.lookup(domain);
        import.version != version && warned.insert(domain).second)
      warnings.push_back((where + ": imports opset " + Twine(import.version) +
                          " and opset " + Twine(version) + " of domain '" +
                          printableName(domain) + "'; the last one holds")
                             .str());
  }
}

/// Warns of versions that this build does not know. Nodes of such opsets are
/// kept; what a later IR version adds are fields that are copied.
static void checkVersions(const ModelIndex &index,
                          std::vector<std::string> &warnings) {
  constexpr int64_t latestIr = onnx::Version::IR_VERSION;
  if (index.irVersion && *index.irVersion > latestIr)
    warnings.push_back((index.file()->name() + ": IR version " +
                        Twine(*index.irVersion) + " is newer than " +
                        Twine(latestIr) +
                        ", the last one known here; what it adds is kept")
                           .str());
  warnOfImports(index.opsetImports, index.file()->name(), warnings);
  for (const FunctionIndex &function : index.functions)
    warnOfImports(function.opsetImports,
                  index.file()->name() + ": function '" +
                      printableName(function.name) + "'",
                  warnings);
  for (const OpsetImport &import : index.opsetImports) {
    int latest = latestOpset(import.domain);
    if (latest != 0 && import.version > latest)
      warnings.push_back(
          (index.file()->name() + ": opset " + Twine(import.version) +
           " of domain '" +
           printableName(import.domain.empty() ? "ai.onnx" : import.domain) +
           "' is newer than " + Twine(latest) +
           ", the last one known here; its nodes are kept")
              .str());
  }
}

SmallVector<FileIdentity> ImportedModel::inputFiles() const {
  SmallVector<FileIdentity> result = {index->file()->identity()};
  if (textFile)
    result.push_back(textFile->identity());
  for (const auto &[location, file] : external->files())
    result.push_back(file->identity());
  if (!mayReplaceEarlier)
    for (const InputFileRef &file : earlierFiles)
      result.push_back(file->identity());
  return result;
}

llvm::Error ImportedModel::checkUnchanged() const {
  for (const auto &[location, file] : external->files())
    if (llvm::Error error = file->checkUnchanged())
      return error;
  for (const InputFileRef &file : earlierFiles)
    if (llvm::Error error = file->checkUnchanged())
      return error;
  return index->file()->checkUnchanged();
}

static void noteNegativeSizes(const ImportState &state, ImportedModel &model) {
  unsigned count = state.numNegativeSizes;
  model.statesNegativeSizes = count != 0;
  if (count == 0)
    return;
  std::string text =
      (state.fileName() + ": the model says that " + state.negativeSize).str();
  if (count > 1)
    text += ", and so on " + std::to_string(count - 1) + " more times";
  model.warnings.push_back(text + "; a size below 0 is taken as unknown");
}

/// The index of the file, or of the binary form of a text.
static llvm::Error buildIndex(InputFileRef &file, ImportedModel &model) {
  llvm::Expected<std::unique_ptr<ModelIndex>> index = ModelIndex::build(file);
  if (!index) {
    llvm::Error error = index.takeError();
    llvm::Expected<std::optional<TextModel>> text = readTextModel(*file);
    if (!text) {
      llvm::consumeError(std::move(error));
      return text.takeError();
    }
    if (!*text)
      return error;
    llvm::consumeError(std::move(error));
    model.warnings.push_back((file->name() + ": is " + (*text)->format +
                              ", read as a model all the same; the output is "
                              "binary")
                                 .str());
    model.textFile = std::move(file);
    file = (*text)->binary;
    index = ModelIndex::build(file);
    if (!index)
      return index.takeError();
  }
  model.index = std::move(*index);
  return llvm::Error::success();
}

/// Opens the data files of initializers that are no constants (a caller may
/// give their values): an output must not replace these files either, and takes
/// them along. That some cannot be had is no error here.
static void openUnread(const ModelIndex &index, ExternalData &external) {
  for (const GraphIndex &graph : index.graphs) {
    auto open = [&](const TensorIndex &tensor) {
      if (!tensor.external)
        return;
      ExternalReference start;
      start.location = tensor.external->location;
      llvm::consumeError(external.resolve(start, 0, "").takeError());
    };
    for (const TensorIndex &tensor : graph.initializers)
      open(tensor);
    for (const SparseTensorIndex &tensor : graph.sparseInitializers) {
      open(tensor.values);
      open(tensor.indices);
    }
  }
}

llvm::Expected<ImportedModel>
onnxfold::importModel(InputFileRef file, MLIRContext &context,
                      ArrayRef<std::string> dataRoots, bool locations,
                      ArrayRef<std::string> bound) {
  auto external = ExternalData::ofModel(file->name(), dataRoots);
  return importModel(std::move(file), context, std::move(external), locations,
                     bound);
}

llvm::Expected<ImportedModel>
onnxfold::importModel(InputFileRef file, MLIRContext &context,
                      std::unique_ptr<ExternalData> external, bool locations,
                      ArrayRef<std::string> bound) {
  context.loadDialect<func::FuncDialect, OnnxDialect>();
  ImportedModel model;
  if (llvm::Error error = buildIndex(file, model))
    return error;
  if (llvm::Error error = checkImports(*model.index))
    return error;
  model.external = std::move(external);
  model.module = ModuleOp::create(UnknownLoc::get(&context));
  addModelAttributes(*model.module, *model.index);
  checkVersions(*model.index, model.warnings);
  ImportState state{
      *model.index, context, WireReader(file), *model.external, model.warnings,
      {},           {},      locations};
  for (const FunctionIndex &function : model.index->functions)
    if (!state.functions
             .insert(functionKey(canonicalDomain(function.domain),
                                 function.name, function.overload))
             .second)
      return ModelFault()
          .file(model.index->file()->name())
          .has("two functions '" + printableName(function.name) +
               "' of domain '" + printableName(function.domain) +
               "' and overload '" + printableName(function.overload) + "'")
          .expected("one");
  llvm::Expected<llvm::StringSet<>> constants = constantInputs(state, bound);
  if (!constants)
    return constants.takeError();
  if (llvm::Error error = importMainGraph(state, *model.module, *constants))
    return error;
  if (initializersMayBeOverridden(*model.index))
    model.bound = std::move(*constants);
  for (const FunctionIndex &function : model.index->functions)
    if (llvm::Error error = importFunction(state, *model.module, function))
      return error;
  if (llvm::Error error = state.reader.takeError())
    return error;
  markAmbiguous(*model.module, *model.index, model.warnings);
  if (state.anyConstant)
    (*model.module)->setAttr(anyConstantAttrName, UnitAttr::get(&context));
  if (model.index->hasNodeTexts())
    (*model.module)->setAttr(nodeTextsAttrName, UnitAttr::get(&context));
  noteNegativeSizes(state, model);
  model.hasCustomNodes = state.hasCustomNodes;
  openUnread(*model.index, *model.external);
  return model;
}

llvm::Expected<std::optional<std::string>>
onnxfold::readMetadata(const ModelIndex &index, StringRef key) {
  constexpr uint64_t most = 64 << 10;
  for (const MetadataEntry &entry : index.metadata) {
    if (entry.key != key)
      continue;
    std::string value(std::min(entry.value.size(), most), '\0');
    if (llvm::Error error = index.file()->read(entry.value.begin, value))
      return error;
    return value;
  }
  return std::nullopt;
}
