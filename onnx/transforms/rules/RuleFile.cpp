//===- RuleFile.cpp - The text of a file of rules -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/transforms/rules/RuleMatch.h"
#include "onnxfold/onnx/transforms/rules/internal/RuleReading.h"
#include "onnx/defs/parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Places in the text
//===----------------------------------------------------------------------===//

std::pair<unsigned, unsigned> RuleText::position(size_t offset) const {
  StringRef before = text.take_front(offset);
  size_t start = before.rfind('\n');
  return {unsigned(before.count('\n') + 1),
          unsigned(offset - (start == StringRef::npos ? -1 : start))};
}

void RuleText::fail(unsigned atLine, unsigned atColumn,
                    const llvm::Twine &what) {
  if (hasFailed())
    return;
  problem = what.str();
  line = atLine;
  column = atColumn;
}

void RuleText::fail(size_t offset, const llvm::Twine &what) {
  auto place = position(offset);
  fail(place.first, place.second, what);
}

size_t RuleText::placeOf(const FunctionText &function, StringRef name) const {
  StringRef part = text.slice(function.begin, function.end);
  size_t body = part.find('{');
  size_t from = body == StringRef::npos ? 0 : body;
  auto isWord = [&](size_t i) {
    return i < part.size() && (llvm::isAlnum(part[i]) || part[i] == '_');
  };
  for (size_t at = part.find(name, from);
       at != StringRef::npos && !name.empty(); at = part.find(name, at + 1))
    if ((at == 0 || !isWord(at - 1)) && !isWord(at + name.size()) &&
        part.drop_front(at + name.size()).ltrim().starts_with("="))
      return function.begin + at;
  return function.begin;
}

llvm::Error RuleText::takeError() const {
  if (!hasFailed())
    return llvm::Error::success();
  return ModelFault()
      .file(file)
      .context("line " + llvm::Twine(line) + ", column " + llvm::Twine(column))
      .says(problem);
}

namespace {

/// ONNX's parser, and where it is.
class Parser : public onnx::OnnxParser {
public:
  using OnnxParser::OnnxParser;
  size_t place() const { return pos_; }
};

} // namespace

/// How many brackets are open at once: the parser descends for each.
static unsigned deepestBracket(StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isString || c == '"') {
      i += isString && c == '\\';
      isString ^= c == '"';
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (StringRef("{[(").contains(c)) {
      deepest = std::max(deepest, ++depth);
    } else if (depth && StringRef("}])").contains(c)) {
      --depth;
    }
  }
  return deepest;
}

/// What the parser does not say to people who write their first rule; or "".
static std::string hintAt(StringRef text, unsigned line, unsigned column) {
  column = std::max(column, 1u);
  for (; line > 1; --line)
    text = text.split('\n').second;
  text = text.split('\n').first;
  StringRef before = text.take_front(column - 1),
            after = text.substr(column - 1);
  if (after.ltrim().starts_with("//"))
    return " (a comment begins with '#')";
  // <axis = axis>, where the second has no sign.
  size_t begin = before.size();
  while (begin > 0 &&
         (llvm::isAlnum(before[begin - 1]) || before[begin - 1] == '_'))
    --begin;
  StringRef word = before.substr(begin), stem = before.take_front(begin);
  if (word.empty() || llvm::isDigit(word[0]) || !stem.contains('<') ||
      !stem.rtrim().ends_with("="))
    return "";
  return (" (an attribute of the rule is '@" + word + "', a text '\"" + word +
          "\"')")
      .str();
}

/// "[ParseError at position (line: 3 column: 5)]\nError context: ...\nwhat".
static void failAsParser(RuleText &text, StringRef message) {
  unsigned line = 1, column = 1;
  StringRef place = message.split("(line: ").second;
  place.consumeInteger(10, line);
  place.consume_front(" column: ");
  place.consumeInteger(10, column);
  text.fail(
      line, column,
      "no rule in ONNX's text: " + message.rsplit('\n').second.rtrim(". ") +
          hintAt(text.text, line, column));
}

static void parseFunctions(RuleText &text, std::vector<FunctionText> &all) {
  constexpr unsigned deepest = 100;
  if (deepestBracket(text.text) > deepest)
    return text.fail(size_t(0), "more than " + llvm::Twine(deepest) +
                                    " brackets are open at once");
  Parser parser(std::string_view(text.text.data(), text.text.size()));
  try { // the parser throws for some numbers
    while (!text.hasFailed() && !parser.EndOfInput()) {
      FunctionText &next = all.emplace_back();
      next.begin = parser.place();
      onnx::Common::Status status = parser.Parse(next.proto);
      if (!status.IsOK())
        return failAsParser(text, status.ErrorMessage());
      next.end = parser.place();
    }
  } catch (const std::exception &error) {
    text.fail(parser.place(),
              llvm::Twine("a number that does not fit (") + error.what() + ")");
  }
}

llvm::Error RuleSet::add(StringRef bytes, StringRef file) {
  RuleText text(bytes, file);
  std::vector<FunctionText> functions;
  parseFunctions(text, functions);
  std::vector<std::unique_ptr<RewriteRule>> added;
  for (const FunctionText &function : functions) {
    if (text.hasFailed())
      break;
    added.push_back(readRule(function, text, context));
    if (text.hasFailed())
      break;
    const RewriteRule &rule = *added.back();
    auto isNamesake = [&](const std::unique_ptr<RewriteRule> &other) {
      return other.get() != &rule && other->name == rule.name &&
             other->overload == rule.overload;
    };
    if (llvm::any_of(added, isNamesake) || llvm::any_of(all, isNamesake))
      text.fail(function.begin, "another rule is called '" + rule.name + "'");
  }
  if (functions.empty())
    text.fail(size_t(0), "the file has no rules");
  if (text.hasFailed())
    return text.takeError();
  for (std::unique_ptr<RewriteRule> &rule : added) {
    bool makesNodes = rule->values[rule->replacement].node >= 0;
    CleanUpPattern &pattern = found.emplace_back();
    pattern.name = rule->name;
    pattern.algebra = rule->algebra;
    pattern.roots = rule->roots;
    pattern.level = rule->level;
    pattern.makesNodes = makesNodes;
    pattern.rule = rule.get();
    pattern.matchRule = matchRule;
    for (unsigned i = 0; i < rule->patterns.size(); ++i)
      rule->glances.push_back(glanceOf(*rule, i));
    all.push_back(std::move(rule));
  }
  return llvm::Error::success();
}
