# SPDX-License-Identifier: Apache-2.0
"""Faults of MLIR and LLVM in onnx-run: a library that takes the place of functions of libMLIR.so, and dies or fails in them."""

import os
import subprocess

SOURCE = r"""
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <unistd.h>
// In the way that DIES says: in each call, or, if FIRST names a file that is not there, in the first.
extern "C" void *FUNCTION(void *a, void *b, void *c) {
  const char *first = std::getenv("FIRST"), *how = std::getenv("DIES");
  if (first && access(first, F_OK) == 0)
    return reinterpret_cast<void *(*)(void *, void *, void *)>(dlsym(RTLD_NEXT, NAME))(a, b, c);
  if (first)
    std::fclose(std::fopen(first, "w"));
  if (!std::strcmp(how, "segv"))
    raise(SIGSEGV);
  if (!std::strcmp(how, "abort"))
    std::fputs("LLVM ERROR: it is broken\n", stderr), std::abort();
  if (!std::strcmp(how, "memory"))
    throw std::bad_alloc();
  if (!std::strcmp(how, "failure")) // llvm::LogicalResult
    return nullptr;
  if (!std::strcmp(how, "stack"))
    return FUNCTION(nullptr, nullptr, nullptr);
  std::exit(7);
}
"""
CREATE_CSE = "_ZN4mlir13createCSEPassEv"
BUFFERIZE = (
    "_ZN4mlir13bufferization25runOneShotModuleBufferizeEPNS_9OperationERKNS0_27OneShotBufferizationOptionsE"
    "RNS0_18BufferizationStateEPNS0_23BufferizationStatisticsE"
)  # what the pass one-shot-bufferize calls


def dying(folder, function=CREATE_CSE, death="abort", **more):
    """The environment in which onnx-run's compiler dies in a function; the library is made in the folder."""
    library = folder / f"{function}.so"
    if not library.exists():
        (folder / "fault.cpp").write_text(SOURCE)
        command = ["c++", "-w", "-O0", "-fPIC", "-shared", f"-DFUNCTION={function}", f'-DNAME="{function}"', folder / "fault.cpp"]
        subprocess.run([*command, "-o", library], check=True)
    return {"LD_PRELOAD": str(library), "DIES": death, "PATH": os.environ["PATH"], **more}
