//===- ReportPage.cpp - A report as a page to look at ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/ReportPage.h"
#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/driver/emit/internal/TextFile.h"
#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "onnxfold/onnx/folding/JsonText.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The page
//===----------------------------------------------------------------------===//

// The page up to the report, and from there on.
static const unsigned char pageHead[] = {
#include "onnxfold/onnx/driver/PageHead.inc"
};
static const unsigned char pageTail[] = {
#include "onnxfold/onnx/driver/PageTail.inc"
};

namespace {
/// Writes '<' as \u003c. In JSON it stands in texts only; without it nothing in
/// a page ends the element that holds the JSON.
class WithoutMarkup : public llvm::raw_ostream {
public:
  explicit WithoutMarkup(llvm::raw_ostream &out) : out(out) {
    SetBufferSize(1 << 16);
  }
  ~WithoutMarkup() override { flush(); }

private:
  void write_impl(const char *bytes, size_t count) override {
    StringRef text(bytes, count);
    while (!text.empty()) {
      size_t plain = std::min(text.find('<'), text.size());
      out << text.take_front(plain);
      text = text.drop_front(plain);
      if (text.consume_front("<"))
        out << "\\u003c";
    }
    position += count;
  }
  uint64_t current_pos() const override { return position; }

  llvm::raw_ostream &out;
  uint64_t position = 0;
};
} // namespace

static StringRef textOf(llvm::ArrayRef<unsigned char> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

void onnxfold::printPage(
    llvm::raw_ostream &out,
    llvm::function_ref<void(llvm::raw_ostream &)> printJson) {
  out << textOf(pageHead);
  {
    WithoutMarkup json(out);
    printJson(json);
  }
  out << textOf(pageTail);
}

//===----------------------------------------------------------------------===//
// Model Explorer
//===----------------------------------------------------------------------===//

namespace {
/// The facts about a node that Model Explorer gets.
struct ExplorerNode {
  StringRef graph, name, output, action, code, text;
  int64_t bytes;
};
} // namespace

/// Told apart by most who do not see all colours (Okabe and Ito).
static StringRef colourOf(StringRef action) {
  return llvm::StringSwitch<StringRef>(action)
      .Case("folded", "#009e73")
      .Case("removed", "#d55e00")
      .Case("changed", "#e69f00")
      .Case("added", "#56b4e9")
      .Default("#bbbbbb");
}

/// Keys are names of nodes; where a node has none, that of its first output,
/// as Model Explorer's ONNX adapter looks for either. `titles`: names that
/// graphs have there.
static void printExplorer(llvm::raw_ostream &out,
                          llvm::ArrayRef<ExplorerNode> nodes,
                          const llvm::StringMap<std::string> &titles) {
  llvm::json::OStream json(out, /*IndentSize=*/1);
  llvm::MapVector<StringRef, std::vector<const ExplorerNode *>> graphs;
  for (const ExplorerNode &node : nodes)
    graphs[node.graph].push_back(&node);
  auto titleOf = [&](StringRef graph) {
    auto it = titles.find(graph);
    return llvm::json::fixUTF8(it == titles.end() ? graph
                                                  : StringRef(it->second));
  };
  json.object([&] {
    for (const auto &entry : graphs)
      json.attributeObject(titleOf(entry.first), [&] {
        json.attributeObject("results", [&] {
          llvm::StringSet<> done; // keys are unique
          for (const ExplorerNode *node : entry.second) {
            std::string key = llvm::json::fixUTF8(
                node->name.empty() ? node->output : node->name);
            if (key.empty() || !done.insert(key).second)
              continue;
            std::string value = node->action.str();
            if (node->action == "kept" && node->code != "none")
              value += (": " + node->code).str();
            if (node->bytes > 0)
              value += " (" + std::to_string(node->bytes) + " bytes)";
            json.attributeObject(key, [&] {
              json.attribute("value", value);
              json.attribute("bgColor", colourOf(node->action));
            });
          }
        });
      });
  });
  out << "\n";
}

void onnxfold::printModelExplorer(llvm::raw_ostream &out,
                                  const FoldReport &report) {
  std::vector<ExplorerNode> nodes;
  for (const FoldReport::Node &node : report.nodes)
    nodes.push_back({node.graph, node.name,
                     node.outputs.empty() ? "" : node.outputs.front(),
                     nameOfAction(node), nameOf(node.code), node.reason,
                     node.bytes});
  llvm::StringMap<std::string> titles;
  for (const FoldReport::Graph &graph : report.graphs)
    if (!graph.title.empty())
      titles[graph.name] = graph.title.str();
  printExplorer(out, nodes, titles);
}

//===----------------------------------------------------------------------===//
// Reports that were saved
//===----------------------------------------------------------------------===//

/// The nodes of a report; nothing if that is no report with nodes.
static std::optional<std::vector<ExplorerNode>>
savedNodes(const llvm::json::Object &report) {
  const llvm::json::Array *list = report.getArray("nodes");
  if (!list || !report.getInteger("version"))
    return std::nullopt;
  std::vector<ExplorerNode> nodes;
  for (const llvm::json::Value &value : *list) {
    const llvm::json::Object *node = value.getAsObject();
    const llvm::json::Object *reason =
        node ? node->getObject("reason") : nullptr;
    const llvm::json::Array *outputs =
        node ? node->getArray("outputs") : nullptr;
    if (!reason || !outputs)
      return std::nullopt;
    StringRef output;
    if (!outputs->empty())
      output = outputs->front().getAsString().value_or("");
    nodes.push_back({node->getString("graph").value_or(""),
                     node->getString("name").value_or(""), output,
                     node->getString("action").value_or(""),
                     reason->getString("code").value_or(""),
                     reason->getString("text").value_or(""),
                     node->getInteger("bytes").value_or(0)});
  }
  return nodes;
}

static llvm::StringMap<std::string>
savedTitles(const llvm::json::Object &report) {
  llvm::StringMap<std::string> titles;
  if (const llvm::json::Array *graphs = report.getArray("graphs"))
    for (const llvm::json::Value &value : *graphs)
      if (const llvm::json::Object *graph = value.getAsObject())
        if (auto title = graph->getString("title"))
          titles[graph->getString("name").value_or("")] = title->str();
  return titles;
}

llvm::Error onnxfold::showReport(StringRef input, ReportFormat format,
                                 StringRef file) {
  StringRef name = input == "-" ? "<stdin>" : input;
  // Volatile: read and not mapped, so that nobody can cut it under us.
  auto text = input == "-"
                  ? llvm::MemoryBuffer::getSTDIN()
                  : llvm::MemoryBuffer::getFile(input, /*IsText=*/false,
                                                /*RequiresNullTerminator=*/true,
                                                /*IsVolatile=*/true);
  if (!text)
    return ModelFault().file(name).says("cannot be read: " +
                                        text.getError().message());
  llvm::Expected<llvm::json::Value> value = parseJson((*text)->getBuffer());
  if (!value)
    return ModelFault().file(name).says("is no JSON: " +
                                        llvm::toString(value.takeError()));
  llvm::json::Object *report = value->getAsObject();
  // A line of --messages=json is taken too.
  if (report && report->getObject("report"))
    report = report->getObject("report");
  std::optional<std::vector<ExplorerNode>> nodes;
  if (report)
    nodes = savedNodes(*report);
  // Statistics have a page, and no outcomes of nodes.
  bool isStats = report && report->getString("kind") == "stats" &&
                 report->getArray("operators");
  if (isStats && format != ReportFormat::ModelExplorer)
    nodes.emplace();
  if (!nodes)
    return ModelFault()
        .file(name)
        .says("is not a report of onnx-fold")
        .expected("one of --report=json");
  auto opened = OutputFile::create(file, {});
  if (!opened)
    return opened.takeError();
  TextFile out(**opened);
  if (format == ReportFormat::ModelExplorer)
    printExplorer(out, *nodes, savedTitles(*report));
  else
    printPage(out, [&](llvm::raw_ostream &page) {
      page << llvm::json::Value(std::move(*report));
    });
  return out.commit();
}
