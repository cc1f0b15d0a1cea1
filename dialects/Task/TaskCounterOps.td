// Counters that the blocks of a GPU kernel share.
#ifndef CAMEO_DIALECTS_TASK_TASKCOUNTEROPS_TD
#define CAMEO_DIALECTS_TASK_TASKCOUNTEROPS_TD

include "dialects/Task/TaskBase.td"

def Task_Counters : Type<And<[MemRefRankOf<[I32], [1]>.predicate, HasStaticShapePred]>,
                         "one-dimensional memref of numbers of 32 bits and known size", "::mlir::MemRefType">;

def Task_CountersOp : Task_Op<"counters", [HasParent<"DefOp">]> {
  let summary = "Allocates counters that the blocks of a kernel share, which are zero before and after each dispatch";
  let description = [{
    Each execution of a task has its own counters.

    Example: `%c = task.counters : memref<24xi32>`
  }];
  let results = (outs Res<Task_Counters, "", [MemAlloc]>:$memory);
  let assemblyFormat = "attr-dict `:` type($memory)";
}

def Task_ArriveOp : Task_Op<"arrive"> {
  let summary = "Counts the arrival of a block, and returns whether it is the last one";
  let description = [{
    One thread executes this for its block, after a barrier. The result is true for the last of `count` blocks, at least
    two (arrive_c1), that arrive at the counter. After the next barrier, the last block sees all stores of the other
    blocks before their arrival. The counter is then zero again.

    Example: `%last = task.arrive %counters[%number] of 4 : memref<24xi32>`
  }];
  let arguments = (ins Arg<Task_Counters, "", [MemRead, MemWrite]>:$counters, Index:$number, I64Attr:$count);
  let results = (outs I1:$is_last);
  let assemblyFormat = "$counters `[` $number `]` `of` $count attr-dict `:` type($counters)";
  let hasVerifier = 1;
}

#endif
