// What blocks of a cluster do together in a GPU kernel.
#ifndef CAMEO_DIALECTS_TASK_TASKCLUSTEROPS_TD
#define CAMEO_DIALECTS_TASK_TASKCLUSTEROPS_TD

include "dialects/Task/TaskBase.td"

def Task_MeetClusterOp : Task_Op<"meet_cluster"> {
  let summary = "A barrier for all threads of the blocks of a cluster";
  let description = [{
    Behind it each thread sees what the others have written to the shared memory of their blocks. The cluster has
    `count` blocks, at least two (meet_cluster_c1).

    Example: `task.meet_cluster of 4`
  }];
  let arguments = (ins I64Attr:$count);
  let assemblyFormat = "`of` $count attr-dict";
  let hasVerifier = 1;
}

def Task_ReadNeighbourOp : Task_Op<"read_neighbour"> {
  let summary = "Reads a vector from the shared memory of a block of the same cluster";
  let description = [{
    `address` is a pointer to the shared memory of this block, and what is read lies at the same place in that of block
    number `number` of the cluster. That block has written it before the cluster met, and it ends or writes there again
    only behind the next meeting. The result has 32 bits in each element, at most 4 (read_neighbour_c1).

    Example: `%sums = task.read_neighbour %address of %number : !llvm.ptr<3>, vector<4xf32>`
  }];
  let arguments = (ins Arg<AnyType, "", [MemRead]>:$address, I32:$number);
  let results = (outs VectorOfRankAndType<[1], [F32, I32]>:$value);
  let assemblyFormat = "$address `of` $number attr-dict `:` type($address) `,` type($value)";
  let hasVerifier = 1;
}

#endif
