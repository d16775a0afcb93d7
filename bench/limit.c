/* SPDX-License-Identifier: Apache-2.0 */
/*===- limit.c - What the machine allows: read, compute, write ---------------===
 *
 *   limit THREADS INPUT OUTPUT copy|transpose|chain ROWS COLUMNS
 *
 * The bare limit beside a row of bench_tool.py: INPUT is taken as matrices of
 * floats that follow each other, each is copied, transposed, or transposed and
 * put through 17 operators (models.transposedChains), and written to the same
 * place of OUTPUT. Nothing is parsed, inferred or checked. Threads take
 * matrices in turn; a piece of some hundred kilobytes is computed in the caches
 * and written. Space for the output is asked for before, which `cp` does not.
 *
 *===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { pieceBytes = 512 << 10, tile = 16 };
static size_t rows, columns, matrices;
static const char *input;
static int output, transposes, computes;
static atomic_size_t next;

/* `count` columns of a matrix as rows: in tiles whose lines stay in L1. */
static void transpose(const float *in, size_t count, float *out) {
  for (size_t i = 0; i < rows; i += tile)
    for (size_t j = 0; j < count; j += tile)
      for (size_t c = j; c < j + tile && c < count; ++c)
        for (size_t r = i; r < i + tile && r < rows; ++r)
          out[c * rows + r] = in[r * columns + c];
}

static void chain(float *data, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    float v = data[i];
    for (int third = 0; third < 3; ++third)
      v = fabsf((v * (1.0f + 0.25f * third) + 0.5f) / 3.0f - 0.25f);
    data[i] = -sqrtf(v);
  }
}

static int writeAll(const void *bytes, size_t size, size_t offset) {
  for (ssize_t count; size != 0; size -= count, offset += count) {
    count = pwrite(output, bytes, size, offset);
    if (count <= 0)
      return 0;
    bytes = (const char *)bytes + count;
  }
  return 1;
}

static void *work(void *unused) {
  size_t height = transposes ? columns : rows,
         width = transposes ? rows : columns;
  size_t most = pieceBytes / (width * sizeof(float)) / tile * tile + tile;
  float *piece = malloc(most * width * sizeof(float));
  for (size_t matrix; piece && (matrix = next++) < matrices;)
    for (size_t first = 0, count; first < height; first += count) {
      size_t begin = matrix * rows * columns * sizeof(float);
      count = height - first < most ? height - first : most;
      if (transposes)
        transpose((const float *)(input + begin) + first, count, piece);
      else
        memcpy(piece, input + begin + first * width * sizeof(float),
               count * width * sizeof(float));
      if (computes)
        chain(piece, count * width);
      if (!writeAll(piece, count * width * sizeof(float),
                    begin + first * width * sizeof(float)))
        exit(1);
    }
  free(piece);
  return unused;
}

int main(int argc, char **argv) {
  if (argc != 7)
    return 2;
  int threads = atoi(argv[1]), file = open(argv[2], O_RDONLY);
  output = open(argv[3], O_RDWR | O_CREAT | O_TRUNC, 0644);
  computes = !strcmp(argv[4], "chain");
  transposes = computes || !strcmp(argv[4], "transpose");
  rows = atol(argv[5]), columns = atol(argv[6]);
  struct stat status;
  if (file < 0 || output < 0 || fstat(file, &status) || threads > 64)
    return 1;
  size_t size = status.st_size;
  input = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
  matrices = size / (rows * columns * sizeof(float));
  if (input == MAP_FAILED || ftruncate(output, size))
    return 1;
  (void)!fallocate(output, 0, 0, size);
  pthread_t others[64];
  for (int i = 1; i < threads; ++i)
    if (pthread_create(&others[i], NULL, work, NULL))
      return 1;
  work(NULL);
  for (int i = 1; i < threads; ++i)
    pthread_join(others[i], NULL);
  return 0;
}
