//===- Machine.cpp - Compiled models in this process ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/compile/Machine.h"
#include "onnxfold/dealloc/runtime/RetainBuffers.h"
#include "onnxfold/onnx/compile/GuardedMemory.h"
#include "onnxfold/onnx/programs/BFloat16Builtins.h"
#include "onnxfold/onnx/programs/KernelEntry.h"
#include "onnxfold/onnx/programs/ModelEntry.h"
#include "onnxfold/sequence/runtime/Runtime.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"
#include <cstddef>
#include <cstring>
#include <malloc.h>

using namespace onnxfold;

// sequence/runtime/MemRefCopy.cpp
extern "C" void memrefCopy(int64_t, void *, void *);

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

static MemoryCounts counts;
static ProgramMemory programMemory = ProgramMemory::Plain;

const MemoryCounts &onnxfold::memoryCounts() { return counts; }

void onnxfold::resetMemoryCounts() {
  uint64_t live = counts.liveBytes;
  counts = MemoryCounts();
  counts.liveBytes = counts.peakBytes = live;
}

static bool isGuarded() { return programMemory == ProgramMemory::Guarded; }

static uint64_t sizeOfBlock(void *block) {
  return isGuarded() ? guardedSize(block) : malloc_usable_size(block);
}

static void *noteAllocation(void *block) {
  if (!block)
    return block;
  ++counts.allocations;
  counts.liveBytes += sizeOfBlock(block);
  counts.peakBytes = std::max(counts.peakBytes, counts.liveBytes);
  return block;
}

static void *countedMalloc(size_t bytes) {
  return noteAllocation(isGuarded()
                            ? guardedAllocate(alignof(max_align_t), bytes)
                            : std::malloc(bytes));
}

static void *countedAlignedAlloc(size_t alignment, size_t bytes) {
  return noteAllocation(isGuarded() ? guardedAllocate(alignment, bytes)
                                    : std::aligned_alloc(alignment, bytes));
}

/// LLVM makes this of malloc and the zeros that are stored there.
static void *countedCalloc(size_t count, size_t bytes) {
  if (bytes && count > SIZE_MAX / bytes)
    return nullptr;
  void *block = countedMalloc(count * bytes);
  return block ? std::memset(block, 0, count * bytes) : nullptr;
}

static void countedFree(void *block) {
  if (!block)
    return;
  ++counts.frees;
  counts.liveBytes -= sizeOfBlock(block);
  isGuarded() ? guardedFree(block) : std::free(block);
}

static void *countedRealloc(void *block, size_t bytes) {
  if (!block)
    return countedMalloc(bytes);
  if (!isGuarded()) {
    ++counts.frees;
    counts.liveBytes -= sizeOfBlock(block);
    return noteAllocation(std::realloc(block, bytes));
  }
  void *moved = countedMalloc(bytes);
  if (!moved)
    return moved;
  std::memcpy(moved, block, std::min(bytes, guardedSize(block)));
  countedFree(block);
  return moved;
}

static void *countedMemcpy(void *to, const void *from, size_t bytes) {
  ++counts.copies;
  counts.copiedBytes += bytes;
  return std::memcpy(to, from, bytes);
}

static void countedMemrefCopy(int64_t bytes, void *from, void *to) {
  ++counts.copies;
  memrefCopy(bytes, from, to);
}

void onnxfold::freeOfProgram(void *block) {
  programMemory == ProgramMemory::Plain ? std::free(block) : countedFree(block);
}

const void *onnxfold::memoryOfInput(const void *data, size_t bytes) {
  return isGuarded() ? guardedCopy(data, bytes) : data;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Machine::Machine() = default;
Machine::Machine(Machine &&) noexcept = default;
Machine::~Machine() = default;

namespace {
/// Symbols that compiled code may call.
class Symbols {
public:
  explicit Symbols(llvm::orc::LLJIT &jit) : jit(jit) {}

  template <typename F> void add(llvm::StringRef name, F *function) {
    map[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  }
  llvm::Error define() {
    return jit.getMainJITDylib().define(
        llvm::orc::absoluteSymbols(std::move(map)));
  }

private:
  llvm::orc::LLJIT &jit;
  llvm::orc::SymbolMap map;
};
} // namespace

static void addRuntime(Symbols &symbols) {
#define SEQUENCE_SYMBOL(NAME) symbols.add(#NAME, &NAME);
#include "onnxfold/sequence/runtime/Symbols.def"
  symbols.add("onnxfoldKernelCall", &onnxfoldKernelCall);
  symbols.add("onnxfoldModelCall", &onnxfoldModelCall);
  symbols.add("onnxfold_retain_buffers", &onnxfold_retain_buffers);
  symbols.add("__truncsfbf2", &onnxfoldRoundFloat);
  symbols.add("__truncdfbf2", &onnxfoldRoundDouble);
}

/// Results of some hundred kilobytes come from the heap, which keeps what is
/// freed: pages of their own would be cleared by the system in each call, which
/// took as long as the rest of MobileNet.
static void keepFreedMemory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20); // the most that glibc takes
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

static void addMemory(Symbols &symbols, ProgramMemory memory) {
  keepFreedMemory();
  programMemory = memory;
  if (memory == ProgramMemory::Plain) {
    symbols.add("memrefCopy", &memrefCopy);
    return;
  }
  symbols.add("malloc", &countedMalloc);
  symbols.add("calloc", &countedCalloc);
  symbols.add("free", &countedFree);
  symbols.add("realloc", &countedRealloc);
  symbols.add("aligned_alloc", &countedAlignedAlloc);
  symbols.add("memcpy", &countedMemcpy);
  symbols.add("memrefCopy", &countedMemrefCopy);
  setKernelAllocator(&countedMalloc);
  sequence::setSequenceAllocator({&countedMalloc, &countedFree});
}

llvm::Expected<Machine>
Machine::load(std::unique_ptr<llvm::MemoryBuffer> object,
              ProgramMemory memory) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  Machine machine;
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  machine.jit = std::move(*jit);
  Symbols symbols(*machine.jit);
  addRuntime(symbols);
  addMemory(symbols, memory);
  if (llvm::Error error = symbols.define())
    return error;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      machine.jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  machine.jit->getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error = machine.jit->addObjectFile(std::move(object)))
    return error;
  auto entry = machine.jit->lookup("onnxfold_run");
  if (!entry)
    return entry.takeError();
  auto text = machine.jit->lookup("onnxfold_signature");
  if (!text)
    return text.takeError();
  machine.entry = entry->toPtr<void (*)(int64_t *)>();
  machine.signatureText = text->toPtr<const char *>();
  return machine;
}

llvm::Expected<Signature> Machine::signature() const {
  return Signature::fromText(signatureText);
}
