//===- Schemas.cpp - ONNX operator schemas, built when asked for ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The table is sorted by the compiler, so that a program that asks for nothing
// pays nothing, and found by binary search.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/Schemas.h"

#include "onnx/defs/operator_sets.h"
#include "onnx/defs/operator_sets_ml.h"
#include "onnx/defs/operator_sets_preview.h"
#include "onnx/defs/operator_sets_training.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <mutex>
#include <string_view>

using namespace onnxfold;

namespace {

using BuildSchema = onnx::OpSchema (*)();

struct Row {
  std::string_view domain;
  std::string_view opType;
  int since;
  BuildSchema build;
};

constexpr auto sortedRows() {
  std::array rows{
#define ONNXFOLD_SCHEMA(domain, opType, since, schemaClass)                    \
  Row{domain, opType, since, &onnx::GetOpSchema<onnx::schemaClass>},
#include "onnxfold/onnx/ir/SchemaTable.inc"
#undef ONNXFOLD_SCHEMA
  };
  std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
    if (a.domain != b.domain)
      return a.domain < b.domain;
    if (a.opType != b.opType)
      return a.opType < b.opType;
    return a.since < b.since;
  });
  return rows;
}

constexpr auto rows = sortedRows();
constexpr size_t numRows = rows.size();

constexpr auto tableEntries() {
  std::array<SchemaEntry, numRows> entries{};
  for (size_t i = 0; i < numRows; ++i)
    entries[i] = {{rows[i].domain.data(), rows[i].domain.size()},
                  {rows[i].opType.data(), rows[i].opType.size()},
                  rows[i].since};
  return entries;
}
constexpr auto entries = tableEntries();

std::array<std::once_flag, numRows> buildOnce;
std::array<std::atomic<const onnx::OpSchema *>, numRows> builtSchemas;
std::atomic<unsigned> numBuilt{0};

} // namespace

const onnx::OpSchema *onnxfold::schemaOf(const SchemaEntry &entry) {
  size_t index = &entry - entries.data();
  if (const onnx::OpSchema *built = builtSchemas[index]) // for most nodes
    return built;
  std::call_once(buildOnce[index], [index] {
    auto *schema = new onnx::OpSchema(rows[index].build());
    schema->Finalize();
    builtSchemas[index] = schema; // lives as long as the program
    ++numBuilt;
  });
  return builtSchemas[index];
}

namespace {

class LazyRegistry final : public onnx::ISchemaRegistry {
public:
  const onnx::OpSchema *GetSchema(const std::string &opType, int opset,
                                  const std::string &domain) const override {
    return lookupSchema(domain, opType, opset);
  }
};

/// The row that holds in `opset`, or null.
const SchemaEntry *entryIn(llvm::StringRef domain, llvm::StringRef opType,
                           int64_t opset) {
  llvm::ArrayRef<SchemaEntry> versions = schemasOf(domain, opType);
  const SchemaEntry *next = llvm::partition_point(
      versions, [&](const SchemaEntry &entry) { return entry.since <= opset; });
  return next == versions.begin() ? nullptr : next - 1;
}

} // namespace

llvm::StringRef onnxfold::canonicalDomain(llvm::StringRef domain) {
  return domain == "ai.onnx" ? llvm::StringRef() : domain;
}

static llvm::ArrayRef<SchemaEntry> schemasOfDomain(llvm::StringRef domain) {
  domain = canonicalDomain(domain);
  auto [first, last] = std::equal_range(
      entries.begin(), entries.end(), SchemaEntry{domain, {}, 0},
      [](const SchemaEntry &a, const SchemaEntry &b) {
        return a.domain < b.domain;
      });
  return {first, last};
}

bool onnxfold::isSchemaDomain(llvm::StringRef domain) {
  return !schemasOfDomain(domain).empty();
}

int onnxfold::latestOpset(llvm::StringRef domain) {
  // Asked for every node; a new opset is made for a changed operator.
  static const llvm::StringMap<int> latest = [] {
    llvm::StringMap<int> found;
    for (const SchemaEntry &entry : entries) {
      int &since = found[entry.domain];
      since = std::max(since, entry.since);
    }
    return found;
  }();
  return latest.lookup(canonicalDomain(domain));
}

llvm::ArrayRef<SchemaEntry> onnxfold::allSchemas() { return entries; }

llvm::ArrayRef<SchemaEntry> onnxfold::schemasOf(llvm::StringRef domain,
                                                llvm::StringRef opType) {
  using Key = std::pair<llvm::StringRef, llvm::StringRef>;
  using Versions = llvm::ArrayRef<SchemaEntry>;
  // Asked several times for every node.
  static const llvm::DenseMap<Key, Versions> byOperator = [] {
    llvm::DenseMap<Key, Versions> found;
    for (Versions rest = entries; !rest.empty();) {
      Key key(rest.front().domain, rest.front().opType);
      Versions versions = rest.take_while([&](const SchemaEntry &entry) {
        return Key(entry.domain, entry.opType) == key;
      });
      found[key] = versions;
      rest = rest.drop_front(versions.size());
    }
    return found;
  }();
  return byOperator.lookup({canonicalDomain(domain), opType});
}

std::optional<int> onnxfold::resolveSince(llvm::StringRef domain,
                                          llvm::StringRef opType,
                                          int64_t opset) {
  const SchemaEntry *entry = entryIn(domain, opType, opset);
  return entry ? std::optional(entry->since) : std::nullopt;
}

const onnx::OpSchema *onnxfold::lookupSchema(llvm::StringRef domain,
                                             llvm::StringRef opType,
                                             int64_t opset) {
  const SchemaEntry *entry = entryIn(domain, opType, opset);
  return entry ? schemaOf(*entry) : nullptr;
}

const onnx::OpSchema *onnxfold::schemaSince(llvm::StringRef domain,
                                            llvm::StringRef opType,
                                            int64_t since) {
  const SchemaEntry *entry = entryIn(domain, opType, since);
  return entry && entry->since == since ? schemaOf(*entry) : nullptr;
}

bool onnxfold::isDeterministic(llvm::StringRef domain, llvm::StringRef opType) {
  static constexpr llvm::StringLiteral random[] = {
      "Bernoulli",        "Dropout",       "Multinomial",      "RandomNormal",
      "RandomNormalLike", "RandomUniform", "RandomUniformLike"};
  if (canonicalDomain(domain).empty())
    return !llvm::is_contained(random, opType);
  return domain != "ai.onnx.preview.training" || opType != "Gradient";
}

const onnx::ISchemaRegistry &onnxfold::schemaRegistry() {
  static const LazyRegistry registry;
  return registry;
}

unsigned onnxfold::numBuiltSchemas() { return numBuilt; }
