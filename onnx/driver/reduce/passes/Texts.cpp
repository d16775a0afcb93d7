//===- Texts.cpp - Metadata, names and other texts ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

static void dropUnusedImports(ModelProto &model) {
  llvm::StringSet<> used;
  walkNodes(model, [&](NodeProto &node) {
    used.insert(node.domain() == "ai.onnx" ? "" : node.domain());
  });
  auto &imports = *model.mutable_opset_import();
  for (int i = imports.size(); i-- > 0;) {
    llvm::StringRef domain = imports.Get(i).domain();
    if (imports.size() > 1 && !used.contains(domain == "ai.onnx" ? "" : domain))
      imports.DeleteSubrange(i, 1);
  }
}

std::vector<Edit> onnxfold::proposeMetadata(const Base &base) {
  (void)base;
  auto changing = [](void (*change)(ModelProto &)) {
    return [=](Draft &draft) {
      change(draft.model);
      return true;
    };
  };
  return {
      changing([](ModelProto &model) {
        model.clear_doc_string();
        model.clear_metadata_props();
        model.clear_producer_name();
        model.clear_producer_version();
        model.clear_domain();
        model.clear_model_version();
      }),
      changing([](ModelProto &model) {
        walkGraphs(*model.mutable_graph(), [](GraphProto &graph) {
          graph.clear_doc_string();
          graph.clear_metadata_props();
          graph.clear_quantization_annotation();
          for (auto *infos : {graph.mutable_input(), graph.mutable_output()})
            for (onnx::ValueInfoProto &info : *infos) {
              info.clear_doc_string();
              info.clear_metadata_props();
            }
        });
        walkTensors(model, [](onnx::TensorProto &tensor) {
          tensor.clear_doc_string();
          tensor.clear_metadata_props();
        });
      }),
      changing([](ModelProto &model) {
        walkNodes(model, [](NodeProto &node) {
          node.clear_doc_string();
          node.clear_metadata_props();
          for (auto &attribute : *node.mutable_attribute())
            attribute.clear_doc_string();
        });
        for (auto &function : *model.mutable_functions()) {
          function.clear_doc_string();
          function.clear_metadata_props();
        }
      }),
      changing([](ModelProto &model) {
        walkGraphs(*model.mutable_graph(),
                   [](GraphProto &graph) { graph.clear_value_info(); });
      }),
      changing([](ModelProto &model) {
        model.clear_training_info();
        model.clear_configuration();
        walkNodes(model,
                  [](NodeProto &node) { node.clear_device_configurations(); });
      }),
      changing(dropUnusedImports),
      changing([](ModelProto &model) {
        walkNodes(model, [](NodeProto &node) { node.clear_name(); });
      }),
  };
}

std::vector<Edit> onnxfold::proposeOpsets(const Base &base) {
  // A newer version of the format holds what an older one does.
  std::vector<Edit> edits;
  if (base.candidate.model.ir_version() < 8)
    edits.push_back([](Draft &draft) {
      auto &graph = *draft.model.mutable_graph();
      draft.model.set_ir_version(8);
      llvm::StringSet<> constants;
      for (const auto &tensor : graph.initializer())
        constants.insert(tensor.name());
      for (int i = graph.input_size(); i-- > 0;)
        if (constants.contains(graph.input(i).name()))
          graph.mutable_input()->DeleteSubrange(i, 1);
      return true;
    });
  return edits;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// A name that this pass made: a letter and a number.
static bool isShort(llvm::StringRef name) {
  return name.size() >= 2 && name.size() <= 6 && llvm::isLower(name[0]) &&
         llvm::all_of(name.drop_front(), llvm::isDigit);
}

static bool renameValue(Draft &draft, const std::string &from, char letter) {
  GraphProto &graph = *draft.model.mutable_graph();
  std::string to;
  for (unsigned i = 0;; ++i) {
    to = letter + std::to_string(i);
    if (!draft.hasName(to))
      break;
  }
  draft.freshName(to);
  draft.oldNames[to] = from;
  replaceUses(graph, from, to);
  for (auto &input : *graph.mutable_input())
    if (input.name() == from)
      input.set_name(to);
  for (auto &tensor : *graph.mutable_initializer())
    if (tensor.name() == from)
      tensor.set_name(to);
  for (auto &info : *graph.mutable_value_info())
    if (info.name() == from)
      info.set_name(to);
  for (NodeProto &node : *graph.mutable_node())
    for (std::string &name : *node.mutable_output())
      if (name == from)
        name = to;
  if (auto value = draft.inputs.extract(from)) {
    value.key() = to;
    draft.inputs.insert(std::move(value));
  }
  return true;
}

std::vector<Edit> onnxfold::proposeNames(const Base &base) {
  std::vector<Edit> edits;
  const GraphProto &graph = base.candidate.model.graph();
  llvm::StringSet<> seen;
  auto add = [&](const std::string &name, char letter) {
    if (!name.empty() && !isShort(name) && seen.insert(name).second)
      edits.push_back([name, letter](Draft &draft) {
        return renameValue(draft, name, letter);
      });
  };
  for (const auto &input : graph.input())
    add(input.name(), 'x');
  for (const auto &tensor : graph.initializer())
    add(tensor.name(), 'w');
  for (const auto &output : graph.output())
    add(output.name(), 'y');
  for (const NodeProto &node : graph.node())
    for (const std::string &name : node.output())
      add(name, 'v');
  return edits;
}

//===----------------------------------------------------------------------===//
// For publication
//===----------------------------------------------------------------------===//

/// Names of functions, and of the domains that are the model's own.
static bool renameFunctions(Draft &draft) {
  std::map<std::pair<std::string, std::string>, std::string> names;
  for (auto &function : *draft.model.mutable_functions()) {
    std::string name = "f" + std::to_string(names.size());
    names[{function.domain(), function.name()}] = name;
    function.set_name(name);
  }
  for (NodeProto *node : draft.nodes)
    if (auto found = names.find({node->domain(), node->op_type()});
        found != names.end())
      node->set_op_type(found->second);
  return !names.empty();
}

static bool renameDimensions(Draft &draft) {
  std::map<std::string, std::string> names;
  auto rename = [&](onnx::ValueInfoProto &info) {
    if (!info.type().has_tensor_type() ||
        !info.type().tensor_type().has_shape())
      return;
    for (auto &dim : *info.mutable_type()
                          ->mutable_tensor_type()
                          ->mutable_shape()
                          ->mutable_dim())
      if (!dim.dim_param().empty())
        dim.set_dim_param(names
                              .try_emplace(dim.dim_param(),
                                           "d" + std::to_string(names.size()))
                              .first->second);
  };
  GraphProto &graph = *draft.model.mutable_graph();
  for (auto *infos : {graph.mutable_input(), graph.mutable_output(),
                      graph.mutable_value_info()})
    for (auto &info : *infos)
      rename(info);
  return !names.empty();
}

static bool renameGraphs(Draft &draft) {
  walkGraphs(*draft.model.mutable_graph(),
             [](GraphProto &graph) { graph.set_name("g"); });
  return true;
}

/// "a", "b" ... in constants and attributes of a node.
static std::string letters(size_t number) {
  std::string text(1, char('a' + number % 26));
  return number < 26 ? text : letters(number / 26 - 1) + text;
}

static bool replaceTexts(Draft &draft) {
  std::map<std::string, std::string> names;
  auto replacement = [&](const std::string &text) {
    return names.try_emplace(text, letters(names.size())).first->second;
  };
  walkTensors(draft.model, [&](onnx::TensorProto &tensor) {
    for (std::string &text : *tensor.mutable_string_data())
      text = replacement(text);
  });
  for (auto &[name, value] : draft.inputs)
    if (value.type() == DataType::String) {
      onnx::TensorProto tensor = toTensor(value, name);
      std::vector<std::string> texts;
      for (const std::string &text : tensor.string_data())
        texts.push_back(replacement(text));
      value = Elements::fromStrings(
          value.shape(),
          std::vector<llvm::StringRef>(texts.begin(), texts.end()));
    }
  return !names.empty();
}

std::vector<Edit> onnxfold::proposePublicTexts(const Base &base) {
  std::vector<Edit> edits = {renameFunctions, renameDimensions, renameGraphs,
                             replaceTexts};
  Draft draft(base);
  for (int i = 0; i != int(draft.nodes.size()); ++i)
    for (const auto &attribute : draft.nodes[i]->attribute())
      if (attribute.strings_size() != 0)
        edits.push_back([i, name = attribute.name()](Draft &draft) {
          for (auto &attribute : *draft.nodes[i]->mutable_attribute()) {
            size_t number = 0;
            for (std::string &text : *attribute.mutable_strings())
              if (attribute.name() == name)
                text = letters(number++);
          }
          return true;
        });
  return edits;
}

std::vector<std::string>
onnxfold::remainingTexts(const onnx::ModelProto &model) {
  std::vector<std::string> texts;
  auto add = [&](const std::string &text) {
    constexpr size_t longest = 2; // "a", "ab": texts of our own
    if (text.size() > longest && !isShort(text))
      texts.push_back(text);
  };
  llvm::StringSet<> names = valueNames(model);
  for (const auto &name : names)
    add(name.first().str());
  auto &mutableModel = const_cast<ModelProto &>(model);
  walkNodes(mutableModel, [&](NodeProto &node) { add(node.name()); });
  walkTensors(mutableModel, [&](onnx::TensorProto &tensor) {
    for (const std::string &text : tensor.string_data())
      add(text);
  });
  for (const auto &entry : model.metadata_props())
    add(entry.key());
  add(model.graph().name());
  add(model.doc_string());
  llvm::sort(texts);
  return texts;
}
