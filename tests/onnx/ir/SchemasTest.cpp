//===- SchemasTest.cpp - The lazy table of schemas ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Expected numbers are from the Python package onnx 1.23.2
// (onnx.defs.get_all_schemas_with_history()).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/Schemas.h"

#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <set>
#include <thread>

using namespace onnxfold;

// First in this file and program order: nothing may have built a schema before.
TEST(Schemas, LookingUpVersionsBuildsNothing) {
  unsigned before = numBuiltSchemas();
  EXPECT_EQ(resolveSince("", "Abs", 17), 13);
  EXPECT_EQ(schemasOf("", "Cast").size(), 10u);
  EXPECT_EQ(latestOpset(""), 28);
  EXPECT_EQ(numBuiltSchemas(), before);
}

TEST(Schemas, CountsPerDomain) {
  std::map<std::string, unsigned> count;
  std::set<std::pair<llvm::StringRef, llvm::StringRef>> operators;
  for (const SchemaEntry &entry : allSchemas()) {
    ++count[entry.domain.str()];
    operators.insert({entry.domain, entry.opType});
  }
  std::map<std::string, unsigned> expected = {{"", 629},
                                              {"ai.onnx.ml", 25},
                                              {"ai.onnx.preview", 1},
                                              {"ai.onnx.preview.training", 4}};
  EXPECT_EQ(count, expected);
  EXPECT_EQ(operators.size(), 227u);
}

TEST(Schemas, EveryRowBuildsTheSchemaItNames) {
  for (const SchemaEntry &entry : allSchemas()) {
    const onnx::OpSchema *schema =
        schemaSince(entry.domain, entry.opType, entry.since);
    ASSERT_NE(schema, nullptr) << entry.opType.str();
    EXPECT_EQ(schema->domain(), entry.domain);
    EXPECT_EQ(schema->Name(), entry.opType);
    EXPECT_EQ(schema->SinceVersion(), entry.since);
  }
  EXPECT_EQ(numBuiltSchemas(), allSchemas().size());
}

TEST(Schemas, ResolvesToTheHighestVersionThatIsNotAbove) {
  EXPECT_EQ(resolveSince("", "Abs", 0), std::nullopt);
  EXPECT_EQ(resolveSince("", "Abs", 1), 1);
  EXPECT_EQ(resolveSince("", "Abs", 5), 1);
  EXPECT_EQ(resolveSince("", "Abs", 6), 6);
  EXPECT_EQ(resolveSince("", "Abs", 12), 6);
  EXPECT_EQ(resolveSince("", "Abs", 13), 13);
  EXPECT_EQ(resolveSince("", "Abs", 1000), 13);
  EXPECT_EQ(resolveSince("", "Where", 8), std::nullopt); // came with opset 9
  EXPECT_EQ(resolveSince("", "Where", 9), 9);
  EXPECT_EQ(resolveSince("", "NoSuchOperator", 9), std::nullopt);
  EXPECT_EQ(resolveSince("com.microsoft", "Gelu", 1), std::nullopt);
  EXPECT_EQ(resolveSince("ai.onnx.ml", "LabelEncoder", 3), 2);
  EXPECT_EQ(resolveSince("ai.onnx.ml", "Abs", 3), std::nullopt);
}

TEST(Schemas, BothSpellingsOfTheDefaultDomain) {
  EXPECT_EQ(resolveSince("ai.onnx", "Abs", 13), 13);
  EXPECT_EQ(lookupSchema("ai.onnx", "Abs", 14), lookupSchema("", "Abs", 14));
  EXPECT_EQ(canonicalDomain("ai.onnx"), "");
  EXPECT_EQ(canonicalDomain("ai.onnx.ml"), "ai.onnx.ml");
  EXPECT_TRUE(isSchemaDomain("ai.onnx"));
  EXPECT_FALSE(isSchemaDomain("com.microsoft"));
}

TEST(Schemas, ExactVersionOnly) {
  EXPECT_NE(schemaSince("", "Abs", 6), nullptr);
  EXPECT_EQ(schemaSince("", "Abs", 7), nullptr);
  EXPECT_EQ(schemaSince("", "Abs", -1), nullptr);
}

TEST(Schemas, LatestOpsetsAreThoseOfTheLibrary) {
  const auto &ranges =
      onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  for (llvm::StringRef domain :
       {"", "ai.onnx.ml", "ai.onnx.preview.training", "ai.onnx.preview"})
    EXPECT_EQ(latestOpset(domain), ranges.at(domain.str()).second)
        << domain.str();
  EXPECT_EQ(latestOpset("com.microsoft"), 0);
}

TEST(Schemas, DeprecatedOnesSaySo) {
  std::set<std::pair<std::string, int>> deprecated;
  for (const SchemaEntry &entry : allSchemas())
    if (schemaSince(entry.domain, entry.opType, entry.since)->deprecated())
      deprecated.insert({entry.opType.str(), entry.since});
  std::set<std::pair<std::string, int>> expected = {
      {"GroupNormalization", 18},
      {"Scatter", 11},
      {"TreeEnsembleClassifier", 5},
      {"TreeEnsembleRegressor", 5},
      {"Upsample", 10}};
  EXPECT_EQ(deprecated, expected);
}

TEST(Schemas, TheRegistryFindsTheSameSchemas) {
  const onnx::ISchemaRegistry &registry = schemaRegistry();
  EXPECT_EQ(registry.GetSchema("Add", 13, ""), schemaSince("", "Add", 13));
  EXPECT_EQ(registry.GetSchema("Add", 13, "ai.onnx"),
            schemaSince("", "Add", 13));
  EXPECT_EQ(registry.GetSchema("Add", 13, "com.microsoft"), nullptr);
}

TEST(Schemas, BodiesAreThere) {
  const onnx::OpSchema *schema = schemaSince("", "LayerNormalization", 17);
  EXPECT_TRUE(schema->HasContextDependentFunction());
  const onnx::OpSchema *clip = schemaSince("", "MeanVarianceNormalization", 13);
  ASSERT_TRUE(clip->HasFunction());
  EXPECT_GT(clip->GetFunction()->node_size(), 3);
}

TEST(Schemas, OneSchemaForAllThreads) {
  std::vector<const onnx::OpSchema *> found(8);
  std::vector<std::thread> threads;
  for (const onnx::OpSchema *&slot : found)
    threads.emplace_back([&slot] { slot = schemaSince("", "Einsum", 12); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_TRUE(llvm::all_equal(found));
  EXPECT_NE(found[0], nullptr);
}

TEST(Schemas, RandomOperatorsOnly) {
  for (const char *random :
       {"RandomNormal", "RandomNormalLike", "RandomUniform",
        "RandomUniformLike", "Multinomial", "Bernoulli", "Dropout"})
    EXPECT_FALSE(isDeterministic("", random)) << random;
  EXPECT_FALSE(isDeterministic("ai.onnx", "Multinomial"));
  for (const char *pure : {"If", "Loop", "SequenceMap", "AffineGrid", "Abs"})
    EXPECT_TRUE(isDeterministic("", pure)) << pure;
}
