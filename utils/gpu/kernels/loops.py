"""Finds the loops of a kernel's machine code, and counts what an iteration does."""

import collections
import dataclasses

import sass


@dataclasses.dataclass
class Loop:
    body: list  # instructions from the first to the branch back, those of inner loops included
    inner: list  # loops directly inside

    def count(self, *names):
        """Returns how many instructions of the body have one of the names, and do something."""
        return sum(each.name in names and each.kind != "nothing" for each in self.body)

    def kinds(self):
        """Returns class -> number of instructions."""
        return collections.Counter(each.kind for each in self.body)

    def total(self, field):
        return sum(getattr(each, field) for each in self.body)


def find_loops(code):
    """Returns the outermost loops of `code`, instructions in the order of addresses. A loop reaches from the target of a branch back to the last such branch.

    Code of a loop that lies behind that branch, where ptxas puts rare paths, is not part of it.
    """
    ends = {}
    for each in code:
        if each.target is not None and code[0].address <= each.target < each.address:
            ends[each.target] = max(ends.get(each.target, 0), each.address)
    base = code[0].address if code else 0
    number = lambda address: (address - base) // sass.INSTRUCTION_BYTES
    outermost, around = [], []
    for begin in sorted(ends):
        loop = Loop(code[number(begin):number(ends[begin]) + 1], [])
        while around and around[-1].body[-1].address < ends[begin]:
            around.pop()
        (around[-1].inner if around else outermost).append(loop)
        around.append(loop)
    return outermost


def all_loops(loops):
    for loop in loops:
        yield loop
        yield from all_loops(loop.inner)


def weight_of(loop):
    """Orders loops by what an iteration does for the result: multiply-adds, and where no loop has any, accesses to global memory."""
    return loop.total("products"), loop.total("global_bytes")


def main_loop(loops):
    """Returns the loop that does most in an iteration, or nothing. Of loops inside of each other that do the same, the innermost."""
    found = None
    for loop in all_loops(loops):
        if any(weight_of(loop)) and (found is None or weight_of(loop) >= weight_of(found)):
            found = loop
    while found:
        # A loop that contains one with products does the rest of its work less often.
        inner = max(found.inner, key=weight_of, default=None)
        if inner is None or not inner.total("products"):
            return found
        found = inner
    return None
