#include "passes/Schedule/Steps/ScheduledProgram.h"

namespace cameo::schedule {

unsigned countNests(const TaskProgram &program) {
  unsigned count = 0;
  for (const NestGroup &group : program.groups)
    count += group.nests.size();
  return count;
}

NumberedNest findNest(const TaskProgram &program, unsigned number) {
  for (const NestGroup &group : program.groups) {
    if (number < group.nests.size())
      return {&group, &group.nests[number]};
    number -= group.nests.size();
  }
  return {};
}

} // namespace cameo::schedule
