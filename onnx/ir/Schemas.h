//===- Schemas.h - ONNX operator schemas, built when asked for --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// All schemas of the ONNX library (ai.onnx, ai.onnx.ml, ai.onnx.preview,
// ai.onnx.preview.training), without the library's own registry, which builds
// all of them (10 ms, 5 MB) at its first use. A table has the names and
// versions. A schema is built (about 0.1 ms) when it is first used, and lives
// as long as the program.
//
// "" and "ai.onnx" are the same domain in these functions; results have "".
//
// The functions are thread safe and do not throw.
//
//   if (std::optional<int> since = resolveSince("", "Abs", 17)) // 13
//     const onnx::OpSchema *schema = schemaSince("", "Abs", *since);
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_SCHEMAS_H
#define ONNXFOLD_ONNX_IR_SCHEMAS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace onnx {
class FunctionProto;
class ISchemaRegistry;
class OpSchema;
} // namespace onnx

namespace onnxfold {

/// One row of the table: one version of an operator. Strings are static.
struct SchemaEntry {
  llvm::StringRef domain;
  llvm::StringRef opType;
  int since;
};

/// "ai.onnx" becomes "", other domains are unchanged.
llvm::StringRef canonicalDomain(llvm::StringRef domain);

/// Whether the library has schemas of the domain ("com.microsoft": false).
bool isSchemaDomain(llvm::StringRef domain);

/// The newest opset of a domain in this library; 0 for other domains.
int latestOpset(llvm::StringRef domain);

/// All rows, ordered by domain, operator, version.
llvm::ArrayRef<SchemaEntry> allSchemas();

/// The rows of one operator, ascending; empty if the operator is unknown.
llvm::ArrayRef<SchemaEntry> schemasOf(llvm::StringRef domain,
                                      llvm::StringRef opType);

/// The version of the operator in `opset`: the highest since_version that is
/// not above it. Nothing if the operator is unknown or was added later. Opsets
/// newer than latestOpset resolve like the latest one. Whether the operator has
/// changed since cannot be known, so callers that must be exact check
/// latestOpset first. Builds no schema.
std::optional<int> resolveSince(llvm::StringRef domain, llvm::StringRef opType,
                                int64_t opset);

/// The schema of a row of the table. REQUIRES: `entry` is in allSchemas().
const onnx::OpSchema *schemaOf(const SchemaEntry &entry);

/// The schema that holds in `opset`, or null (see resolveSince).
const onnx::OpSchema *lookupSchema(llvm::StringRef domain,
                                   llvm::StringRef opType, int64_t opset);

/// The schema with exactly this since_version, or null.
const onnx::OpSchema *schemaSince(llvm::StringRef domain,
                                  llvm::StringRef opType, int64_t since);

/// Whether two runs of the operator with the same inputs and attributes have
/// the same results. This is our list (from the operators' texts) and not the
/// schema's flag, which calls If and Loop random. RandomNormal(Like),
/// RandomUniform(Like), Multinomial and Bernoulli are random, even with a seed;
/// Dropout may be random; Gradient depends on the rest of the graph. Operators
/// with graph attributes are as deterministic as their graphs. True for
/// operators that are not known.
bool isDeterministic(llvm::StringRef domain, llvm::StringRef opType);

/// The same schemas as a registry, for functions of the ONNX library that take
/// one.
const onnx::ISchemaRegistry &schemaRegistry();

/// Number of schemas built so far (for tests of the start-up cost).
unsigned numBuiltSchemas();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_SCHEMAS_H
