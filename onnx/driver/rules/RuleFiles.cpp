//===- RuleFiles.cpp - --rules and check-rules ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/rules/RuleFiles.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/driver/cache/internal/BuildNumber.h"
#include "onnxfold/onnx/driver/prepare/ModelContext.h"
#include "onnxfold/onnx/driver/rules/internal/RuleTexts.h"
#include "onnxfold/onnx/io/files/InputFile.h"
#include "onnxfold/onnx/ir/NearNames.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "onnxfold/onnx/transforms/ruleproof/RuleProof.h"
#include "onnxfold/options/OptionError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

static llvm::Error readFile(StringRef path, RuleSet &rules) {
  if (std::optional<StringRef> shipped = shippedRules(path))
    return rules.add(*shipped, path);
  llvm::Expected<InputFileRef> opened = InputFile::open(path);
  if (!opened)
    return opened.takeError();
  constexpr uint64_t mostBytes = 16 << 20;
  if ((*opened)->size() > mostBytes)
    return ModelFault()
        .file(path)
        .has(llvm::Twine((*opened)->size()) + " bytes")
        .expected("a text of rules of at most 16 MB");
  std::string bytes((*opened)->size(), '\0');
  if (llvm::Error error = (*opened)->read(0, {bytes.data(), bytes.size()}))
    return error;
  StringRef text = bytes;
  text.consume_front("\xef\xbb\xbf"); // some editors begin with it
  return rules.add(text, path);
}

//===----------------------------------------------------------------------===//
// Proofs that are kept
//===----------------------------------------------------------------------===//

/// The file that says that a rule holds in this program; "": none is kept.
static std::string proofFile(const RewriteRule &rule, StringRef folder) {
  if (folder.empty())
    return "";
  Elements text = Elements::fromValues<uint8_t>(
      {int64_t(rule.text.size())},
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(rule.text.data()),
                     rule.text.size()));
  std::string name;
  for (const ResultCache::Key &key : {ops::contentHash(text), buildNumber()})
    for (uint64_t word : {key.high, key.low})
      name += llvm::utohexstr(word, /*LowerCase=*/true, 16);
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

/// A failure to keep it is no error: the next run proves it again.
static void keepProof(StringRef file, const RewriteRule &rule) {
  if (file.empty() ||
      llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file)))
    return;
  llvm::consumeError(llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
    out << rule.name << " holds\n";
    return llvm::Error::success();
  }));
}

//===----------------------------------------------------------------------===//
// --rules
//===----------------------------------------------------------------------===//

/// Names of --disable that are no clean-ups.
static llvm::Error checkDisabled(const FoldOptions &options,
                                 const RuleSet &rules) {
  llvm::SmallVector<StringRef> names;
  for (const CleanUpInfo &info : cleanUps())
    names.push_back(info.name);
  for (const auto &rule : rules.rules())
    names.push_back(rule->name);
  for (const auto &entry : options.disabled)
    if (!llvm::is_contained(names, entry.first()))
      return wrongOption(setting("disable"), entry.first(),
                         "a name of " + setting("list-patterns") +
                             " or of a rule" + nearNames(names, entry.first()));
  return llvm::Error::success();
}

static ModelFault wrongRule(const RewriteRule &rule, const llvm::Twine &what) {
  return ModelFault()
      .file(rule.file)
      .context("line " + llvm::Twine(rule.line) + ", column " +
               llvm::Twine(rule.column))
      .says("the rule '" + rule.name + "' " + what + setting("list-patterns"));
}

static llvm::Error checkNames(const RuleSet &rules) {
  for (const auto &rule : rules.rules()) {
    if (isCleanUp(rule->name) && !shippedRules(rule->file))
      return wrongRule(*rule, "has the name of a rewrite of ");
    for (const std::string &name : rule->undoes)
      if (!isCleanUp(name))
        return wrongRule(*rule, "undoes '" + name + "', expected a name of ");
  }
  return llvm::Error::success();
}

llvm::StringSet<> onnxfold::rewritesUndone(const FoldOptions &options,
                                           const RuleSet &rules) {
  llvm::StringSet<> names;
  for (const auto &rule : rules.rules())
    if (rule->level <= options.level && !options.disabled.contains(rule->name))
      for (const std::string &name : rule->undoes)
        names.insert(name);
  return names;
}

/// Rules of another level than that of the run do nothing.
static void warnOfLevels(const FoldOptions &options, const RuleSet &rules,
                         RunScope &run) {
  size_t idle = llvm::count_if(rules.rules(), [&](const auto &rule) {
    return rule->level > options.level &&
           !options.disabled.contains(rule->name);
  });
  if (idle != 0)
    run.warn(llvm::Twine(idle) + " of the rules need -O2, which is not given");
}

llvm::Expected<StepResult> onnxfold::loadRules(const FoldOptions &options,
                                               RuleSet &rules, RunScope &run) {
  if (options.rules.empty())
    return StepResult::Unchanged;
  for (const std::string &path : options.rules) {
    if (path == "rewrites")
      return wrongOption(setting("rules"), path,
                         "a file or a set, not the rewrites of onnx-fold, "
                         "which are applied without it");
    if (llvm::Error error = readFile(path, rules))
      return error;
  }
  if (llvm::Error error = checkNames(rules))
    return error;
  if (llvm::Error error = checkDisabled(options, rules))
    return error;
  RulesSection &section = run.report().section<RulesSection>();
  for (const auto &entry : rewritesUndone(options, rules))
    section.undone.push_back(entry.first().str());
  llvm::sort(section.undone);
  RuleProofOptions proving;
  proving.isCancelled = run.question();
  for (const auto &rule : rules.rules()) {
    RulesSection::Rule &said = section.rules.emplace_back();
    said.name = rule->name;
    said.file = rule->file;
    said.line = rule->line;
    said.says = rule->description();
    said.level = rule->level;
    if (options.disabled.contains(rule->name)) {
      said.proof = "disabled";
      continue;
    }
    if (shippedRules(rule->file)) {
      said.proof = "shipped";
      continue;
    }
    if (options.trustRules) {
      said.proof = "trusted";
      continue;
    }
    std::string kept = proofFile(*rule, options.proofFolder);
    said.proof = "kept";
    if (!kept.empty() && llvm::sys::fs::exists(kept))
      continue;
    RuleProof proof = proveRule(*rule, rules.mlirContext(), proving);
    if (llvm::Error error = run.checkCancelled())
      return error;
    if (!proof.holds())
      return refusal(*rule, proof);
    keepProof(kept, *rule);
    said.proof = "proved";
    said.cases = proof.cases;
  }
  warnOfLevels(options, rules, run);
  return StepResult::Changed;
}

//===----------------------------------------------------------------------===//
// check-rules
//===----------------------------------------------------------------------===//

/// RULE.onnx, RULE.inputs/NAME.npy.
static llvm::Error writeCounterexample(const RewriteRule &rule,
                                       const Counterexample &found,
                                       StringRef folder,
                                       llvm::raw_ostream &out) {
  auto pathOf = [&](const llvm::Twine &name) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  };
  std::string stem;
  for (char c : rule.name)
    stem += llvm::isAlnum(c) || c == '-' || c == '_' ? c : '_';
  std::string inputs = pathOf(stem + ".inputs"), model = pathOf(stem + ".onnx");
  if (std::error_code code = llvm::sys::fs::create_directories(inputs))
    return ModelFault().file(inputs).says("cannot be made: " + code.message());
  if (llvm::Error error =
          llvm::writeToOutput(model, [&](llvm::raw_ostream &file) {
            file << found.model;
            return llvm::Error::success();
          }))
    return error;
  for (const auto &[name, value] : found.inputs)
    if (llvm::Error error = writeNpy(inputs + "/" + name + ".npy", value))
      return error;
  out << "  written to " << model << " and " << inputs << "/\n";
  return llvm::Error::success();
}

/// Whether runs of the rules of the file come to an end where this one applies:
/// it may undo itself, another of them, or a rewrite of ours.
static bool comesToAnEnd(const RewriteRule &rule, const RuleProof &proof,
                         StringRef file, llvm::raw_ostream &out) {
  for (const std::string &sample : proof.samples)
    for (int level = rule.level; level <= 2 && !sample.empty(); ++level) {
      FoldOptions options;
      options.level = level;
      options.rules = {file.str()};
      options.trustRules = true;
      FoldReport report;
      llvm::Error error = foldModel(ModelInput::bytes(sample),
                                    ModelOutput::none(), options, report);
      if (!error)
        continue;
      printPlace(rule, out);
      out << "holds, but a run that applies it fails at -O" << level << ": "
          << llvm::toString(std::move(error)) << "\n";
      return false;
    }
  return true;
}

llvm::Expected<RuleCheck> onnxfold::checkRuleFile(StringRef file,
                                                  StringRef folder,
                                                  llvm::raw_ostream &out,
                                                  bool prints) {
  ModelContext context;
  context.addFolding();
  RuleSet &rules = context.rules();
  if (llvm::Error error = readFile(file, rules))
    return error;
  if (llvm::Error error = checkNames(rules))
    return error;
  RuleCheck result;
  for (const auto &rule : rules.rules()) {
    RuleProof proof = proveRule(*rule, context, {});
    ++result.rules;
    result.holds &= proof.holds();
    // The rewrites of onnx-fold are in each run.
    if (proof.holds() && !isCleanUp(rule->name) &&
        !comesToAnEnd(*rule, proof, file, out)) {
      result.holds = false;
      continue;
    }
    if (proof.holds() && !prints)
      continue;
    printProof(*rule, proof, out);
    if (proof.counterexample && !folder.empty() &&
        !proof.counterexample->model.empty())
      if (llvm::Error error =
              writeCounterexample(*rule, *proof.counterexample, folder, out))
        return error;
  }
  return result;
}
