//===- FoldOptions.cpp - What a user may ask of foldModel -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/NearNames.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "onnxfold/onnx/transforms/convert/TypeConversion.h"
#include "onnxfold/options/OptionError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using llvm::StringRef;

std::optional<int64_t> GrowthLimit::bytesFor(uint64_t modelBytes) const {
  switch (kind) {
  case Kind::Unlimited:
    return std::nullopt;
  case Kind::Bytes:
    return int64_t(amount);
  case Kind::Percent:
    return int64_t(double(modelBytes) * amount / 100);
  case Kind::Default:
    return std::max<int64_t>(1 << 20, modelBytes / 100);
  }
  return std::nullopt;
}

/// Readers refuse data files that are not below the folder of their model.
static bool isBelowFolder(StringRef file) {
  llvm::SmallVector<StringRef, 4> parts;
  file.split(parts, '/');
  return !llvm::sys::path::is_absolute(file) &&
         !llvm::is_contained(parts, "..") && !file.ends_with("/");
}

std::string onnxfold::onceFileFor(StringRef output) {
  StringRef stem = output;
  stem.consume_back(".onnx");
  stem.consume_back(".folded");
  return (stem + ".once.onnx").str();
}

/// The limit on the alignment of tensors in data files.
static constexpr uint64_t largestAlignment = 1 << 30;

/// Patterns of names, which may begin with op: or domain: in filters.
static llvm::Error checkGlobs(StringRef flag,
                              llvm::ArrayRef<std::string> globs) {
  for (const std::string &text : globs)
    if (auto glob = llvm::GlobPattern::create(text); !glob)
      return badPattern(flag, text, glob.takeError());
  return llvm::Error::success();
}

static llvm::Error checkPatterns(const FoldOptions &options) {
  if (llvm::Error error = checkGlobs(setting("only"), options.only))
    return error;
  if (llvm::Error error = checkGlobs(setting("skip"), options.skip))
    return error;
  if (llvm::Error error =
          checkGlobs(setting("keep-initializer"), options.keepInitializers))
    return error;
  if (llvm::Error error =
          checkGlobs(setting("run-once"), options.runOnce.names))
    return error;
  if (llvm::Error error =
          checkGlobs(setting("inline-functions"), options.inlineFunctions))
    return error;
  static constexpr StringRef stripped[] = {"metadata", "docs", "names", "types",
                                           "stack-traces"};
  for (const auto &entry : options.stripped)
    if (!llvm::is_contained(stripped, entry.first()))
      return wrongOption(setting("strip"), entry.first(),
                         "metadata, docs, names, types or stack-traces" +
                             nearNames(stripped, entry.first()));
  for (const auto &entry : options.disabled) {
    if (isCleanUp(entry.first()) || !options.rules.empty())
      continue; // what rules are called is known when they are read
    llvm::SmallVector<StringRef> names;
    for (const auto &[name, algebra, level] : cleanUps())
      names.push_back(name);
    return wrongOption(setting("disable"), entry.first(),
                       "a name of " + setting("list-patterns") +
                           nearNames(names, entry.first()));
  }
  return llvm::Error::success();
}

static llvm::Error checkLayout(const FoldOptions &options) {
  if (!isBelowFolder(options.dataFile))
    return wrongOption(setting("external-data"), options.dataFile,
                       "a file relative to the output's folder and below it");
  const onnxfold::DataLayout &layout = options.dataLayout;
  if (!llvm::isPowerOf2_64(layout.alignment) ||
      layout.alignment > largestAlignment)
    return ModelFault()
        .option(setting("external-data"))
        .has("align=" + llvm::Twine(layout.alignment))
        .expected("a power of two of at most 1G");
  if (layout.shard == 0)
    return ModelFault()
        .option(setting("external-data"))
        .has("shard=0")
        .expected("a size");
  return llvm::Error::success();
}

llvm::Error onnxfold::checkValues(const FoldOptions &options) {
  if (options.level < 0 || options.level > 2)
    return ModelFault("the level")
        .is("-O" + llvm::Twine(options.level))
        .expected("-O0, -O1 or -O2");
  if (!options.streamFolder.empty() &&
      !llvm::sys::fs::is_directory(options.streamFolder))
    return wrongOption(setting("folder"), options.streamFolder, "a folder");
  for (const std::string &root : options.dataRoots)
    if (!llvm::sys::fs::is_directory(root))
      return wrongOption(setting("data-root"), root, "a folder");
  if (llvm::is_contained(options.schemas, ""))
    return wrongOption(setting("schemas"), "", "a file");
  if (llvm::is_contained(options.rules, ""))
    return wrongOption(setting("rules"), "", "a file");
  if (!options.verifyInputs.empty() &&
      !llvm::sys::fs::exists(options.verifyInputs))
    return wrongOption(setting("verify-inputs"), options.verifyInputs,
                       "a folder or a .npz file");
  if (options.targetOpset < 0)
    return wrongOption(setting("target-opset"),
                       llvm::Twine(options.targetOpset), "a number above 0");
  if (!options.batch.empty() && options.batch != "open" &&
      !(StringRef(options.batch).starts_with("open:") &&
        options.batch.size() > 5))
    return wrongOption(setting("batch"), options.batch, "open or open:NAME");
  if (options.irVersion < 0)
    return wrongOption(setting("ir-version"), llvm::Twine(options.irVersion),
                       "a number above 0");
  if (auto pairs = parseTypePairs(options.convert); !pairs)
    return ModelFault()
        .option(setting("convert"))
        .says(": " + llvm::toString(pairs.takeError()));
  if (llvm::Error error = checkLayout(options))
    return error;
  return checkPatterns(options);
}

//===----------------------------------------------------------------------===//
// What excludes what (options/Options.td)
//===----------------------------------------------------------------------===//

template <typename T> static bool isGiven(const T &member) {
  return member != T();
}
static bool isGiven(const std::vector<std::string> &member) {
  return !member.empty();
}

/// A text of the table, where settings are spelled as options.
static std::string spelled(StringRef text) {
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ');
  return llvm::join(llvm::map_range(words,
                                    [](StringRef word) {
                                      return word.consume_front("--")
                                                 ? setting(word)
                                                 : word.str();
                                    }),
                    " ");
}

static llvm::Error checkExcludes(StringRef first, bool isFirst,
                                 StringRef second, bool isSecond,
                                 StringRef why) {
  if (!isFirst || !isSecond)
    return llvm::Error::success();
  return ModelFault()
      .option(spelled(first))
      .says("and " + spelled(second) + " are given")
      .expected(llvm::Twine("one of them") + (why.empty() ? "" : ": ") +
                spelled(why));
}

static llvm::Error checkExcludesValue(StringRef first, bool isFirst,
                                      StringRef second, bool isSecond,
                                      StringRef expected) {
  if (!isFirst || !isSecond)
    return llvm::Error::success();
  return ModelFault()
      .option(spelled(first))
      .says("is given with " + spelled(second))
      .expected(spelled(expected));
}

static llvm::Error checkNeeds(StringRef first, bool isFirst, StringRef second,
                              bool isSecond, StringRef) {
  if (!isFirst || isSecond)
    return llvm::Error::success();
  return ModelFault()
      .option(spelled(first))
      .says("is given without " + spelled(second))
      .expected("both");
}

llvm::Error onnxfold::checkOptions(const FoldOptions &options) {
  if (llvm::Error error = checkValues(options))
    return error;
#define FOLD_RULE(kind, first, isFirst, second, isSecond, text)                \
  if (llvm::Error error = check##kind(first, isFirst, second, isSecond, text)) \
    return error;
#include "onnxfold/options/FoldRules.inc"
#undef FOLD_RULE
  return llvm::Error::success();
}
