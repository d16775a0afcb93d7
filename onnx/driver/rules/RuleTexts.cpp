//===- RuleTexts.cpp - What is said of rules ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/rules/internal/RuleTexts.h"
#include "onnxfold/onnx/driver/report/internal/SectionTexts.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

void RulesSection::printJson(llvm::json::OStream &json) const {
  json.array([&] {
    for (const Rule &rule : rules)
      json.object([&] {
        json.attribute("name", jsonText(rule.name));
        json.attribute("file", jsonText(rule.file));
        json.attribute("line", rule.line);
        json.attribute("says", jsonText(rule.says));
        json.attribute("level", rule.level);
        json.attribute("proof", rule.proof);
        if (rule.cases)
          json.attribute("cases", rule.cases);
      });
  });
}

void RulesSection::printSummary(llvm::raw_ostream &out) const {
  auto count = [&](StringRef proof) {
    return llvm::count_if(
        rules, [&](const Rule &rule) { return rule.proof == proof; });
  };
  out << rules.size() << (rules.size() == 1 ? " rule" : " rules") << ": "
      << count("proved") << " proved, " << count("kept") << " proved before";
  if (auto shipped = count("shipped"))
    out << ", " << shipped << " of onnx-fold";
  if (auto trusted = count("trusted"))
    out << ", " << trusted << " not proved (" << setting("trust-rules") << ")";
  if (auto disabled = count("disabled"))
    out << ", " << disabled << " left out (" << setting("disable") << ")";
  if (!undone.empty())
    out << "; undone, and so left out: " << llvm::join(undone, ", ");
  out << "\n";
}

static std::string numberText(const Elements &value, int64_t index) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (value.type() == DataType::String)
    out << '"' << value.value<StringRef>(index) << '"';
  else if (value.type() == DataType::Bool)
    out << (value.value<bool>(index) ? "true" : "false");
  else if (isFloat(value.type()))
    out << llvm::format("%.17g", value.number(index).to<double>());
  else if (isUnsigned(value.type()))
    out << value.number(index).to<uint64_t>();
  else
    out << value.number(index).to<int64_t>();
  return text;
}

/// "f32[2] {1, -0}", of many elements the first ones.
static std::string textOf(const Elements &value) {
  if (!value)
    return "nothing";
  constexpr int64_t most = 12;
  std::string text;
  llvm::raw_string_ostream out(text);
  out << name(value.type()) << '[';
  llvm::interleave(value.shape(), out, ",");
  out << "] {";
  for (int64_t i = 0; i < std::min(value.size(), most); ++i)
    out << (i ? ", " : "") << numberText(value, i);
  out << (value.size() > most ? ", ...}" : "}");
  return text;
}

static void printCounterexample(const Counterexample &found,
                                llvm::raw_ostream &out) {
  for (const auto &[name, value] : found.attributes)
    out << "  " << name << " = " << value << "\n";
  for (const auto &[name, value] : found.inputs)
    out << "  " << name << " = " << textOf(value) << "\n";
  out << "  " << found.pattern << " = " << textOf(found.before) << "\n"
      << "  the replacement = " << textOf(found.after) << "\n";
}

llvm::Error onnxfold::refusal(const RewriteRule &rule, const RuleProof &proof) {
  std::string text = "the rule '" + rule.name + "' is not used: ";
  if (proof.counterexample) {
    llvm::raw_string_ostream out(text);
    out << "the sides differ in opset " << proof.counterexample->opset << " "
        << proof.counterexample->difference << "\n";
    printCounterexample(*proof.counterexample, out);
    out << "  'onnx-fold check-rules -o DIR " << rule.file
        << "' writes this case as a model";
  } else {
    text += proof.problem;
  }
  return ModelFault()
      .file(rule.file)
      .context("line " + llvm::Twine(rule.line) + ", column " +
               llvm::Twine(rule.column))
      .says(text);
}

void onnxfold::printPlace(const RewriteRule &rule, llvm::raw_ostream &out) {
  out << rule.file << ":" << rule.line << ": " << printableName(rule.name)
      << ": ";
}

void onnxfold::printProof(const RewriteRule &rule, const RuleProof &proof,
                          llvm::raw_ostream &out) {
  printPlace(rule, out);
  if (proof.counterexample) {
    out << "does not hold in opset " << proof.counterexample->opset << ": "
        << proof.counterexample->difference << "\n";
    printCounterexample(*proof.counterexample, out);
    if (!proof.counterexample->modelText.empty())
      out << proof.counterexample->modelText << "\n";
    return;
  }
  if (!proof.problem.empty()) {
    out << "cannot be checked: " << proof.problem << "\n";
    return;
  }
  out << "holds at level " << rule.level;
  if (!rule.bound.text.empty())
    out << " within " << rule.bound.text;
  out << " in " << proof.cases << " cases (" << proof.instances
      << " of types and shapes; opsets " << rule.firstOpset << " to "
      << rule.lastOpset << ";";
  for (DataType type : proof.types)
    out << " " << name(type);
  if (proof.exhausted)
    out << "; all numbers of " << proof.exhausted
        << (proof.exhausted == 1 ? " combination" : " combinations")
        << " of 8- and 16-bit types";
  out << ")\n";
}
