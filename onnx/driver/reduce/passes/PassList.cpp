//===- PassList.cpp - The passes of the reducer ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"

using namespace onnxfold;

static constexpr bool published = true;

static const ReducePass passes[] = {
    {"functions", proposeInlining},
    {"open sizes", proposeOpenSizes},
    {"outputs", proposeOutputs},
    {"nodes", proposeSeparation},
    {"branches", proposeBranches},
    {"trip counts", proposeTripCounts},
    {"nodes by their operands", proposeBypasses},
    {"function outputs", proposeFunctionOutputs},
    {"constant nodes", proposeConstantNodes},
    {"optional operands", proposeOptionalOperands},
    {"attributes", proposeAttributes},
    {"sizes", proposeSizes},
    {"weights", proposeWeights},
    {"element types", proposeElementTypes},
    {"opsets", proposeOpsets},
    {"metadata", proposeMetadata},
    {"names", proposeNames},
    {"texts", proposePublicTexts, published},
    {"weights for publication", proposePublicWeights, published},
};

llvm::ArrayRef<ReducePass> onnxfold::reducePasses() { return passes; }
