/* SPDX-License-Identifier: Apache-2.0 */
/*===- launcher.c - Runs a program, measures its time and its memory ---------===
 *
 *   launcher REPETITIONS PROGRAM [ARGUMENTS]
 *
 * Prints one line per run: seconds, peak resident bytes, exit status, seconds of
 * the processor in user and in kernel mode. All but the first are
 * what wait4 tells of the child; a Python parent cannot ask for it, because
 * a child's high-water mark starts at the size of the process that forked it.
 * Statically linked, this parent has less than any program that it measures.
 *
 *===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t) { return t.tv_sec + t.tv_usec * 1e-6; }

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  for (int left = atoi(argv[1]); left > 0; --left) {
    double begin = now();
    pid_t child = vfork();
    if (child < 0)
      return 2;
    if (child == 0) {
      execv(argv[2], argv + 2);
      _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child)
      return 2;
    printf("%.9f %ld %d %.6f %.6f\n", now() - begin, usage.ru_maxrss * 1024L,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
           seconds(usage.ru_utime), seconds(usage.ru_stime));
    fflush(stdout);
  }
  return 0;
}
