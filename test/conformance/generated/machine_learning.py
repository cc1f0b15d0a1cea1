"""Operators of ai.onnx.ml."""

import functools

import numpy
from onnx import numpy_helper

from backend_case import Map, Maps, write_case

RANDOM = numpy.random.default_rng(11)
write_ml = functools.partial(write_case, domain="ai.onnx.ml")


def random(*shape):
    return RANDOM.standard_normal(shape).astype(numpy.float32)


def write_encoders(folder):
    x = random(3, 4)
    write_ml(folder, "ml_scaler", "Scaler", [x], [((x - 0.5) * numpy.arange(4, dtype=numpy.float32))], opset=1, offset=[0.5] * 4, scale=[0.0, 1.0, 2.0, 3.0])
    write_ml(folder, "ml_binarizer_int", "Binarizer", [numpy.arange(6)], [numpy.array([0, 0, 0, 1, 1, 1])], opset=1, threshold=2.5)
    write_ml(folder, "ml_extractor", "ArrayFeatureExtractor", [x, numpy.array([[3, 0]])], [x[:, [3, 0]]], opset=1)
    missing = x.copy()
    missing[0, 1] = missing[2, 2] = numpy.nan
    write_ml(folder, "ml_imputer", "Imputer", [missing], [numpy.where(numpy.isnan(missing), numpy.arange(4, dtype=numpy.float32), missing)],
             opset=1, imputed_value_floats=[0.0, 1.0, 2.0, 3.0], replaced_value_float=float("nan"))
    write_ml(folder, "ml_one_hot", "OneHotEncoder", [numpy.array([[3, 5], [7, 3]])],
             [numpy.array([[[0, 1, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0]]], numpy.float32)], opset=1, cats_int64s=[5, 3, 9])
    write_ml(folder, "ml_vectorizer", "FeatureVectorizer", [x, x[:, :2].copy()], [numpy.concatenate([x, x[:, :2]], axis=1)], opset=1, inputdimensions=[4, 2])
    for norm, size in (("MAX", abs(x).max(1)), ("L1", abs(x).sum(1)), ("L2", numpy.sqrt((x * x).sum(1)))):
        write_ml(folder, f"ml_normalizer_{norm}", "Normalizer", [x], [x / size[:, None]], opset=1, norm=norm)


def write_label_encoders(folder):
    keys = numpy.array([1.5, numpy.nan, 2.0, 1.5], numpy.float32)
    write_ml(folder, "ml_labels_float", "LabelEncoder", [numpy.array([2, 1.5, numpy.nan, 7], numpy.float32)], [numpy.array([30, 40, 20, -5])],
             opset=4, keys_floats=keys.tolist(), values_int64s=[10, 20, 30, 40], default_int64=-5)
    # Keys that are close together, and keys that are far apart.
    least, greatest = -2**63, 2**63 - 1
    for name, keys in (("range", [-3, 4, 0, -3, 1]), ("ends", [greatest, greatest - 2]), ("sparse", [least, greatest, 0, 10**12])):
        x = numpy.array(keys + [-4, 5, 2, least, greatest, least + 1], numpy.int64)
        table = dict(zip(keys, range(len(keys))))
        write_ml(folder, f"ml_labels_{name}", "LabelEncoder", [x], [numpy.array([table.get(each, 0.5) for each in x.tolist()], numpy.float32)], opset=2,
                 keys_int64s=keys, values_floats=[float(i) for i in range(len(keys))], default_float=0.5)
    write_ml(folder, "ml_labels_tensor", "LabelEncoder", [numpy.array([[3], [9]], numpy.int32)], [numpy.array([[0.25], [9.5]])], opset=4,
             keys_tensor=numpy_helper.from_array(numpy.array([3, 4], numpy.int32)), values_tensor=numpy_helper.from_array(numpy.array([0.25, 0.5])),
             default_tensor=numpy_helper.from_array(numpy.array([9.5])))


def strings(values):
    return numpy.array(values, object)


def write_string_labels(folder):
    """Writes tests with unsorted keys, one of them twice, and inputs that are no keys; from integers to strings and from strings to integers."""
    keys = ["pear", "apple", "\u00e9t\u00e9", "", "fig", "apple", "zz\U0001F600"]
    x = strings([["apple", "plum", "zz\U0001F600"], ["", "\u00e9t\u00e9", "figs"]])
    numbers = list(range(10, 17))
    encode = lambda table, otherwise, kind: numpy.array([table.get(each, otherwise) for each in x.ravel()], kind).reshape(x.shape)
    write_ml(folder, "ml_labels_string_int", "LabelEncoder", [x], [encode(dict(zip(keys, numbers)), -7, "int64")], opset=2, keys_strings=keys,
             values_int64s=numbers, default_int64=-7)
    write_ml(folder, "ml_labels_string_float", "LabelEncoder", [x], [encode(dict(zip(keys, numbers)), 0.5, "float32")], opset=2, keys_strings=keys,
             values_floats=[float(number) for number in numbers], default_float=0.5)
    values = [key.upper() + "!" for key in keys]
    write_ml(folder, "ml_labels_string_string", "LabelEncoder", [x], [encode(dict(zip(keys, values)), "_Unused", object)], opset=2, keys_strings=keys,
             values_strings=values)
    write_ml(folder, "ml_labels_string_tensor", "LabelEncoder", [x], [encode(dict(zip(keys, numbers)), -1, "int16")], opset=4,
             keys_tensor=numpy_helper.from_array(strings(keys)), values_tensor=numpy_helper.from_array(numpy.array(numbers, numpy.int16)))
    write_ml(folder, "ml_labels_string_one", "LabelEncoder", [x], [encode({"apple": 3}, -1, "int64")], opset=2, keys_strings=["apple"], values_int64s=[3])
    write_ml(folder, "ml_labels_int_string", "LabelEncoder", [numpy.array([12, 9, 16])], [strings([keys[2], "none", keys[6]])], opset=4,
             keys_int64s=numbers, values_tensor=numpy_helper.from_array(strings(keys)), default_tensor=numpy_helper.from_array(strings(["none"])))
    write_ml(folder, "ml_labels_float_string", "LabelEncoder", [numpy.array([numpy.nan, 1.5, 2], numpy.float32)], [strings(["b", "a", "else"])], opset=4,
             keys_floats=[1.5, float("nan")], values_strings=["a", "b"], default_string="else")
    classes = ["pear", "apple", ""]
    write_ml(folder, "ml_labels_classes_string", "LabelEncoder", [x], [numpy.array([[1, -1, -1], [2, -1, -1]])], opset=1, classes_strings=classes)
    write_ml(folder, "ml_labels_classes_int", "LabelEncoder", [numpy.array([1, 3, -1, 0])], [strings(["apple", "?", "?", "pear"])], opset=1,
             classes_strings=classes, default_string="?")
    write_ml(folder, "ml_mapper_string", "CategoryMapper", [x], [encode(dict(zip(keys, numbers)), -3, "int64")], opset=1, cats_strings=keys,
             cats_int64s=numbers, default_int64=-3)
    write_ml(folder, "ml_mapper_int", "CategoryMapper", [numpy.array([[16], [17]])], [strings([[keys[6]], ["_Unused"]])], opset=1, cats_strings=keys,
             cats_int64s=numbers)
    distinct = keys[:5]
    write_ml(folder, "ml_one_hot_string", "OneHotEncoder", [x], [(x[..., None] == strings(distinct)).astype(numpy.float32)], opset=1, cats_strings=distinct)
    write_ml(folder, "ml_extractor_string", "ArrayFeatureExtractor", [x, numpy.array([2, 0])], [x[:, [2, 0]]], opset=1)


def softmax(x):
    e = numpy.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def write_linear_models(folder):
    x, w, b = random(5, 4), random(3, 4), random(3)
    scores = x @ w.T + b
    write_ml(folder, "ml_linear_regressor", "LinearRegressor", [x], [scores], opset=1, coefficients=w.ravel().tolist(), intercepts=b.tolist(), targets=3)
    write_ml(folder, "ml_linear_classifier", "LinearClassifier", [x], [numpy.array([7, 8, 9])[scores.argmax(1)], softmax(scores)], opset=1,
             coefficients=w.ravel().tolist(), intercepts=b.tolist(), classlabels_ints=[7, 8, 9], post_transform="SOFTMAX")
    write_ml(folder, "ml_linear_classifier_string", "LinearClassifier", [x], [strings(["c", "a", "b"])[scores.argmax(1)], scores], opset=1,
             coefficients=w.ravel().tolist(), intercepts=b.tolist(), classlabels_strings=["c", "a", "b"])
    # One score for two classes.
    score = scores[:, :1]
    for name, transform, value in (("none", "NONE", score), ("softmax", "SOFTMAX", score), ("logistic", "LOGISTIC", 1 / (1 + numpy.exp(-score)))):
        write_ml(folder, f"ml_linear_classifier_one_{name}", "LinearClassifier", [x],
                 [numpy.where(score[:, 0] > 0, 3, 8), numpy.concatenate([1 - value, value], axis=1)], opset=1, coefficients=w[0].tolist(),
                 intercepts=b[:1].tolist(), classlabels_ints=[8, 3], post_transform=transform)
    vectors, coefficients = random(6, 4), random(6)
    distance = ((x[:, None] - vectors) ** 2).sum(2)
    for kind, values in (("LINEAR", x @ vectors.T), ("POLY", (0.3 * (x @ vectors.T) + 0.2) ** 3), ("RBF", numpy.exp(-0.3 * distance)),
                         ("SIGMOID", numpy.tanh(0.3 * (x @ vectors.T) + 0.2))):
        write_ml(folder, f"ml_support_{kind}", "SVMRegressor", [x], [(values @ coefficients + 0.5)[:, None].astype(numpy.float32)], opset=1,
                 coefficients=coefficients.tolist(), support_vectors=vectors.ravel().tolist(), kernel_type=kind, n_supports=6,
                 kernel_params=[0.3, 0.2, 3.0], rho=[0.5])


def couple(pairs):
    """Returns probabilities of classes from those of pairs; pairs[i, j] is the probability of i given i or j. The method is that of Wu, Lin and Weng (2004), as in LIBSVM."""
    count = len(pairs)
    q = -pairs.T * pairs
    numpy.fill_diagonal(q, (pairs**2).sum(0))
    p = numpy.full(count, 1 / count)
    for _ in range(100):
        if abs(q @ p - p @ q @ p).max() < 0.005 / count:
            break
        for i in range(count):
            p[i] += (p @ q @ p - q[i] @ p) / q[i, i]
            p /= p.sum()
    return p


def write_support_classifiers(folder):
    """Writes classifiers with the given number of vectors per class; row r of the coefficients belongs to the r-th other class."""
    x = random(6, 4)
    for name, per_class, classes, probable in (("binary", [2, 3], ["no", "yes"], False), ("binary_probable", [2, 3], [5, 3], True),
                                               ("multi", [2, 0, 3, 1], [1, 2, 3, 4], False), ("multi_probable", [2, 1, 3], ["c", "a", "b"], True)):
        count, total = len(classes), sum(per_class)
        owner = numpy.repeat(numpy.arange(count), per_class)
        vectors, coefficients = random(total, 4), random(count - 1, total)
        kernel = numpy.exp(-0.2 * ((x[:, None] - vectors) ** 2).sum(2))
        pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
        rho, a, b = random(len(pairs)) / 4, -2 - random(len(pairs)) ** 2, random(len(pairs))
        decisions = numpy.stack([kernel[:, owner == i] @ coefficients[j - 1, owner == i] + kernel[:, owner == j] @ coefficients[i, owner == j] + bias
                                 for (i, j), bias in zip(pairs, rho)], axis=1)
        votes = numpy.zeros((len(x), count))
        for column, pair in zip(decisions.T, pairs):
            for row, decision in enumerate(column):
                votes[row, pair[0] if decision > 0 else pair[1]] += 1
        scores = decisions if count > 2 else numpy.concatenate([-decisions, decisions], axis=1)
        if probable:
            table = numpy.zeros((len(x), count, count))
            for column, pair, slope, offset in zip(decisions.T, pairs, a, b):
                table[:, pair[0], pair[1]] = 1 / (1 + numpy.exp(column * slope + offset))
                table[:, pair[1], pair[0]] = 1 - table[:, pair[0], pair[1]]
            scores = numpy.stack([couple(each) for each in table])
        labels = strings(classes) if isinstance(classes[0], str) else numpy.array(classes)
        given = {"classlabels_strings" if isinstance(classes[0], str) else "classlabels_ints": classes}
        given.update({"prob_a": a.tolist(), "prob_b": b.tolist()} if probable else {})
        given.update(kernel_type="RBF", kernel_params=[0.2, 0.0, 0.0], vectors_per_class=per_class, support_vectors=vectors.ravel().tolist(),
                     coefficients=coefficients.ravel().tolist(), rho=rho.tolist())
        answers = labels[votes.argmax(1)]
        write_ml(folder, f"ml_support_classifier_{name}", "SVMClassifier", [x], [answers, scores.astype(numpy.float32)], opset=1, **given)
        if count == 2 and not probable:  # the only decision is not normalised
            scores = numpy.concatenate([1 - decisions, decisions], axis=1)
            write_ml(folder, f"ml_support_classifier_{name}_softmax", "SVMClassifier", [x], [answers, scores.astype(numpy.float32)], opset=1, post_transform="SOFTMAX", **given)
    w = random(3, 4)
    scores = x @ w.T + numpy.float32(0.25)
    write_ml(folder, "ml_support_classifier_linear", "SVMClassifier", [x], [scores.argmax(1), scores], opset=1, classlabels_ints=[0, 1, 2],
             coefficients=w.ravel().tolist(), rho=[0.25])


def write_maps(folder):
    x = random(4, 3)
    write_ml(folder, "ml_map_string", "ZipMap", [x], [Maps(["pear", "", "\u00e9t\u00e9"], x)], opset=1, classlabels_strings=["pear", "", "\u00e9t\u00e9"])
    write_ml(folder, "ml_map_int", "ZipMap", [x], [Maps([-5, 0, 7], x)], opset=1, classlabels_int64s=[-5, 0, 7])
    write_ml(folder, "ml_map_vector", "ZipMap", [x[0]], [Maps([2, 1, 0], x[:1])], opset=1, classlabels_int64s=[2, 1, 0])


def write_map_inputs(folder):
    values = random(3)
    write_ml(folder, "ml_dictionary_string", "DictVectorizer", [Map(["pear", "", "\u00e9t\u00e9"], values)], [values[None, [2, 0, 1]]], opset=1,
             string_vocabulary=["\u00e9t\u00e9", "pear", ""])
    write_ml(folder, "ml_dictionary_int", "DictVectorizer", [Map([7, -5, 0], strings(["a", "b", ""]))], [strings(["b", "", "a"])], opset=1,
             int64_vocabulary=[-5, 0, 7])
    write_ml(folder, "ml_cast_map_dense", "CastMap", [Map([9, 2, 5], values)], [values[None, [1, 2, 0]]], opset=1)
    write_ml(folder, "ml_cast_map_sparse", "CastMap", [Map([2, 0, 1], strings(["12", "-3", "0"]))], [numpy.array([[-3, 0, 12]])], opset=1,
             map_form="SPARSE", max_map=3, cast_to="TO_INT64")


MODES = {
    0: lambda a, b: a <= b, 1: lambda a, b: a < b, 2: lambda a, b: a >= b, 3: lambda a, b: a > b, 4: lambda a, b: a == b, 5: lambda a, b: a != b,
}


class RandomForest:
    """Complete trees; each node has its own comparison."""

    def __init__(self, trees, depth, features, targets, modes):
        inner = 2**depth - 1
        self.features = RANDOM.integers(0, features, (trees, inner))
        self.splits = RANDOM.integers(-2, 3, (trees, inner)).astype(numpy.float32) / 2
        self.modes = RANDOM.choice(modes, (trees, inner))
        self.missing = RANDOM.integers(0, 2, (trees, inner))
        self.leaf_targets = RANDOM.integers(0, targets, (trees, inner + 1))
        self.leaf_weights = RANDOM.standard_normal((trees, inner + 1)).astype(numpy.float32)
        self.inner, self.trees, self.targets = inner, trees, targets

    def leaf(self, tree, row):
        node = 0
        while node < self.inner:
            x = row[self.features[tree, node]]
            is_true = MODES[self.modes[tree, node]](x, self.splits[tree, node]) or (numpy.isnan(x) and self.missing[tree, node])
            node = 2 * node + (1 if is_true else 2)
        return node - self.inner

    def votes(self, x):
        for n, row in enumerate(x):
            for tree in range(self.trees):
                leaf = self.leaf(tree, row)
                yield n, self.leaf_targets[tree, leaf], self.leaf_weights[tree, leaf]

    def predict(self, x, aggregate):
        y = numpy.full((len(x), self.targets), {2: numpy.inf, 3: -numpy.inf}.get(aggregate, 0.0))
        for n, target, weight in self.votes(x):
            y[n, target] = {2: min, 3: max}.get(aggregate, lambda a, b: a + b)(y[n, target], weight)
        return numpy.where(numpy.isinf(y), 0, y / self.trees if aggregate == 0 else y).astype(numpy.float32)

    def flat(self):
        """Returns the attributes of TreeEnsemble."""
        nodes, leaves = self.inner, self.inner + 1
        tree = numpy.arange(self.trees)[:, None]
        children = [2 * numpy.arange(nodes) + 1 + side for side in (0, 1)]
        is_leaf = [numpy.tile(child >= nodes, (self.trees, 1)) for child in children]
        ids = [numpy.where(child >= nodes, tree * leaves + child - nodes, tree * nodes + child) for child in children]
        listed = lambda array: numpy.asarray(array).astype(numpy.int64).ravel().tolist()
        return dict(n_targets=self.targets, nodes_featureids=listed(self.features), nodes_truenodeids=listed(ids[0]),
                    nodes_falsenodeids=listed(ids[1]), nodes_trueleafs=listed(is_leaf[0]), nodes_falseleafs=listed(is_leaf[1]),
                    nodes_missing_value_tracks_true=listed(self.missing), nodes_splits=numpy_helper.from_array(self.splits.ravel()),
                    nodes_modes=numpy_helper.from_array(self.modes.ravel().astype(numpy.uint8)), tree_roots=listed(tree * nodes),
                    leaf_targetids=listed(self.leaf_targets), leaf_weights=numpy_helper.from_array(self.leaf_weights.ravel()))

    def numbered(self, prefix):
        """Returns the attributes of TreeEnsembleRegressor and TreeEnsembleClassifier."""
        names = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]
        count = 2 * self.inner + 1
        pad = lambda array, value: numpy.concatenate([array, numpy.full((self.trees, self.inner + 1), value)], axis=1).ravel()
        node = numpy.tile(numpy.arange(count), self.trees)
        modes = [[names[m] for m in row] + ["LEAF"] * (self.inner + 1) for row in self.modes]
        leaf = numpy.tile(numpy.arange(self.inner, count), self.trees)
        trees = numpy.arange(self.trees)
        return {"nodes_treeids": trees.repeat(count).tolist(), "nodes_nodeids": node.tolist(), "nodes_featureids": pad(self.features, 0).tolist(),
                "nodes_values": pad(self.splits, 0).tolist(), "nodes_modes": sum(modes, []),
                "nodes_truenodeids": numpy.where(node < self.inner, 2 * node + 1, 0).tolist(),
                "nodes_falsenodeids": numpy.where(node < self.inner, 2 * node + 2, 0).tolist(),
                "nodes_missing_value_tracks_true": pad(self.missing, 0).tolist(), f"{prefix}_treeids": trees.repeat(self.inner + 1).tolist(),
                f"{prefix}_nodeids": leaf.tolist(), f"{prefix}_ids": self.leaf_targets.ravel().tolist(),
                f"{prefix}_weights": self.leaf_weights.ravel().tolist()}


def write_trees(folder):
    x = RANDOM.integers(-2, 3, (20, 5)).astype(numpy.float32) / 2
    x[RANDOM.random(x.shape) < 0.1] = numpy.nan
    for aggregate in range(4):
        forest = RandomForest(4, 3, 5, 3, range(6))
        write_ml(folder, f"ml_trees_{aggregate}", "TreeEnsemble", [x], [forest.predict(x, aggregate)], opset=5, aggregate_function=aggregate, **forest.flat())
    forest = RandomForest(3, 4, 5, 2, range(6))
    write_ml(folder, "ml_tree_regressor", "TreeEnsembleRegressor", [x], [forest.predict(x, 1) + numpy.array([0.5, -0.5], numpy.float32)], opset=3,
             n_targets=2, base_values=[0.5, -0.5], **forest.numbered("target"))
    forest = RandomForest(5, 3, 5, 3, [0])
    scores = forest.predict(x, 1)
    write_ml(folder, "ml_tree_classifier", "TreeEnsembleClassifier", [x], [numpy.array([4, 5, 6])[scores.argmax(1)], softmax(scores)], opset=3,
             classlabels_int64s=[4, 5, 6], post_transform="SOFTMAX", **forest.numbered("class"))
    write_ml(folder, "ml_tree_classifier_string", "TreeEnsembleClassifier", [x], [strings(["a", "c", "b"])[scores.argmax(1)], scores], opset=3,
             classlabels_strings=["a", "c", "b"], **forest.numbered("class"))
    forest = RandomForest(5, 3, 5, 1, [1])
    score = forest.predict(x, 1)
    probability = 1 / (1 + numpy.exp(-score))
    write_ml(folder, "ml_tree_binary_classifier", "TreeEnsembleClassifier", [x],
             [numpy.where(score[:, 0] > 0, 1, 0), numpy.concatenate([1 - probability, probability], axis=1)], opset=3, classlabels_int64s=[0, 1],
             post_transform="LOGISTIC", **forest.numbered("class"))
    # With one output class id, the scores are not completed to two classes, and one score is not normalised.
    second = dict(forest.numbered("class"), class_ids=[1] * forest.leaf_targets.size)
    write_ml(folder, "ml_tree_second_classifier", "TreeEnsembleClassifier", [x],
             [numpy.where(score[:, 0] + 0.25 > 0, 1, 0), numpy.concatenate([numpy.full_like(score, 0.5), 1 / (1 + numpy.exp(-score - 0.25))], axis=1)], opset=3,
             classlabels_int64s=[0, 1], post_transform="LOGISTIC", base_values=[0.25], **second)
    write_ml(folder, "ml_tree_binary_classifier_softmax", "TreeEnsembleClassifier", [x],
             [numpy.where(score[:, 0] > 0, 1, 0), numpy.concatenate([-score, score], axis=1)], opset=3, classlabels_int64s=[0, 1],
             post_transform="SOFTMAX", **forest.numbered("class"))
    write_ml(folder, "ml_tree_binary_classifier_string", "TreeEnsembleClassifier", [x],
             [numpy.where(score[:, 0] > 0, "yes", "no").astype(object), numpy.concatenate([1 - probability, probability], axis=1)], opset=3,
             classlabels_strings=["no", "yes"], post_transform="LOGISTIC", **forest.numbered("class"))


def write_membership(folder):
    members = numpy.array([1, 3, numpy.nan, 2, numpy.nan], numpy.float32)
    x = numpy.array([[1, 2], [3, 0], [2, 2], [numpy.nan, 2]], numpy.float32)
    attributes = dict(n_targets=1, nodes_featureids=[0, 1], nodes_truenodeids=[0, 1], nodes_falsenodeids=[1, 2], nodes_trueleafs=[1, 1],
                      nodes_falseleafs=[0, 1], nodes_splits=numpy_helper.from_array(numpy.zeros(2, numpy.float32)),
                      nodes_modes=numpy_helper.from_array(numpy.array([6, 6], numpy.uint8)), membership_values=numpy_helper.from_array(members),
                      tree_roots=[0], leaf_targetids=[0, 0, 0], leaf_weights=numpy_helper.from_array(numpy.array([1, 10, 100], numpy.float32)))
    write_ml(folder, "ml_trees_membership", "TreeEnsemble", [x], [numpy.array([[1], [1], [10], [10]], numpy.float32)], opset=5, **attributes)


def write_cases(folder):
    write_encoders(folder)
    write_label_encoders(folder)
    write_string_labels(folder)
    write_linear_models(folder)
    write_support_classifiers(folder)
    write_maps(folder)
    write_map_inputs(folder)
    write_trees(folder)
    write_membership(folder)
