//===- CopyRuns.cpp - Copying runs of bytes to large results --------------===//

#include "onnxfold/elements/CopyRuns.h"
#include "onnxfold/widenum/CpuLevel.h"
#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace onnxfold;

#ifdef __x86_64__

// One line at a time, at addresses that are whole lines in `out`. A line that
// is written in one piece goes out at once; of several pieces in flight the
// processor sometimes sends half.
namespace {

struct StreamArguments {
  char *out;
  const char *in;
  int64_t lines;
};

[[gnu::target("avx512f")]] void streamLines64(StreamArguments a) {
  for (; a.lines > 0; --a.lines, a.in += 64, a.out += 64)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(a.out),
                        _mm512_loadu_si512(a.in));
}

[[gnu::target("avx")]] void streamLines32(StreamArguments a) {
  for (; a.lines > 0; --a.lines, a.in += 64, a.out += 64) {
    auto *in = reinterpret_cast<const __m256i *>(a.in);
    auto *out = reinterpret_cast<__m256i *>(a.out);
    __m256i low = _mm256_loadu_si256(in), high = _mm256_loadu_si256(in + 1);
    _mm256_stream_si256(out, low);
    _mm256_stream_si256(out + 1, high);
  }
}

void streamLines16(StreamArguments a) {
  for (; a.lines > 0; --a.lines, a.in += 64, a.out += 64) {
    auto *in = reinterpret_cast<const __m128i *>(a.in);
    auto *out = reinterpret_cast<__m128i *>(a.out);
    __m128i v[4];
    for (int i = 0; i < 4; ++i)
      v[i] = _mm_loadu_si128(in + i);
    for (int i = 0; i < 4; ++i)
      _mm_stream_si128(out + i, v[i]);
  }
}

} // namespace

void onnxfold::streamCopy(char *out, const char *in, int64_t bytes) {
  int64_t head =
      std::min<int64_t>(bytes, -reinterpret_cast<uintptr_t>(out) % 64);
  int64_t lines = (bytes - head) / 64;
  std::memcpy(out, in, head);
  StreamArguments arguments = {out + head, in + head, lines};
  switch (cpuLevel()) {
  case CpuLevel::Avx512:
    streamLines64(arguments);
    break;
  case CpuLevel::Avx2:
    streamLines32(arguments);
    break;
  case CpuLevel::Baseline:
    streamLines16(arguments);
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
