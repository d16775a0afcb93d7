//===- TransposeTile.cpp - Transposing rectangles of memory ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/internal/TransposeTile.h"
#include "onnxfold/elements/internal/CopyRuns.h"
#include "onnxfold/widenum/Dispatch.h"
#include <algorithm>
#include <cstring>
#include <utility>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

using namespace onnxfold;

/// 16 bytes of elements. (Of g++ and clang, for every processor.)
template <class T> struct VectorOf { using Type [[gnu::vector_size(16)]] = T; };
template <class T> using Vector = typename VectorOf<T>::Type;

/// The elements of a and b in turn, from element `first` of each.
template <class T, size_t first, size_t... i>
static inline Vector<T> interleave(Vector<T> a, Vector<T> b,
                                   std::index_sequence<i...>) {
  return __builtin_shufflevector(a, b,
                                 (first + i / 2 + i % 2 * sizeof...(i))...);
}

static inline void streamVector(char *out, const char *in) {
#ifdef __SSE2__
  _mm_stream_si128(reinterpret_cast<__m128i *>(out),
                   _mm_load_si128(reinterpret_cast<const __m128i *>(in)));
#else
  std::memcpy(out, in, 16);
#endif
}

/// A square as wide as a vector, in registers. Interleaving the first half of
/// the vectors with the second rotates the bits of (vector, lane) by one;
/// log2(side) rotations swap vector and lane.
template <class T>
static inline void transposeSquare(const char *in, int64_t inPitch, char *out,
                                   int64_t outPitch) {
  constexpr int side = 16 / sizeof(T);
  constexpr auto lanes = std::make_index_sequence<side>();
  Vector<T> v[side], w[side];
  for (int i = 0; i < side; ++i)
    std::memcpy(&v[i], in + i * inPitch, 16);
#pragma GCC unroll 4
  for (int step = 1; step < side; step *= 2) {
#pragma GCC unroll 16
    for (int i = 0; i < side / 2; ++i) {
      w[2 * i] = interleave<T, 0>(v[i], v[i + side / 2], lanes);
      w[2 * i + 1] = interleave<T, side / 2>(v[i], v[i + side / 2], lanes);
    }
#pragma GCC unroll 16
    for (int i = 0; i < side; ++i)
      v[i] = w[i];
  }
  for (int i = 0; i < side; ++i)
    std::memcpy(out + i * outPitch, &v[i], 16);
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
      streamVector(out + r * outPitch + i, lines + r * 64 + i);
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
    streamFence();
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
