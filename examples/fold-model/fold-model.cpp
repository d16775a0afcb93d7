// SPDX-License-Identifier: Apache-2.0
// fold-model MODEL OUTPUT: folds a file, and the same model in memory.
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;

/// Both ways give the same bytes. The reports say what became of the nodes.
static llvm::Error foldTwice(llvm::StringRef model, llvm::StringRef output) {
  FoldReport report, again;
  std::string folded;
  if (llvm::Error error = foldModel(ModelInput::file(model),
                                    ModelOutput::file(output), {}, report))
    return error;
  auto bytes = llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(model));
  if (!bytes)
    return bytes.takeError();
  if (llvm::Error error = foldModel(ModelInput::bytes((*bytes)->getBuffer()),
                                    ModelOutput::bytes(folded), {}, again))
    return error;
  printSummary(llvm::outs(), report);
  llvm::outs() << "in memory: " << folded.size() << " bytes\n";
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::Error error =
      argc == 3 ? foldTwice(argv[1], argv[2])
                : llvm::createStringError("usage: fold-model MODEL OUTPUT");
  if (!error)
    return 0;
  llvm::errs() << "fold-model: " << llvm::toString(std::move(error)) << "\n";
  return 1;
}
