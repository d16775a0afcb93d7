/* SPDX-License-Identifier: Apache-2.0 */
/*===- machine.c - What the machine does in this second ----------------------===
 *
 *   machine FILE
 *
 * Prints GB/s of a copy between warm buffers, of the first write to fresh
 * memory (page faults), of writing a new file, of reading it, and of
 * copy_file_range from it to another one (0: the file system has none). Each is
 * the best of three, of 64 MB. FILE and FILE.copy are removed.
 *
 *===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { size = 64 << 20, piece = 1 << 20, times = 3 };
static char *from, *to;
static const char *path;
static char copyPath[4096];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void copyMemory(void) { memcpy(to, from, size); }

static void touchFresh(void) {
  char *fresh = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED)
    exit(1);
  for (size_t at = 0; at < size; at += 4096)
    fresh[at] = 1;
  munmap(fresh, size);
}

static void writeFile(void) {
  unlink(path);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
  for (size_t at = 0; at < size; at += piece)
    if (pwrite(file, from + at, piece, at) != piece)
      exit(1);
  close(file);
}

static void readFile(void) {
  int file = open(path, O_RDONLY);
  for (size_t at = 0; at < size; at += piece)
    if (pread(file, to + at, piece, at) != piece)
      exit(1);
  close(file);
}

static int copied;
static void copyRange(void) {
  unlink(copyPath);
  int in = open(path, O_RDONLY);
  int out = open(copyPath, O_WRONLY | O_CREAT | O_EXCL, 0644);
  ssize_t count = 1;
  for (size_t done = 0; done < size && count > 0; done += count)
    count = copy_file_range(in, NULL, out, NULL, size - done, 0);
  copied = count > 0;
  close(in);
  close(out);
}

static double rate(void (*work)(void)) {
  double best = 1e9;
  for (int time = 0; time < times; ++time) {
    double begin = now(), seconds;
    work();
    seconds = now() - begin;
    best = seconds < best ? seconds : best;
  }
  return size / best * 1e-9;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  path = argv[1];
  snprintf(copyPath, sizeof(copyPath), "%s.copy", path);
  from = malloc(size), to = malloc(size);
  memset(from, 'a', size), memset(to, 'b', size);
  double memory = rate(copyMemory), fresh = rate(touchFresh);
  double writing = rate(writeFile), reading = rate(readFile);
  double range = rate(copyRange);
  unlink(path), unlink(copyPath);
  printf("%.2f %.2f %.2f %.2f %.2f\n", memory, fresh, writing, reading,
         copied ? range : 0);
  return 0;
}
