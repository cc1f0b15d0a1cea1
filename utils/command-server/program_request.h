/* What a program of tests (program_client.c) hands to the server that runs it (ProgramServer.cpp), over a local stream:
 * this, with the folder and the streams that are open as descriptors beside it, then the words of the command line and
 * of the environment. The answer is the process's id, and when that has ended its status, as wait() has it; both are an
 * int. */
#ifndef CAMEO_UTILS_COMMANDSERVER_PROGRAM_REQUEST_H
#define CAMEO_UTILS_COMMANDSERVER_PROGRAM_REQUEST_H

#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Names the server: an address of AF_UNIX that is no file. */
#define CAMEO_PROGRAM_SERVER_VARIABLE "CAMEO_PROGRAM_SERVER"

enum { CAMEO_PROGRAM_STREAMS = 3, CAMEO_PROGRAM_DESCRIPTORS = CAMEO_PROGRAM_STREAMS + 1 };

typedef struct {
  uint32_t bytes; /* of all words, each with a zero behind it */
  uint32_t
      argument_count; /* words of the command line, the program's name among them; the others are of the environment */
  uint32_t open_streams; /* bit N: descriptor N is open */
  mode_t mask;           /* as umask() has it */
  struct rlimit limits[RLIM_NLIMITS];
} cameo_program_request;

#endif
