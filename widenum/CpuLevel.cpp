//===- CpuLevel.cpp - Which vector instructions are used ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/widenum/CpuLevel.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>

using namespace onnxfold;

static CpuLevel levelOfProcessor() {
#ifdef __x86_64__
  // The features of the two levels that both compilers can ask for; whoever has
  // them has the others too.
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
    return CpuLevel::Baseline;
#if !defined(__clang__) || __clang_major__ >= 16 // earlier ones cannot ask
  if (!__builtin_cpu_supports("f16c"))
    return CpuLevel::Baseline;
#endif
  bool avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return avx512 ? CpuLevel::Avx512 : CpuLevel::Avx2;
#else
  return CpuLevel::Baseline;
#endif
}

/// The level of the processor, or what the environment lowers it to.
static CpuLevel allowedLevel() {
  CpuLevel level = levelOfProcessor();
  const char *text = std::getenv("ONNXFOLD_CPU_LEVEL");
  if (!text || !*text)
    return level;
  auto wanted = llvm::StringSwitch<std::optional<CpuLevel>>(text)
                    .Case("baseline", CpuLevel::Baseline)
                    .Case("avx2", CpuLevel::Avx2)
                    .Case("avx512", CpuLevel::Avx512)
                    .Default(std::nullopt);
  if (!wanted)
    llvm::errs() << "warning: ONNXFOLD_CPU_LEVEL is '" << text
                 << "', expected baseline, avx2 or avx512\n";
  return std::min(level, wanted.value_or(level));
}

static std::atomic<CpuLevel> &currentLevel() {
  static std::atomic<CpuLevel> level = allowedLevel();
  return level;
}

CpuLevel onnxfold::cpuLevel() {
  return currentLevel().load(std::memory_order_relaxed);
}

ForcedCpuLevel::ForcedCpuLevel(CpuLevel level) : before(cpuLevel()) {
  currentLevel() = std::min(level, before);
}

ForcedCpuLevel::~ForcedCpuLevel() { currentLevel() = before; }
