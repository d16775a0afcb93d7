//===- RuleTables.cpp - Compiles rules into tables ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   rule-tables rewrites.rules Rewrites.inc
//
// Writes a struct for each name of the rules: its algebra, the operators that
// it begins with, its level, the bytes of its rules and the glances at them. An
// output that stays the same is not written, so that nothing is compiled again.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/transforms/rules/RuleBytes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

using Family = std::vector<const RewriteRule *>;

static std::string identifierOf(StringRef name) {
  std::string result = name.str();
  llvm::replace(result, '-', '_');
  return result;
}

static void printBytes(llvm::raw_ostream &out, StringRef bytes) {
  constexpr size_t line = 18;
  for (; !bytes.empty();
       bytes = bytes.drop_front(std::min(line, bytes.size()))) {
    out << "\n      \"";
    for (char c : bytes.take_front(line))
      out << '\\' << char('0' + (uint8_t(c) >> 6)) << char('0' + (c >> 3 & 7))
          << char('0' + (c & 7));
    out << '"';
  }
}

/// Operators are named once, whatever the number of rules is.
static std::string rootsOf(const Family &rules) {
  llvm::StringSet<> seen;
  std::string all;
  for (const RewriteRule *rule : rules) {
    llvm::SmallVector<StringRef> roots;
    StringRef(rule->roots).split(roots, ' ');
    for (StringRef root : roots)
      if (seen.insert(root).second)
        all += (all.empty() ? "" : " ") + root.str();
  }
  return all;
}

static void printGlance(llvm::raw_ostream &out, unsigned rule,
                        const RuleGlance &glance) {
  auto text = [](bool is) { return is ? "true" : "false"; };
  out << "\n      {" << rule << ", " << glance.pattern << ", \"" << glance.root
      << "\", " << text(glance.isCommutative) << ", " << text(glance.hasMore)
      << ", " << glance.numInputs << ", {";
  for (const RuleGlance::Input &input : glance.inputs)
    out << "{RuleGlance::Input::Kind(" << int(input.kind) << "), "
        << text(input.isLike) << ", " << llvm::format("%a", input.number)
        << ", \"" << input.opType << "\"}, ";
  out << "}},";
}

static llvm::Error print(llvm::raw_ostream &out, const Family &rules) {
  bool makesNodes = llvm::any_of(rules, [](const RewriteRule *rule) {
    return rule->values[rule->replacement].node >= 0;
  });
  out << "struct " << identifierOf(rules[0]->name) << " {\n"
      << "  static constexpr llvm::StringLiteral algebra =\n      \"";
  out.write_escaped(rules[0]->description());
  out << "\";\n  static constexpr llvm::StringLiteral roots = \""
      << rootsOf(rules) << "\";\n"
      << "  static constexpr int level = " << rules[0]->level << ";\n"
      << "  static constexpr bool makesNodes = "
      << (makesNodes ? "true" : "false") << ";\n"
      << "  static constexpr llvm::StringLiteral rules[] = {";
  for (const RewriteRule *rule : rules) {
    if (rule->level != rules[0]->level)
      return llvm::createStringError("the rules '" + rule->name +
                                     "' are of two levels");
    llvm::Expected<std::string> bytes = packRule(*rule);
    if (!bytes)
      return bytes.takeError();
    out << (rule == rules[0] ? "" : ",")
        << "\n      llvm::StringLiteral::withInnerNUL(";
    printBytes(out, *bytes);
    out << ')';
  }
  out << "};\n  static constexpr RuleGlance glances[] = {";
  for (auto [i, rule] : llvm::enumerate(rules))
    for (const RuleGlance &glance : rule->glances)
      printGlance(out, i, glance);
  out << "};\n};\n";
  return llvm::Error::success();
}

static llvm::Expected<std::string> tablesOf(StringRef text, StringRef file) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  RuleSet set(context);
  if (llvm::Error error = set.add(text, file))
    return error;
  llvm::MapVector<StringRef, Family> families;
  for (const auto &rule : set.rules())
    families[rule->name].push_back(rule.get());
  std::string result;
  llvm::raw_string_ostream out(result);
  out << "// Written by rule-tables.\n"
         "#include \"onnxfold/onnx/transforms/rules/RuleGlance.h\"\n"
         "namespace onnxfold::rewriterules {\n";
  for (const auto &family : families)
    if (llvm::Error error = print(out, family.second))
      return error;
  out << "} // namespace onnxfold::rewriterules\n";
  return result;
}

static llvm::Error run(StringRef input, StringRef output) {
  auto text = llvm::MemoryBuffer::getFile(input);
  if (!text)
    return llvm::createStringError(input + ": " + text.getError().message());
  llvm::Expected<std::string> tables = tablesOf((*text)->getBuffer(), input);
  if (!tables)
    return tables.takeError();
  auto before = llvm::MemoryBuffer::getFile(output);
  if (before && (*before)->getBuffer() == *tables)
    return llvm::Error::success();
  std::error_code code;
  llvm::raw_fd_ostream out(output, code);
  if (code)
    return llvm::createStringError(output + ": " + code.message());
  out << *tables;
  return llvm::Error::success();
}

int main(int count, char **arguments) {
  if (count != 3) {
    llvm::errs() << "usage: rule-tables RULES OUTPUT\n";
    return 2;
  }
  if (llvm::Error error = run(arguments[1], arguments[2])) {
    llvm::errs() << "rule-tables: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
