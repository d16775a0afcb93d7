//===- AttentionRules.cpp - Rules of ai.onnx's attention ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// See SampleRules.cpp. Queries, keys and values have the samples in dimension
// 0; what is one for all samples is repeated where the operator wants one each.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/transforms/batch/internal/SampleRule.h"

using namespace onnxfold;
using namespace mlir;

/// A mask is broadcast to [batch, heads, queries, keys].
std::string onnxfold::ruleOfAttention(SampleRule &rule) {
  constexpr unsigned mask = 3;
  constexpr int64_t rankOfScores = 4;
  SmallVector<InputPlace> places = {{0, 0}, {1, 0}, {2, 0},
                                    {4, 0}, {5, 0}, {6, 0}};
  if (rule.at(mask)) {
    if (rule.rank(mask) != rankOfScores)
      return rule.mixes("has a mask of samples that is not 4-dimensional");
    places.push_back({mask, 0});
  } else if (rule.op.hasInput(mask)) {
    if (std::string why = fitShared(rule, mask, rankOfScores, {0, 1});
        !why.empty())
      return why;
  }
  if (std::string why = wantSamples(rule, places); !why.empty())
    return why;
  giveAll(rule, {0, 1});
  return "";
}

/// The caches are for all samples if there are positions, else for each.
std::string onnxfold::ruleOfRotaryEmbedding(SampleRule &rule) {
  SmallVector<InputPlace> places = {{0, 0}};
  if (rule.op.hasInput(3))
    places.push_back({3, 0});
  else
    places.append({{1, 0}, {2, 0}});
  if (std::string why = wantSamples(rule, places); !why.empty())
    return why;
  rule.give(0, {0, 1});
  return "";
}
