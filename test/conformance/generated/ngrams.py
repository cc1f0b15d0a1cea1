"""TfIdfVectorizer beyond counts of 1-grams and 2-grams: weights, gaps in the columns, 3-grams, strings."""

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(17)
# 1-grams, 2-grams, 3-grams.
POOLS = [[(1,), (4,)], [(1, 2), (2, 2), (3, 1)], [(2, 2, 1), (1, 3, 2)]]
COLUMNS = [3, 0, 8, 1, 5, 2, 7]
WORDS = ["", "pear", "\u00e9t\u00e9", "apple", "fig", "plum"]  # token n is WORDS[n]; the last word is in no n-gram
WEIGHTS = [0.5, 2.0, 1.5, -1.0, 0.25, 3.0, 4.0]


def count(row, gram, skips):
    """Returns the number of occurrences of `gram` at all distances between its tokens; a single token has no distance."""
    total = 0
    for step in range(1, skips + 2 if len(gram) > 1 else 2):
        for start in range(len(row) - (len(gram) - 1) * step):
            total += tuple(row[start:start + (len(gram) - 1) * step + 1:step]) == gram
    return total


def vectorize(x, shortest, longest, skips, mode):
    rows = x.reshape(-1, x.shape[-1])
    y = numpy.zeros((len(rows), max(COLUMNS) + 1), numpy.float32)
    for i, gram in enumerate(gram for pool in POOLS for gram in pool):
        for row, result in zip(rows, y):
            found = count(row, gram, skips) if shortest <= len(gram) <= longest else 0
            result[COLUMNS[i]] = {"TF": found, "IDF": WEIGHTS[i] * (found > 0), "TFIDF": WEIGHTS[i] * found}[mode]
    return y.reshape(x.shape[:-1] + y.shape[1:])


def write_cases(folder):
    starts = [0, 2, 8]
    for name, shape, shortest, longest, skips, mode in (
            ("counts", (3, 12), 1, 3, 0, "TF"), ("skips", (3, 12), 2, 3, 3, "TFIDF"), ("vector", (12,), 1, 2, 1, "IDF"),
            ("long", (2, 3), 3, 3, 1, "TF"), ("short", (2, 1), 1, 2, 0, "TFIDF")):
        x = RANDOM.integers(1, 6, shape).astype(numpy.int32 if name == "vector" else numpy.int64)
        y = vectorize(x, shortest, longest, skips, mode)
        attributes = dict(mode=mode, min_gram_length=shortest, max_gram_length=longest, max_skip_count=skips, ngram_counts=starts,
                          ngram_indexes=COLUMNS, weights=WEIGHTS)
        pool = [token for pool in POOLS for gram in pool for token in gram]
        write_case(folder, f"tfidf_{name}", "TfIdfVectorizer", [x], [y], opset=9, pool_int64s=pool, **attributes)
        write_case(folder, f"tfidf_{name}_string", "TfIdfVectorizer", [numpy.array(WORDS, object)[x]], [y], opset=9,
                   pool_strings=[WORDS[token] for token in pool], **attributes)
