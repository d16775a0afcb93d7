//===- Preparation.h - Changes to a model before it is exported -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What converters of scikit-learn write and DML does not have: a batch without
// a name, dictionaries and lists of scores, an operator for distances, and
// gathers from a list whose result has the batch as its second dimension.
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_PREPARATION_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_PREPARATION_H

#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace onnxfold::dml {

/// Gives the first dimensions of inputs that are open and have no name the name
/// of the batch: that of the first one that has a name, else "batch". False if
/// there are none.
bool nameBatch(mlir::ModuleOp module);

/// Replaces the results of ZipMap, dictionaries for each row, by the tensors
/// that they are made of. Calls `say` with a text for each.
bool removeZipMaps(mlir::ModuleOp module,
                   llvm::function_ref<void(const llvm::Twine &)> say);

/// Outputs that are lists of tensors, which classifiers of several targets have,
/// become outputs of their own, <name>_1 and so on. Calls `say` with a text for
/// each. False if there are none.
bool splitLists(mlir::ModuleOp module,
                llvm::function_ref<void(const llvm::Twine &)> say);

/// Writes com.microsoft.CDist, by Euclid's metric, in operators of ONNX. False if
/// there is none. (Distances.cpp)
bool replaceDistances(mlir::ModuleOp module);

/// ArrayFeatureExtractor of a list has a result of one row. Where only its
/// values are used, it becomes a Gather, whose result has the shape of the
/// indices. False if there is none.
bool gatherFromLists(mlir::Region &graph, const KnownTypes &types);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_PREPARATION_H
