//===- PassList.cpp - The passes of the reducer ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"

using namespace onnxfold;

using Way = ReducePass::Way;
using Part = ReducePass::Part;

static const ReducePass passes[] = {
    {"functions", proposeInlining, Way::Halves, Part::Nodes, Part::Nodes},
    {"nodes", proposeSeparation, Way::Ordered, Part::Nodes, Part::Nodes,
     neighboursOfNodes, groupsOfNodes},
    {"outputs", proposeOutputs, Way::Halves, Part::Nodes, Part::Nodes},
    {"branches", proposeBranches, Way::Halves, Part::Nodes, Part::Nodes},
    {"trip counts", proposeTripCounts, Way::Halves, Part::Nodes, Part::Nodes},
    {"nodes by their operands", proposeBypasses, Way::Halves, Part::Nodes,
     Part::Values},
    {"function outputs", proposeFunctionOutputs, Way::Halves, Part::Nodes,
     Part::Nodes},
    {"open sizes", proposeOpenSizes, Way::Together, Part::Values, Part::Values},
    {"constant nodes", proposeConstantNodes, Way::Together, Part::Values,
     Part::Nodes},
    {"optional operands", proposeOptionalOperands, Way::Together, Part::Values,
     Part::Values},
    {"attributes", proposeAttributes, Way::Together, Part::Values,
     Part::Values},
    {"sizes", proposeSizes, Way::Together, Part::Values, Part::Values},
    {"weights", proposeWeights, Way::Together, Part::Values, Part::Values},
    {"element types", proposeElementTypes, Way::Together, Part::Values,
     Part::Values},
    {"opsets", proposeOpsets, Way::Together, Part::Texts, Part::Nodes},
    {"metadata", proposeMetadata, Way::Together, Part::Texts, Part::Nodes},
    {"names", proposeNames, Way::Together, Part::Texts, Part::Nodes},
    {"texts", proposePublicTexts, Way::Published, Part::Texts, Part::Nodes},
    {"weights for publication", proposePublicWeights, Way::Published,
     Part::Texts, Part::Nodes},
};

llvm::ArrayRef<ReducePass> onnxfold::reducePasses() { return passes; }
