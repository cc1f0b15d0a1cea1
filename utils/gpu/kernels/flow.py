"""Divides the code of a kernel by what blocks execute of it: the pieces that share a launch, and what only one of the blocks that divide a sum does."""

import collections

BLOCK_ENDS = ("EXIT", "BRA", "BRX", "RET")


def successors(code):
    """Returns index -> indices of the instructions that may follow. A branch through a table leads to what nothing else leads to."""
    number = {each.address: at for at, each in enumerate(code)}
    result = []
    for at, each in enumerate(code):
        follows = [number[each.target]] if each.target in number else []
        if (each.name not in BLOCK_ENDS or each.is_conditional) and at + 1 < len(code):
            follows.append(at + 1)
        result.append(follows)
    led_to = {at for follows in result for at in follows}
    entries = [at for at in range(1, len(code)) if at not in led_to]
    for at, each in enumerate(code):
        if each.name == "BRX":
            result[at] += entries
    return result


def reached(edges, starts):
    """Returns the set of indices that `edges` lead to from `starts`, with these."""
    found, left = set(starts), list(starts)
    while left:
        for at in edges[left.pop()]:
            if at not in found:
                found.add(at)
                left.append(at)
    return found


def backwards(edges):
    result = [[] for _ in edges]
    for at, follows in enumerate(edges):
        for each in follows:
            result[each].append(at)
    return result


def product_groups(code, after, before):
    """Returns the sets of indices on a path through products, one for each group of products that no path joins, in the order of addresses."""
    left = [at for at, each in enumerate(code) if each.products]
    groups = []
    while left:
        path = reached(after, left[:1]) | reached(before, left[:1])
        groups.append(path)
        left = [at for at in left if at not in path]
    return groups


def codes_of_pieces(code, pieces):
    """Returns the instructions that blocks of each piece may execute. If there are as many groups of products as pieces that multiply, these are in the same order; else pieces cannot be told apart, and all
    code counts for each."""
    after = successors(code)
    groups = product_groups(code, after, backwards(after))
    multiplying = [number for number, piece in enumerate(pieces) if piece["multiply_adds"]]
    if len(pieces) == 1 or len(groups) != len(multiplying):
        return [code for _ in pieces]
    uses = collections.Counter(at for path in groups for at in path)
    result = []
    for number, _ in enumerate(pieces):
        own = groups[multiplying.index(number)] if number in multiplying else ()
        # Instructions on no path to products are of the other pieces.
        result.append([each for at, each in enumerate(code) if (at in own if own else uses[at] != 1)])
    return result


def straight_products(code):
    """Returns the instructions from the first to the last matrix instruction on each path, for each group of products. Groups without a barrier in between have a single step, and those that exchange
    numbers between threads, as attention does, or store them to shared memory, as a product does that the next one reads there, do more than multiply: both are left out."""
    after = successors(code)
    bodies = []
    for path in product_groups(code, after, backwards(after)):
        own = [code[at] for at in sorted(path)]
        places = [at for at, each in enumerate(own) if each.kind == "matrix"]
        body = own[places[0]:places[-1] + 1] if places else []
        names = {each.name for each in body}
        if "BAR" in names and not names & {"SHFL", "STS"}:
            bodies.append(body)
    return bodies


def behind_arrival(code):
    """Returns the addresses of the instructions that may follow the counting of arrivals, an atomic operation, or the first meeting of a cluster, whose blocks take a branch each."""
    starts = [at for at, each in enumerate(code) if each.name.startswith("ATOM") or each.name == "UCGABAR"]
    return {code[at].address for at in reached(successors(code), starts)}
