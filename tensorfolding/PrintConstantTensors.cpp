//===- PrintConstantTensors.cpp - What is constant, and why not -----------===//

#include "onnxfold/tensorfolding/Passes.h"

namespace onnxfold {

#define GEN_PASS_DEF_PRINTCONSTANTTENSORSPASS
#include "onnxfold/tensorfolding/Passes.h.inc"

namespace {

class PrintConstantTensorsPass
    : public impl::PrintConstantTensorsPassBase<PrintConstantTensorsPass> {
public:
  void runOnOperation() override {}
};

} // namespace
} // namespace onnxfold
