// Counters that the blocks of a GPU kernel share.
#ifndef CAMEO_DIALECTS_TASK_TASKCOUNTEROPS_TD
#define CAMEO_DIALECTS_TASK_TASKCOUNTEROPS_TD

include "dialects/Task/TaskBase.td"

def Task_Counters : Type<And<[MemRefRankOf<[I32], [1]>.predicate, HasStaticShapePred]>,
                         "one-dimensional memref of numbers of 32 bits and known size", "::mlir::MemRefType">;

def Task_CountersOp : Task_Op<"counters", [HasParent<"DefOp">]> {
  let summary = "Counters of the blocks of a kernel, which are zeros before and behind each dispatch";
  let description = [{
    No other execution of a task has the same ones.

    Example: `%c = task.counters : memref<24xi32>`
  }];
  let results = (outs Res<Task_Counters, "", [MemAlloc]>:$memory);
  let assemblyFormat = "attr-dict `:` type($memory)";
}

def Task_ArriveOp : Task_Op<"arrive"> {
  let summary = "Says that a block has done its part, and asks whether all have";
  let description = [{
    What a thread does for its block, behind a barrier. True for the last of `count` blocks, at least two (arrive_c1), that come to the counter:
    behind the next barrier that block is behind all that the others did before they came, and the counter is zero again.

    Example: `%last = task.arrive %counters[%number] of 4 : memref<24xi32>`
  }];
  let arguments = (ins Arg<Task_Counters, "", [MemRead, MemWrite]>:$counters, Index:$number, I64Attr:$count);
  let results = (outs I1:$is_last);
  let assemblyFormat = "$counters `[` $number `]` `of` $count attr-dict `:` type($counters)";
  let hasVerifier = 1;
}

#endif
