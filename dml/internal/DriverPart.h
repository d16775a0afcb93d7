//===- DriverPart.h - What surrounds the function of a graph ----*- C++ -*-===//
//
// The end of a script: reads inputs and weights, calls the function of the
// graph, writes outputs. Everything that the caller may give is a parameter
// with a default. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_DRIVERPART_H
#define ONNXFOLD_DML_INTERNAL_DRIVERPART_H

#include "onnxfold/dml/internal/GraphExport.h"

namespace onnxfold::dml {

Body driverPart(const GraphExport &graph, const DmlOptions &options);

/// "model.weights" of "out/model.dml".
std::string weightFolder(const DmlOptions &options);
/// "W.bin".
std::string weightFile(const Weight &weight, const DmlOptions &options);

/// What SystemDS needs beside a file of which the script does not say the size.
std::string metadataText(const Weight &weight, const DmlOptions &options);

/// Inputs, outputs and their parameters as JSON: DmlOptions::interfaceFile.
std::string interfaceText(const GraphExport &graph);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_DRIVERPART_H
