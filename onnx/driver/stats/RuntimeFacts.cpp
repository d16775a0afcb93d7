//===- RuntimeFacts.cpp - Which releases run a model ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/stats/internal/StatsParts.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace onnxfold;
using llvm::StringRef;

namespace {
/// The latest versions that a release reads.
struct Release {
  StringRef version;
  int64_t irVersion, opset, mlOpset;
};
} // namespace

/// Source: VERSION_TABLE of onnx/helper.py, ONNX 1.23.
static constexpr Release onnxReleases[] = {
    {"1.0", 3, 1, 1},    {"1.1", 3, 5, 1},    {"1.1.2", 3, 6, 1},
    {"1.2", 3, 7, 1},    {"1.3", 3, 8, 1},    {"1.4", 4, 9, 1},
    {"1.5", 5, 10, 1},   {"1.6", 6, 11, 2},   {"1.7", 7, 12, 2},
    {"1.8", 7, 13, 2},   {"1.9", 7, 14, 2},   {"1.10", 8, 15, 2},
    {"1.11", 8, 16, 3},  {"1.12", 8, 17, 3},  {"1.13", 8, 18, 3},
    {"1.14", 9, 19, 3},  {"1.15", 9, 20, 4},  {"1.16", 10, 21, 5},
    {"1.17", 10, 22, 5}, {"1.18", 11, 23, 5}, {"1.19", 12, 24, 5},
    {"1.20", 13, 25, 5}, {"1.21", 13, 26, 5}, {"1.22", 13, 27, 5},
    {"1.23", 14, 28, 5},
};

/// Source: docs/reference/compatibility.md of microsoft/onnxruntime (branch
/// gh-pages, commit 109c0baa), which ends with 1.20. The last row was measured:
/// models with these versions load in 1.31.1, later ones do not.
static constexpr Release onnxRuntimeReleases[] = {
    {"0.1", 3, 8, 1},    {"0.3", 3, 9, 1},    {"0.4", 5, 10, 1},
    {"1.0", 6, 11, 2},   {"1.3", 7, 12, 2},   {"1.6", 7, 13, 2},
    {"1.8", 7, 14, 2},   {"1.9", 8, 15, 2},   {"1.11", 8, 16, 2},
    {"1.12", 8, 17, 3},  {"1.14", 8, 18, 3},  {"1.15", 8, 19, 3},
    {"1.16", 9, 19, 3},  {"1.17", 9, 20, 4},  {"1.18", 10, 21, 4},
    {"1.20", 10, 21, 4}, {"1.31", 13, 26, 5},
};
/// Between these two the table knows nothing.
static constexpr StringRef lastPublished = "1.20", lastMeasured = "1.31";
/// The same page: opset 7 and later ones run.
static constexpr int64_t firstOpsetOfOnnxRuntime = 7;

static int64_t opsetOf(const ModelStats &stats, StringRef domain) {
  for (const ModelStats::Opset &opset : stats.opsets)
    if (opset.domain == domain)
      return opset.version;
  return 0;
}

/// The first release that has all that the model asks for.
static ModelStats::Runtime firstOf(StringRef name,
                                   llvm::ArrayRef<Release> releases,
                                   const ModelStats &stats) {
  int64_t opset = opsetOf(stats, "ai.onnx"), ml = opsetOf(stats, "ai.onnx.ml"),
          ir = stats.irVersion.value_or(0);
  for (const Release &release : releases)
    if (release.irVersion >= ir && release.opset >= opset &&
        release.mlOpset >= ml)
      return {name.str(), release.version.str(), ""};
  const Release &last = releases.back();
  std::string why = "none that is known here, " + last.version.str() +
                    " at the latest (IR version " +
                    std::to_string(last.irVersion) + ", opset " +
                    std::to_string(last.opset) + ", ai.onnx.ml " +
                    std::to_string(last.mlOpset) + ")";
  return {name.str(), "", why};
}

void onnxfold::addRuntimes(ModelStats &stats,
                           const std::vector<std::string> &definedDomains) {
  stats.runtimes.push_back(firstOf("ONNX", onnxReleases, stats));
  ModelStats::Runtime engine =
      firstOf("ONNX Runtime", onnxRuntimeReleases, stats);
  int64_t opset = opsetOf(stats, "ai.onnx");
  if (opset != 0 && opset < firstOpsetOfOnnxRuntime)
    engine = {"ONNX Runtime", "",
              "it promises opset 7 and later ones, the model has " +
                  std::to_string(opset)};
  if (engine.version == lastMeasured)
    engine.why =
        ("some release after " + lastPublished + "; " + lastMeasured + " does")
            .str();
  stats.runtimes.push_back(std::move(engine));
  std::set<std::string> domains;
  for (const ModelStats::Operator &op : stats.operators)
    if (!op.domain.empty())
      domains.insert(op.domain);
  for (const std::string &domain : domains)
    if (domain == "com.microsoft")
      stats.runtimeNotes.push_back(
          "operators of com.microsoft: ONNX Runtime alone has them");
    else if (!StringRef(domain).starts_with("ai.onnx") &&
             !llvm::is_contained(definedDomains, domain))
      stats.runtimeNotes.push_back("operators of " + domain +
                                   ": a runtime needs a library for them");
}
