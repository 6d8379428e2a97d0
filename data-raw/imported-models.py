"""The part of imported-models.R that trains with XGBoost: DATA.csv FOLDER_OF_MODELS FOLDER_OF_SCORES."""
import csv
import os
import sys

import numpy as np
import xgboost as xgb

data, models, scores = sys.argv[1:4]
with open(data) as file:
    rows = list(csv.reader(file))
names = rows[0][2:]
table = np.array(rows[1:], dtype=np.float64)
x = table[:, 2:]
common = {"max_depth": 3, "eta": 0.3, "nthread": 1, "tree_method": "exact", "seed": 1}
kinds = {
    "ndcg": ({"objective": "rank:ndcg"}, table[:, 1]),
    "logistic": ({"objective": "binary:logistic", "base_score": 0.3}, (table[:, 1] > 0).astype(float)),
    "dart": ({"objective": "rank:pairwise", "booster": "dart", "rate_drop": 0.5}, table[:, 1]),
}
for name, (settings, label) in kinds.items():
    training = xgb.DMatrix(x, label=label, feature_names=names)
    if name != "logistic":
        training = xgb.DMatrix(x, label=label, qid=table[:, 0], feature_names=names)
    booster = xgb.train({**common, **settings}, training, 6)
    booster.save_model(os.path.join(models, "xgboost-" + name + ".json"))
    margin = booster.predict(training, output_margin=True)
    shap = booster.predict(training, pred_contribs=True)
    np.savetxt(os.path.join(scores, name + ".csv"), np.column_stack([margin, shap]), fmt="%.9g", delimiter=",")
