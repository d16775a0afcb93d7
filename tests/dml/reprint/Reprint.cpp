//===- Reprint.cpp - dml-reprint, for tests of the parser -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads scripts and prints them again, each after a line "@@ok FILE", or one
// line "@@error MESSAGE".
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/syntax/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold::dml;

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    auto file = llvm::MemoryBuffer::getFile(argv[i]);
    if (!file) {
      llvm::errs() << argv[i] << ": " << file.getError().message() << "\n";
      return 1;
    }
    llvm::Expected<Script> script = parseScript((*file)->getBuffer(), argv[i]);
    if (!script) {
      llvm::outs() << "@@error " << llvm::toString(script.takeError()) << "\n";
      continue;
    }
    llvm::outs() << "@@ok " << argv[i] << "\n";
    print(llvm::outs(), *script);
  }
}
