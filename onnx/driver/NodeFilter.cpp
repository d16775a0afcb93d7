//===- NodeFilter.cpp - --only and --skip ---------------------------------===//

#include "onnxfold/onnx/driver/NodeFilter.h"
#include "onnxfold/onnx/ir/Operator.h"

using namespace onnxfold;
using namespace mlir;

std::string onnxfold::pathOf(Operation *op) {
  std::string path;
  for (; Operator node = Operator::from(op); op = op->getParentOp()) {
    llvm::StringRef name = node.nodeName();
    if (name.empty() && node.numOutputs() != 0)
      name = node.outputName(0);
    path = path.empty() ? name.str() : (name + "/" + path).str();
  }
  return path;
}

bool NodeFilter::Pattern::matches(Operation *op) const {
  Operator node = Operator::from(op);
  switch (subject) {
  case Subject::Path:
    return glob.match(pathOf(op));
  case Subject::Op:
    return glob.match(node.opType());
  case Subject::Domain:
    return glob.match(node.domain().empty() ? "ai.onnx" : node.domain()) ||
           glob.match(node.domain());
  }
  return false;
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
      return llvm::createStringError(flag + " is '" + text +
                                     "': " + llvm::toString(glob.takeError()));
    patterns.push_back({subject, text.str(), std::move(*glob)});
  }
  return patterns;
}

llvm::Expected<NodeFilter>
NodeFilter::create(llvm::ArrayRef<std::string> only,
                   llvm::ArrayRef<std::string> skip) {
  NodeFilter filter;
  auto onlyPatterns = parse("--only", only);
  if (!onlyPatterns)
    return onlyPatterns.takeError();
  auto skipPatterns = parse("--skip", skip);
  if (!skipPatterns)
    return skipPatterns.takeError();
  filter.only = std::move(*onlyPatterns);
  filter.skip = std::move(*skipPatterns);
  return filter;
}

Reason NodeFilter::operator()(Operation *op) const {
  if (!Operator::from(op))
    return {};
  for (const Pattern &pattern : skip)
    if (pattern.matches(op))
      return notFolded(ReasonCode::Filtered, "--skip=" + pattern.text);
  if (only.empty() || llvm::any_of(only, [&](const Pattern &pattern) {
        return pattern.matches(op);
      }))
    return {};
  return notFolded(ReasonCode::Filtered, "no --only matches");
}
