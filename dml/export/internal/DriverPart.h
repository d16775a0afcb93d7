//===- DriverPart.h - The script around the function of a graph -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The end of a script. It reads inputs and weights, calls the function of the
// graph and writes outputs. Everything that a user may choose is a parameter
// with a default. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_DRIVERPART_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_DRIVERPART_H

#include "onnxfold/dml/export/internal/GraphExport.h"

namespace onnxfold::dml {

Body driverPart(const GraphExport &graph, const DmlOptions &options);

/// The folder of weights: "model.weights" for "out/model.dml".
std::string weightFolder(const DmlOptions &options);
/// The file of a weight: "W.bin".
std::string weightFile(const Weight &weight, const DmlOptions &options);

/// The metadata file that SystemDS needs for a matrix whose size the script
/// does not state.
std::string metadataText(const Weight &weight, const DmlOptions &options);

/// The script reads and writes frames of words, if its parameter `frames` is
/// TRUE. The words of a port are a table of codes in the folder of weights.
bool usesFrames(const GraphExport &graph, const DmlOptions &options);
std::string wordsFile(const GraphExport::Port &port);
struct CompanionFile {
  std::string name, text;
};
std::vector<CompanionFile> wordFiles(const GraphExport &graph);

/// The inputs, the outputs and their parameters as JSON
/// (DmlOptions::interfaceFile).
std::string interfaceText(const GraphExport &graph);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_DRIVERPART_H
