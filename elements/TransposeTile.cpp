//===- TransposeTile.cpp - Transposing rectangles of memory ---------------===//

#include "onnxfold/elements/internal/TransposeTile.h"
#include "onnxfold/widenum/Dispatch.h"
#include <algorithm>
#include <cstring>
#include <emmintrin.h>

using namespace onnxfold;

template <class T> static __m128i interleaveLow(__m128i a, __m128i b) {
  if constexpr (sizeof(T) == 1)
    return _mm_unpacklo_epi8(a, b);
  else if constexpr (sizeof(T) == 2)
    return _mm_unpacklo_epi16(a, b);
  else if constexpr (sizeof(T) == 4)
    return _mm_unpacklo_epi32(a, b);
  else
    return _mm_unpacklo_epi64(a, b);
}

template <class T> static __m128i interleaveHigh(__m128i a, __m128i b) {
  if constexpr (sizeof(T) == 1)
    return _mm_unpackhi_epi8(a, b);
  else if constexpr (sizeof(T) == 2)
    return _mm_unpackhi_epi16(a, b);
  else if constexpr (sizeof(T) == 4)
    return _mm_unpackhi_epi32(a, b);
  else
    return _mm_unpackhi_epi64(a, b);
}

/// A square as wide as a vector, in registers. Interleaving the first half of
/// the vectors with the second rotates the bits of (vector, lane) by one;
/// log2(side) rotations swap vector and lane.
template <class T>
static inline void transposeSquare(const char *in, int64_t inPitch, char *out,
                                   int64_t outPitch) {
  constexpr int side = 16 / sizeof(T);
  __m128i v[side], w[side];
  for (int i = 0; i < side; ++i)
    v[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(in + i * inPitch));
#pragma GCC unroll 4
  for (int step = 1; step < side; step *= 2) {
#pragma GCC unroll 16
    for (int i = 0; i < side / 2; ++i) {
      w[2 * i] = interleaveLow<T>(v[i], v[i + side / 2]);
      w[2 * i + 1] = interleaveHigh<T>(v[i], v[i + side / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < side; ++i)
      v[i] = w[i];
  }
  for (int i = 0; i < side; ++i)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(out + i * outPitch), v[i]);
}

/// A tile whose sides are one cache line.
template <class T>
static inline void transposeTile(const char *in, int64_t inPitch, char *out,
                                 int64_t outPitch) {
  constexpr int64_t width = sizeof(T), side = 16 / width, tile = 64 / width;
  // Columns outside, so that the lines of the source are read one by one and
  // those of the destination stay in L1.
  for (int64_t c = 0; c < tile; c += side)
    for (int64_t r = 0; r < tile; r += side)
      transposeSquare<T>(in + c * inPitch + r * width, inPitch,
                         out + r * outPitch + c * width, outPitch);
}

template <class T>
static inline void streamTile(const char *in, int64_t inPitch, char *out,
                              int64_t outPitch) {
  constexpr int64_t tile = 64 / sizeof(T);
  alignas(64) char lines[tile * 64];
  transposeTile<T>(in, inPitch, lines, 64);
  for (int64_t r = 0; r < tile; ++r)
    for (int64_t i = 0; i < 64; i += 16)
      _mm_stream_si128(reinterpret_cast<__m128i *>(out + r * outPitch + i),
                       _mm_load_si128(reinterpret_cast<const __m128i *>(
                           lines + r * 64 + i)));
}

/// Element by element, for less than a square.
template <class T>
static void transposeElements(const TransposePlane &p, int64_t r0, int64_t r1,
                              int64_t c0, int64_t c1) {
  constexpr int64_t width = sizeof(T), block = 128;
  // Lines of the source stay in L1 until all rows have read them.
  for (int64_t first = c0; first < c1; first += block)
    for (int64_t r = r0; r < r1; ++r)
      for (int64_t c = first; c < std::min(c1, first + block); ++c)
        std::memcpy(p.out + r * p.outPitch + c * width,
                    p.in + r * width + c * p.inPitch, width);
}

/// By squares, for what is left at the edges of the tiles.
template <class T>
static void transposeEdge(const TransposePlane &p, int64_t r0, int64_t r1,
                          int64_t c0, int64_t c1) {
  constexpr int64_t width = sizeof(T), side = 16 / width;
  int64_t r2 = r0 + (r1 - r0) / side * side, c2 = c0 + (c1 - c0) / side * side;
  for (int64_t c = c0; c < c2; c += side)
    for (int64_t r = r0; r < r2; r += side)
      transposeSquare<T>(p.in + c * p.inPitch + r * width, p.inPitch,
                         p.out + r * p.outPitch + c * width, p.outPitch);
  transposeElements<T>(p, r0, r2, c2, c1);
  transposeElements<T>(p, r2, r1, c0, c1);
}

template <class T> static void transpose(const TransposePlane &p, bool stream) {
  constexpr int64_t width = sizeof(T), tile = 64 / width;
  // Measured: streamed lines want long runs of the source, written lines want
  // neighbours that are written soon.
  int64_t bandRows = stream ? 1024 : 256, bandCols = stream ? tile : 4 * tile;
  // Streaming writes whole lines; the columns before the first one are an edge.
  int64_t lead = 0;
  if (stream)
    lead = std::min<int64_t>(p.cols, -reinterpret_cast<uintptr_t>(p.out) % 64 /
                                         sizeof(T));
  int64_t rows = p.rows / tile * tile;
  int64_t cols = lead + (p.cols - lead) / tile * tile;
  for (int64_t r0 = 0; r0 < rows; r0 += bandRows)
    for (int64_t c0 = lead; c0 < cols; c0 += bandCols)
      for (int64_t r = r0; r < std::min(rows, r0 + bandRows); r += tile)
        for (int64_t c = c0; c < std::min(cols, c0 + bandCols); c += tile) {
          const char *in = p.in + r * width + c * p.inPitch;
          char *out = p.out + r * p.outPitch + c * width;
          if (stream)
            streamTile<T>(in, p.inPitch, out, p.outPitch);
          else
            transposeTile<T>(in, p.inPitch, out, p.outPitch);
        }
  transposeEdge<T>(p, 0, rows, 0, lead);
  transposeEdge<T>(p, 0, rows, cols, p.cols);
  transposeEdge<T>(p, rows, p.rows, 0, p.cols);
  if (stream)
    _mm_sfence();
}

void onnxfold::transposePlane(const TransposePlane &plane, unsigned width,
                              bool stream) {
  bool wholeLines = reinterpret_cast<uintptr_t>(plane.out) % width == 0 &&
                    plane.outPitch % 64 == 0;
  visitByteWidth(width, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (sizeof(T) == 16)
      transposeElements<T>(plane, 0, plane.rows, 0, plane.cols);
    else
      transpose<T>(plane, stream && wholeLines);
  });
}
