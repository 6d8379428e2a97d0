"""Values of XGBoost and scikit-learn for the cases under tests/testthat/fixtures/tools,
query by query.

    python3 data-raw/tool-values.py > others.csv

data-raw/tool-values.R does the same for LightGBM.
"""
import math
import os
import sys
import warnings

import numpy as np
import sklearn
import xgboost
from sklearn.metrics import average_precision_score, dcg_score, ndcg_score

FOLDER = "tests/testthat/fixtures/tools/cases"
CUTS = [1, 3, 5, 10]


def read_case(case):
    grades, queries = [], []
    with open(os.path.join(FOLDER, case, "labels.txt")) as lines:
        for line in lines:
            grade, query = line.split()[:2]
            grades.append(float(grade))
            queries.append(query[len("qid:"):])
    with open(os.path.join(FOLDER, case, "scores.txt")) as lines:
        scores = [float(line) for line in lines]
    return np.array(grades), queries, np.array(scores)


def xgboost_values(grades, scores):
    """The margins of a model without trees are the scores."""
    data = xgboost.DMatrix(np.zeros((len(grades), 1)), label=grades, base_margin=scores)
    data.set_group([len(grades)])
    # map and pre take grades 0 and 1 only.
    for name in ["ndcg"] + (["map", "pre"] if grades.max() <= 1 else []):
        for k in CUTS:
            booster = xgboost.train({"objective": "rank:ndcg", "base_score": 0.0,
                                     "eval_metric": "%s@%d" % (name, k)},
                                    data, num_boost_round=0)
            yield name, k, float(booster.eval(data).split(":")[-1])


def sklearn_values(grades, scores):
    if len(grades) > 1:  # ndcg_score() refuses a single document
        for k in CUTS + [None]:
            yield "ndcg", k, ndcg_score([grades], [scores], k=k)
            yield "dcg", k, dcg_score([grades], [scores], k=k)
    if grades.max() <= 1:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = average_precision_score(grades, scores)
            # Old versions give -0.0 or nan without a relevant document, newer ones 0.
            yield "map", None, 0.0 if math.isnan(value) else abs(value)


print("case,tool,metric,k,query,value")
print("xgboost", xgboost.__version__, "scikit-learn", sklearn.__version__,
      file=sys.stderr)
for case in sorted(os.listdir(FOLDER)):
    grades, queries, scores = read_case(case)
    for query in dict.fromkeys(queries):
        rows = np.array([q == query for q in queries])
        # Grades above 0 as 1, for the metrics that know no other.
        for suffix, labels in (("", grades[rows]),
                               ("-binary", np.minimum(grades[rows], 1))):
            for tool, values in (("xgboost", xgboost_values), ("sklearn", sklearn_values)):
                for name, k, value in values(labels, scores[rows]):
                    if (suffix == "") != (name in ("ndcg", "dcg")):
                        continue
                    print("%s,%s%s,%s,%s,%s,%.17g" % (case, tool, suffix, name,
                                                      "" if k is None else k, query, value))
