//===- CopyRuns.cpp - Copying runs of bytes to large results --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/internal/CopyRuns.h"
#include "onnxfold/widenum/CpuLevel.h"
#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace onnxfold;

#ifdef __x86_64__

// One line at a time, at addresses that are whole lines in `out`. A line that
// is written in one piece is sent to memory at once; of several lines in flight
// the processor sometimes sends half. The arguments are in registers: a struct
// that is put together on the stack is read before its parts are there, behind
// all stores that wait for memory.
namespace {

[[gnu::target("avx512f")]] void streamLines64(char *out, const char *in,
                                              int64_t lines) {
  for (; lines > 0; --lines, in += 64, out += 64)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(out),
                        _mm512_loadu_si512(in));
}

[[gnu::target("avx")]] void streamLines32(char *out, const char *in,
                                          int64_t lines) {
  for (; lines > 0; --lines, in += 64, out += 64) {
    auto *from = reinterpret_cast<const __m256i *>(in);
    auto *to = reinterpret_cast<__m256i *>(out);
    __m256i low = _mm256_loadu_si256(from), high = _mm256_loadu_si256(from + 1);
    _mm256_stream_si256(to, low);
    _mm256_stream_si256(to + 1, high);
  }
}

void streamLines16(char *out, const char *in, int64_t lines) {
  for (; lines > 0; --lines, in += 64, out += 64) {
    auto *from = reinterpret_cast<const __m128i *>(in);
    auto *to = reinterpret_cast<__m128i *>(out);
    __m128i v[4];
    for (int i = 0; i < 4; ++i)
      v[i] = _mm_loadu_si128(from + i);
    for (int i = 0; i < 4; ++i)
      _mm_stream_si128(to + i, v[i]);
  }
}

} // namespace

void onnxfold::streamCopy(char *out, const char *in, int64_t bytes) {
  int64_t head =
      std::min<int64_t>(bytes, -reinterpret_cast<uintptr_t>(out) % 64);
  int64_t lines = (bytes - head) / 64;
  std::memcpy(out, in, head);
  switch (cpuLevel()) {
  case CpuLevel::Avx512:
    streamLines64(out + head, in + head, lines);
    break;
  case CpuLevel::Avx2:
    streamLines32(out + head, in + head, lines);
    break;
  case CpuLevel::Baseline:
    streamLines16(out + head, in + head, lines);
    break;
  }
  int64_t done = head + lines * 64;
  std::memcpy(out + done, in + done, bytes - done);
}

void onnxfold::streamFence() { _mm_sfence(); }

#else

void onnxfold::streamCopy(char *out, const char *in, int64_t bytes) {
  std::memcpy(out, in, bytes);
}

void onnxfold::streamFence() {}

#endif
