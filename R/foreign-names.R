# Arguments of rankmix, and their names in other packages, in lower case with "_" between words.
foreign_names <- list(
  relevance = c("label", "y", "target", "grade", "grades", "rel", "judgement",
                "judgements"),
  query = c("qid", "qids", "group", "groups", "query_id", "group_id", "topic"),
  document = c("docid", "docno", "doc_id", "document_id"),
  weight = c("weights", "case_weights", "sample_weight"),
  data = c("train", "dtrain", "training", "train_data", "dataset",
           "newdata", "new_data"),
  newdata = c("data", "test", "new_data"),
  x = c("object", "model", "ranker", "scores", "predictions"),
  validation = c("valid", "valids", "dvalid", "val", "evals", "eval_set", "watchlist",
                 "validation_data"),
  metric = c("metrics", "eval_metric", "measure"),
  metrics = c("metric", "eval_metric", "measures"),
  rounds = c("trees", "nrounds", "nround", "num_rounds", "num_boost_round",
             "num_iterations", "iterations", "n_iter", "max_iter", "n_estimators",
             "num_trees", "n_trees", "ntrees", "ntree"),
  trees = c("rounds", "nrounds", "nround", "num_rounds", "num_boost_round",
            "num_iterations", "iterations", "n_iter", "max_iter", "n_estimators",
            "num_trees", "n_trees", "ntrees", "ntree"),
  epochs = c("rounds", "trees", "n_epochs", "num_epochs", "max_epochs", "iterations", "n_iter",
             "max_iter", "maxit"),
  batch_size = c("batch", "batchsize", "minibatch"),
  weight_decay = c("decay", "l2", "penalty"),
  hidden = c("hidden_layers", "hidden_units", "hidden_layer_sizes", "units", "layers", "size",
             "layer"),
  dropout = c("dropout_rate", "drop", "rate"),
  num_leaves = c("leaves", "n_leaves", "max_leaves", "max_leaf_nodes"),
  max_depth = c("depth", "maxdepth", "tree_depth", "interaction_depth"),
  growth = "grow_policy",
  learning_rate = c("step", "learn_rate", "eta", "lr", "shrinkage"),
  max_bin = c("bins", "max_bins", "n_bins", "num_bins", "border_count"),
  min_data_in_leaf = c("min_documents", "min_data", "min_child_samples", "min_samples_leaf",
                       "min_node_size", "n_minobsinnode", "min_n", "minbucket", "min_child_weight"),
  min_data_in_split = c("min_documents", "min_samples_split", "minsplit"),
  feature_fraction = c("feature_share", "colsample_bytree", "colsample", "rsm", "max_features",
                       "mtry"),
  query_fraction = c("query_share", "bagging_by_query"),
  monotone_constraints = c("monotone", "monotonic_cst", "mc", "var_monotone"),
  interaction_constraints = c("interaction_cst", "interactions", "interaction_constraint"),
  feature_cost = c("feature_costs", "cegb_penalty_feature_coupled", "feature_penalty",
                   "first_feature_use_penalties"),
  bagging_fraction = c("document_share", "subsample", "bag_fraction", "sample_size"),
  lambda_l2 = c("l2", "reg_lambda", "lambda", "l2_regularization", "l2_leaf_reg"),
  truncation = c("truncation_level", "lambdarank_truncation_level", "lambdarank_num_pair_per_sample"),
  sigma = "sigmoid",
  normalize = "lambdarank_norm",
  times = c("repeats", "n_repeats", "nsim", "n_permutations", "permutations", "n_sim", "nrep"),
  hessian = "curvature",
  gradients = "slopes",
  eval_every = "every",
  short_lists = "short",
  single_precision = "single",
  members = "classifiers",
  model = "classifier",
  weights = c("weigh", "weighing"),
  holdout = "hold_out",
  patience = c("early_stopping_rounds", "early_stopping_round", "early_stopping", "od_wait",
               "stop_iter", "stopping_rounds"),
  threads = c("num_threads", "num_thread", "nthread", "nthreads", "n_threads", "n_jobs",
              "thread_count", "cores"),
  seed = c("random_state", "random_seed"),
  checkpoint = "directory",
  models = "max_models", seconds = "max_seconds",
  folds = c("v", "k", "nfolds", "n_folds", "nfold", "n_splits", "num_folds"),
  fraction = c("share", "prop", "p", "train_size", "ratio", "train_fraction", "split_ratio"),
  stratify = "strata",
  cost = "c",
  penalty = c("lambda", "alpha", "l2", "reg_lambda", "lambda_l2", "ridge"),
  tolerance = c("tol", "eps", "epsilon"),
  base = c("base_learner", "base_estimator", "estimator"),
  normalize = c("norm", "normalization", "normalisation", "normalise"),
  verbose = c("verbosity", "verbose_eval", "quiet", "silent")
)

# Arguments of other packages that do not exist in rankmix, and the remedy, for functions that have the named argument.
no_smallest_gain <- c(min_data_in_leaf = paste("There is no smallest gain of a split. Limit trees by `num_leaves`,",
                                               "`max_depth` or `min_data_in_leaf`."))
only_l2 <- c(lambda_l2 = "Leaf values are shrunk by `lambda_l2` only.")
one_document <- c(background = "Give only these documents as `data`, such as `data$x[3, , drop = FALSE]`.")
factors_by_subsets <- c(categories = "Make the column a factor, and write `categories = \"subsets\"`.")
foreign_remedies <- list(
  test_size = c(fraction = "`fraction` is the training part: write `fraction = 0.8` to test on 0.2."),
  test_fraction = c(fraction = "`fraction` is the training part: write `fraction = 0.8` to test on 0.2."),
  bagging_freq = c(bagging_fraction = "Leave it out. Each tree draws new documents if `bagging_fraction` < 1."),
  subsample_freq = c(bagging_fraction = "Leave it out. Each tree draws new documents if `bagging_fraction` < 1."),
  params = c(learning_rate = "Write each parameter as an argument, such as `learning_rate = 0.1`."),
  param = c(learning_rate = "Write each parameter as an argument, such as `learning_rate = 0.1`."),
  gamma = no_smallest_gain, min_split_gain = no_smallest_gain, min_gain_to_split = no_smallest_gain,
  min_split_loss = no_smallest_gain, min_impurity_decrease = no_smallest_gain,
  alpha = only_l2, reg_alpha = only_l2, lambda_l1 = only_l2,
  label_gain = c(metric = "Gains belong to the metric: `metric_ndcg(10, gain = c(0, 1, 3, 7))`."),
  document = one_document, documents = one_document, row = one_document, rows = one_document,
  boosting = c(dropout = "For DART write `dropout = 0.1`."),
  booster = c(dropout = "For DART write `dropout = 0.1`."),
  categorical_feature = factors_by_subsets, cat_features = factors_by_subsets,
  categorical_features = factors_by_subsets, enable_categorical = factors_by_subsets,
  boosting_type = c(dropout = "For DART write `dropout = 0.1`.")
)

# Objectives of rankmix, and their names as text in other packages.
foreign_objectives <- list(
  `loss_lambda("ndcg")` = c("rank:ndcg", "lambdarank", "lambdamart", "ndcg", "lambda"),
  `loss_lambda("map")` = c("rank:map", "map"),
  `loss_lambda("mrr")` = "mrr",
  `loss_pairwise()` = c("rank:pairwise", "pairwise", "pairlogit", "pairlogitpairwise", "ranknet"),
  `loss_softmax()` = c("listnet", "softmax", "querysoftmax", "listwise"),
  `loss_xendcg()` = c("rank_xendcg", "xendcg", "xe_ndcg", "xe_ndcg_mart", "xendcg_mart"),
  `loss_query_rmse()` = c("queryrmse", "query_rmse"),
  `loss_list_mle()` = c("listmle", "list_mle"),
  `loss_ordinal()` = c("ordinal", "ordinal_regression"),
  `loss_squared()` = c("reg:squarederror", "reg:linear", "regression", "regression_l2", "rmse", "mse",
                  "l2", "squared", "squared_error", "gaussian")
)

# For example "loss_pairwise()" for "rank:pairwise". NULL if no package has such an objective.
our_objective <- function(text) {
  if (is.character(text) && length(text) == 1L && !is.na(text)) {
    named <- vapply(foreign_objectives, function(names) ascii_lower(text) %in% names, NA)
    if (any(named)) names(foreign_objectives)[named]
  }
}

# Raises an error for arguments that the function does not have. `...` is not evaluated. `known` are
# the arguments that the function has.
check_no_others <- function(..., known = names(formals(rlang::caller_fn())),
                            call = rlang::caller_env()) {
  if (...length() == 0L) {
    return(invisible())
  }
  known <- setdiff(known, c("object", "..."))
  names <- ...names()
  name <- names[1L]
  if (is.null(name) || is.na(name) || !nzchar(name)) {
    stop_input("argument", "There are more values than arguments.",
               remedy = sprintf("The arguments are %s.", enumerate(known, 10L)),
               call = call)
  }
  names <- unique(names[!is.na(names) & nzchar(names)])
  if (length(names) > 1L) {
    stop_input("argument", sprintf("There are no arguments %s.", enumerate(names)),
               remedy = other_names(utils::head(names, 5L), known), call = call)
  }
  stop_input("argument", sprintf("There is no argument `%s`.", name),
             remedy = other_name(name, known), call = call)
}

# The remedies for several unknown arguments. The list of the known arguments is shown once, at the end.
other_names <- function(names, known) {
  remedies <- lapply(names, function(name) setdiff(other_name(name, known), known_arguments(known)))
  text <- Map(function(name, remedy) if (length(remedy) > 0L) sprintf("`%s`: %s", name, remedy[1L]),
              names, remedies)
  c(unlist(text, use.names = FALSE), if (any(lengths(remedies) == 0L)) known_arguments(known))
}

known_arguments <- function(known) {
  if (length(known) > 0L) sprintf("The arguments are %s.", enumerate(known, 10L))
}

# The remedy: our name for the argument, or the functions that have it, or similar names.
other_name <- function(name, known) {
  meant <- our_names(name)
  here <- intersect(meant, known)
  if (length(here) > 0L) {
    return(sprintf("Did you mean `%s`?", here[1L]))
  }
  replaced <- foreign_remedies[[gsub("[. ]", "_", ascii_lower(name))]]
  if (!is.null(replaced) && names(replaced) %in% known) {
    return(unname(replaced))
  }
  option <- mixture_option(c(name, intersect(meant, c("models", "seconds"))), known)
  if (!is.null(option)) {
    return(option)
  }
  there <- as.character(unlist(lapply(c(name, meant), argument_homes)))
  # A function with the argument `data` trains rankers itself, so fit() is no remedy.
  there <- if ("data" %in% known) there[!endsWith(there, "`fit()`")] else there
  if (length(there) > 0L) {
    return(sprintf("It is %s.", paste(there, collapse = ", ")))
  }
  similar <- did_you_mean(name, known)
  if (is.null(similar)) similar <- did_you_mean_foreign(name, known)
  c(similar, known_arguments(known))
}

# "Did you mean `trees`?" for "n_estimator". Short foreign names, such as "eta", are similar to too many words.
did_you_mean_foreign <- function(name, known) {
  foreign <- unlist(foreign_names[names(foreign_names) %in% known], use.names = FALSE)
  near <- near_names(gsub("[. ]", "_", ascii_lower(name)), foreign[nchar(foreign) >= 5L])
  meant <- unique(unlist(lapply(near, function(other) intersect(our_names(other), known)[1L])))
  if (length(meant) > 0L) {
    sprintf("Did you mean %s?", paste0("`", utils::head(meant, 3L), "`", collapse = " or "))
  }
}

# Arguments that are now part of an option such as mix_weights() or mix_grid().
mixture_option <- function(names, known) {
  for (argument in intersect(names(mixture_options), known)) {
    maker <- mixture_options[[argument]]
    inside <- names(formals(get(maker, envir = environment(mixture_option), mode = "function")))
    inside <- intersect(setdiff(inside, "..."), names)
    if (length(inside) > 0L) {
      return(sprintf("Write `%s = %s(%s = ...)`.", argument, maker, inside[1L]))
    }
  }
}

our_names <- function(name) {
  name <- gsub("[. ]", "_", ascii_lower(name))
  names(foreign_names)[vapply(foreign_names, function(names) name %in% names, NA)]
}

# The functions that have an argument, such as "`patience` of `fit()`". Only functions that make
# data or rankers, or train them, are searched: users often put an argument into the wrong one of
# these.
argument_homes <- function(argument) {
  homes <- c(list("fit()" = fit.rankmix_spec),
             lapply(stats::setNames(nm = c("adaboost_mh", "gbrt", "mcsvm", "linear_ranker", "network_ranker",
                                             "base_tree")), get,
                    envir = environment(argument_homes)),
             list("ranking_data()" = ranking_data.default))
  has <- vapply(homes, function(home) argument %in% names(formals(home)), NA)
  functions <- sub("\\(\\)$", "", names(homes)[has])
  # `x` and `data` have other meanings in each function.
  if (length(functions) == 0L || argument %in% c("object", "x", "...")) {
    return(NULL)
  }
  sprintf("`%s` of %s", argument, paste0("`", functions, "()`", collapse = " or "))
}
