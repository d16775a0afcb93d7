//===- DriverPart.cpp - The script around the function of a graph ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/DriverPart.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// One call of driverPart.
class DriverPart {
public:
  DriverPart(const GraphExport &graph, const DmlOptions &options)
      : graph(graph), options(options), names(graph.names) {}

  Body build();

private:
  using Port = GraphExport::Port;

  void addParameters();
  Expr fileOf(const Port &port);
  void addInput(const Port &port, Expr file);
  void addInputs();
  void addOutput(const Port &port, Expr file);
  void addCall(Body &to, const std::vector<Expr> &arguments,
               const std::vector<Expr> &results) const;
  void addBlocks();
  void addOutputs();

  const GraphExport &graph;
  const DmlOptions &options;
  const bool hasFrames = usesFrames(graph, options);
  NameTable names;
  std::vector<Expr> arguments, results;
  Body body;
};

} // namespace

static bool hasBatch(const GraphExport::Port &port) {
  return !port.dims.empty() && port.dims.front() == batchDim;
}

static Statement scriptParameter(StringRef variable, StringRef name,
                                 Expr byDefault) {
  return Statement::assign(
      variable,
      call("ifdef", {Expr::name(("$" + name).str()), std::move(byDefault)}));
}

void DriverPart::addParameters() {
  body.push_back(Statement::line(
      "Parameters (-nvargs): files of inputs and outputs, format of outputs, "
      "folder of weights" +
      std::string(options.batch ? ", rows of a block." : ".")));
  body.push_back(scriptParameter("format", "format", Expr::text("binary")));
  if (hasFrames) {
    body.push_back(Statement::line(
        "TRUE: files of strings have words, not their numbers."));
    body.push_back(scriptParameter("frames", "frames", Expr::name("FALSE")));
  }
  if (!graph.weights.empty() || hasFrames)
    body.push_back(scriptParameter("weights", "weights",
                                   Expr::text(weightFolder(options))));
  if (options.batch)
    body.push_back(scriptParameter("batch", "batch", options.batch));
}

/// The variable that has the file of an input or output.
Expr DriverPart::fileOf(const Port &port) {
  std::string variable = names.make(port.name + "_file");
  body.push_back(
      scriptParameter(variable, port.name,
                      Expr::text(port.defaultFile.empty() ? port.name + ".bin"
                                                          : port.defaultFile)));
  return Expr::name(variable);
}

static Expr readOf(const Weight &weight, const DmlOptions &options) {
  bool isCsv = options.weights == WeightFormat::Csv;
  std::vector<Argument> arguments = {
      Expr::name("weights") + Expr::text("/" + weightFile(weight, options)),
      {"format", Expr::text(isCsv ? "csv" : "binary")},
      {"rows", weight.rows},
      {"cols", weight.columns}};
  if (isCsv) {
    arguments.push_back({"header", Expr::name("FALSE")});
    arguments.push_back({"sep", Expr::text(",")});
  } else {
    // Spark takes a file whose blocks have no known size for single cells.
    arguments.push_back({"rows_in_block", 1000});
    arguments.push_back({"cols_in_block", 1000});
  }
  return call("read", arguments);
}

/// Whether a file of text separated by tabs can have the word in a frame's
/// table of codes; SystemDS takes blanks from both ends.
static bool isPlainWord(StringRef word) {
  return !word.empty() && word.trim() == word && !word.contains('"') &&
         !word.contains("\u00b7") &&
         llvm::none_of(word, [](char c) { return uint8_t(c) < ' '; });
}

/// The port may have words in a file.
static bool hasFrame(const GraphExport::Port &port) {
  return !port.isEmpty && !port.words.empty() &&
         llvm::all_of(port.words, isPlainWord);
}

bool dml::usesFrames(const GraphExport &graph, const DmlOptions &options) {
  return !options.isLibrary && options.output != "-" &&
         (llvm::any_of(graph.inputs, hasFrame) ||
          llvm::any_of(graph.outputs, hasFrame));
}

/// Of the matrix of a port.
static int64_t columnsOf(const GraphExport::Port &port) {
  return port.dims.size() < 2
             ? 1
             : sizeOf(llvm::ArrayRef(port.dims).drop_front()).count;
}

/// transformapply() or transformdecode() of all columns, by the table of words.
static Expr transformed(StringRef function, Expr target, Expr words,
                        int64_t columns) {
  std::string spec = "{ids:true, recode:[";
  for (int64_t i = 1; i <= columns; ++i)
    spec += (i == 1 ? "" : ",") + std::to_string(i);
  return call(function, {{"target", std::move(target)},
                         {"spec", Expr::text(spec + "]}")},
                         {"meta", std::move(words)}});
}

static Expr readFrame(Expr file) {
  return call("read", {std::move(file), {"data_type", Expr::text("frame")}});
}

static Expr readWords(const GraphExport::Port &port) {
  return readFrame(Expr::name("weights") + Expr::text("/" + wordsFile(port)));
}

/// Words that the model does not know have the number -1.
void DriverPart::addInput(const Port &port, Expr file) {
  Expr read = call("read", {file});
  if (!hasFrames || !hasFrame(port)) {
    body.push_back(Statement::assign(port.name, read, port.text));
    return;
  }
  std::string frame = names.make(port.name + "_frame"),
              words = names.make(port.name + "_words");
  Body ofFrame = {
      Statement::assign(frame, readFrame(file)),
      Statement::assign(words, readWords(port)),
      Statement::assign(port.name,
                        transformed("transformapply", Expr::name(frame),
                                    Expr::name(words), columnsOf(port))),
      Statement::assign(port.name,
                        call("replace", {{"target", Expr::name(port.name)},
                                         {"pattern", Expr::name("NaN")},
                                         {"replacement", 0}}) -
                            1)};
  body.push_back(Statement::choose(
      Expr::name("frames"), std::move(ofFrame),
      {Statement::assign(
          port.name, call("read", {file, {"data_type", Expr::text("matrix")}}),
          port.text)}));
}

void DriverPart::addInputs() {
  for (const Port &port : graph.inputs) {
    if (port.isEmpty)
      continue;
    addInput(port, fileOf(port));
    if (options.batch && port.dims.size() == 1 && hasBatch(port))
      body.push_back(Statement::assign(
          port.name, matrix(Expr::name(port.name),
                            call("length", {Expr::name(port.name)}), 1)));
    arguments.push_back(Expr::name(port.name));
  }
  for (const Weight &weight : graph.weights) {
    body.push_back(Statement::assign(weight.name, readOf(weight, options)));
    arguments.push_back(Expr::name(weight.name));
  }
  for (const Port &port : graph.outputs)
    results.push_back(Expr::name(port.name));
}

void DriverPart::addCall(Body &to, const std::vector<Expr> &arguments,
                         const std::vector<Expr> &results) const {
  to.push_back(Statement::assign(
      results.size() == 1 ? results[0] : Expr::list(results),
      call(graph.functions.back().name,
           std::vector<Argument>(arguments.begin(), arguments.end()))));
}

//===----------------------------------------------------------------------===//
// Blocks of rows
//===----------------------------------------------------------------------===//

/// Of the matrix of a port, what belongs to samples first ... last.
static Expr samplesOf(const GraphExport::Port &port, Expr first, Expr last) {
  return Expr::name(port.name).slice(std::move(first), std::move(last), Expr(),
                                     Expr());
}

/// Calls the function for `batch` samples after the other.
void DriverPart::addBlocks() {
  auto fresh = [&](StringRef wanted) { return Expr::name(names.make(wanted)); };
  Expr count = fresh("samples"), block = fresh("block"), first = fresh("first"),
       last = fresh("last"), batch = Expr::name("batch");
  Body loop = {
      Statement::assign((*first).text, (block - 1) * batch + 1),
      Statement::assign((*last).text, call("min", {block * batch, count}))};
  auto isRead = [](const Port &port) { return !port.isEmpty; };
  bool isCounted = false;
  for (auto [port, argument] :
       llvm::zip(llvm::make_filter_range(graph.inputs, isRead), arguments)) {
    if (!hasBatch(port))
      continue;
    if (!isCounted)
      body.push_back(Statement::assign((*count).text,
                                       call("nrow", {Expr::name(port.name)})));
    isCounted = true;
    Expr part = fresh(port.name + "_block");
    loop.push_back(
        Statement::assign((*part).text, samplesOf(port, first, last)));
    argument = part;
  }
  std::vector<Expr> parts;
  for (const Port &port : graph.outputs) {
    parts.push_back(fresh(port.name + "_block"));
    Expr columns(sizeOf(llvm::ArrayRef(port.dims).drop_front()).count);
    body.push_back(Statement::assign(port.name, matrix(0, count, columns)));
  }
  addCall(loop, arguments, parts);
  for (auto [port, part] : llvm::zip(graph.outputs, parts))
    loop.push_back(Statement::assign(samplesOf(port, first, last), part));
  body.push_back(Statement::loop((*block).text, call("ceil", {count / batch}),
                                 std::move(loop)));
}

void DriverPart::addOutput(const Port &port, Expr file) {
  // SystemDS cannot write no rows as text.
  Expr format = port.isEmpty ? Expr::text("binary") : Expr::name("format");
  auto write = [&](StringRef name) {
    return Statement::run(
        call("write", {Expr::name(name), file, {"format", format}}));
  };
  if (!hasFrames || !hasFrame(port)) {
    body.push_back(write(port.name));
    return;
  }
  std::string frame = names.make(port.name + "_frame"),
              words = names.make(port.name + "_words");
  body.push_back(Statement::choose(
      Expr::name("frames"),
      {Statement::assign(words, readWords(port)),
       Statement::assign(
           frame, transformed("transformdecode", Expr::name(port.name) + 1,
                              Expr::name(words), columnsOf(port))),
       write(frame)},
      {write(port.name)}));
}

void DriverPart::addOutputs() {
  for (const Port &port : graph.outputs)
    addOutput(port, fileOf(port));
}

Body DriverPart::build() {
  addParameters();
  addInputs();
  if (options.batch)
    addBlocks();
  else
    addCall(body, arguments, results);
  addOutputs();
  return std::move(body);
}

Body dml::driverPart(const GraphExport &graph, const DmlOptions &options) {
  return DriverPart(graph, options).build();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string dml::weightFolder(const DmlOptions &options) {
  StringRef stem = llvm::sys::path::filename(options.output);
  stem.consume_back(".dml");
  return (stem + ".weights").str();
}

std::string dml::weightFile(const Weight &weight, const DmlOptions &options) {
  return weight.name + (options.weights == WeightFormat::Csv ? ".csv" : ".bin");
}

std::string dml::metadataText(const Weight &weight, const DmlOptions &options) {
  bool isCsv = options.weights == WeightFormat::Csv;
  llvm::json::Object all{{"data_type", "matrix"},
                         {"value_type", "double"},
                         {"rows", weight.rows},
                         {"cols", weight.columns},
                         {"format", isCsv ? "csv" : "binary"}};
  if (isCsv) {
    all["header"] = false;
    all["sep"] = ",";
  } else {
    // Spark takes a file whose blocks have no known size for single cells.
    all["rows_in_block"] = 1000;
    all["cols_in_block"] = 1000;
  }
  return llvm::formatv("{0}\n", llvm::json::Value(std::move(all))).str();
}

std::string dml::wordsFile(const GraphExport::Port &port) {
  return port.name + ".words.csv";
}

std::vector<CompanionFile> dml::wordFiles(const GraphExport &graph) {
  std::vector<CompanionFile> files;
  for (auto *ports : {&graph.inputs, &graph.outputs})
    for (const GraphExport::Port &port : *ports) {
      if (!hasFrame(port))
        continue;
      int64_t columns = columnsOf(port);
      std::string text;
      for (auto [i, word] : llvm::enumerate(port.words))
        for (int64_t column = 1; column <= columns; ++column)
          text += (llvm::Twine(word) + "\u00b7" + llvm::Twine(i + 1) +
                   (column < columns ? "\t" : "\n"))
                      .str();
      llvm::json::Object about{
          {"data_type", "frame"}, {"rows", int64_t(port.words.size())},
          {"cols", columns},      {"format", "csv"},
          {"header", false},      {"sep", "\t"}};
      files.push_back({wordsFile(port), std::move(text)});
      files.push_back(
          {wordsFile(port) + ".mtd",
           llvm::formatv("{0}\n", llvm::json::Value(std::move(about))).str()});
    }
  return files;
}

static llvm::json::Array portsAsJson(llvm::ArrayRef<GraphExport::Port> ports,
                                     StringRef batchName) {
  llvm::json::Array result;
  for (const GraphExport::Port &port : ports) {
    llvm::json::Array shape;
    for (int64_t d : port.modelDims())
      shape.push_back(d == batchDim
                          ? llvm::json::Value(llvm::json::fixUTF8(batchName))
                          : llvm::json::Value(d));
    llvm::json::Object one{{"name", llvm::json::fixUTF8(port.onnxName)},
                           {"parameter", port.name},
                           {"type", typeText(port.type)},
                           {"shape", std::move(shape)}};
    if (port.isUnread)
      one["unread"] = true;
    if (port.batchAxis != 0)
      one["batch_axis"] = port.batchAxis;
    if (!port.words.empty()) {
      llvm::json::Array words;
      for (const std::string &word : port.words)
        words.push_back(llvm::json::fixUTF8(word));
      one["words"] = std::move(words);
    }
    if (!port.defaultFile.empty())
      one["default"] = llvm::sys::path::filename(port.defaultFile).str();
    result.push_back(std::move(one));
  }
  return result;
}

std::string dml::interfaceText(const GraphExport &graph) {
  llvm::json::Value all = llvm::json::Object{
      {"inputs", portsAsJson(graph.inputs, graph.batchName)},
      {"outputs", portsAsJson(graph.outputs, graph.batchName)}};
  return llvm::formatv("{0:2}\n", all).str();
}
