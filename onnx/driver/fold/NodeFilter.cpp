//===- NodeFilter.cpp - --only and --skip ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/NodeFilter.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NearNames.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

std::string onnxfold::pathOf(Operation *op) {
  std::string path;
  for (; Operator node = Operator::from(op); op = op->getParentOp()) {
    llvm::StringRef name = nodeLabel(node);
    path = path.empty() ? name.str() : (name + "/" + path).str();
  }
  return path;
}

/// The text that the glob is compared with.
std::string NodeFilter::Pattern::subjectOf(Operation *op) const {
  Operator node = Operator::from(op);
  switch (subject) {
  case Subject::Path:
    return pathOf(op);
  case Subject::Op:
    return node.opType().str();
  case Subject::Domain:
    return node.domain().empty() ? "ai.onnx" : node.domain().str();
  }
  return "";
}

bool NodeFilter::Pattern::matches(Operation *op) const {
  return glob.match(subjectOf(op)) || (subject == Subject::Domain &&
                                       glob.match(Operator::from(op).domain()));
}

llvm::Expected<std::vector<NodeFilter::Pattern>>
NodeFilter::parse(llvm::StringRef flag, llvm::ArrayRef<std::string> texts) {
  std::vector<Pattern> patterns;
  for (llvm::StringRef text : texts) {
    llvm::StringRef rest = text;
    Subject subject = rest.consume_front("op:")       ? Subject::Op
                      : rest.consume_front("domain:") ? Subject::Domain
                                                      : Subject::Path;
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(rest);
    if (!glob)
      return badPattern(flag, text, glob.takeError());
    patterns.push_back({subject, text.str(), std::move(*glob)});
  }
  return patterns;
}

llvm::Expected<NodeFilter>
NodeFilter::create(llvm::ArrayRef<std::string> only,
                   llvm::ArrayRef<std::string> skip) {
  NodeFilter filter;
  auto onlyPatterns = parse(setting("only"), only);
  if (!onlyPatterns)
    return onlyPatterns.takeError();
  auto skipPatterns = parse(setting("skip"), skip);
  if (!skipPatterns)
    return skipPatterns.takeError();
  filter.only = std::move(*onlyPatterns);
  filter.skip = std::move(*skipPatterns);
  return filter;
}

llvm::Expected<NodeFilter>
NodeFilter::createSkip(llvm::StringRef option,
                       llvm::ArrayRef<std::string> skip) {
  NodeFilter filter;
  filter.skipOption = option.str();
  if (llvm::Error error = parse(setting(option), skip).moveInto(filter.skip))
    return error;
  return filter;
}

Reason NodeFilter::operator()(Operation *op) const {
  if (!Operator::from(op))
    return {};
  for (const Pattern &pattern : skip)
    if (pattern.matches(op))
      return notFolded(ReasonCode::Filtered, setting(skipOption, pattern.text));
  if (only.empty() || llvm::any_of(only, [&](const Pattern &pattern) {
        return pattern.matches(op);
      }))
    return {};
  return notFolded(ReasonCode::Filtered, "no " + setting("only") + " matches");
}

/// The nodes of the file, and the outputs of its Constant nodes, which no
/// pattern selects: they go when nothing reads them.
static SmallVector<Operation *> nodesOf(Operation *module,
                                        SmallVector<StringRef> &constants) {
  SmallVector<Operation *> nodes;
  module->walk([&](Operation *op) {
    if (auto constant = dyn_cast<OnnxConstantOp>(op);
        constant && constant.getNode())
      constants.push_back(valueName(constant));
    else if (Operator node = Operator::from(op); node && node.node())
      nodes.push_back(op);
  });
  return nodes;
}

std::string NodeFilter::Pattern::whyIdle(ArrayRef<Operation *> nodes,
                                         ArrayRef<StringRef> constants) const {
  if (llvm::any_of(nodes, [&](Operation *op) { return matches(op); }))
    return "";
  bool isConstant =
      subject == Subject::Path
          ? llvm::any_of(constants,
                         [&](StringRef name) { return glob.match(name); })
          : subject == Subject::Op && !constants.empty() &&
                glob.match("Constant");
  if (isConstant)
    return "matches only Constant nodes, which go when nothing reads them";
  std::vector<std::string> subjects;
  for (Operation *op : nodes)
    subjects.push_back(subjectOf(op));
  StringRef wanted = text;
  if (subject != Subject::Path)
    wanted = wanted.split(':').second;
  return "matches no node" +
         nearNames(SmallVector<StringRef>(subjects.begin(), subjects.end()),
                   wanted);
}

std::vector<std::string> NodeFilter::idle(Operation *module) const {
  SmallVector<StringRef> constants;
  SmallVector<Operation *> nodes = nodesOf(module, constants);
  std::vector<std::string> texts;
  auto add = [&](StringRef name, const std::vector<Pattern> &patterns) {
    for (const Pattern &pattern : patterns)
      if (std::string why = pattern.whyIdle(nodes, constants); !why.empty())
        texts.push_back(setting(name, pattern.text) + ": " + why);
  };
  add("only", only);
  add(skipOption, skip);
  return texts;
}
