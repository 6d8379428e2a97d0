#' Gradient boosted regression trees
#'
#' Specifies a ranker of gradient boosted trees. By default they regress the grade with squared error.
#' With another `objective`, they learn scores that minimise this objective. For a ranking metric use [lambdamart()].
#'
#' @param trees Number of trees, at most; default 500. With validation data [fit()] chooses how many are
#'   used.
#' @param num_leaves Number of leaves of a tree, at most. Trees grow best-first. The default is 31, or
#'   2^depth if `max_depth` is given. Use fewer leaves (4 to 10) for a few thousand documents. 2 to 65536.
#' @param max_depth The largest depth of a tree, up to 16. The default `NULL` sets no limit.
#' @param learning_rate The learning rate: the factor by which each tree's contribution is shrunk. Smaller
#'   values need more trees and often rank better. In (0, 1]; default 0.1.
#' @param max_bin Number of bins per feature, 2 to 255 (the default). A feature with more distinct
#'   values is cut at quantiles of the weighted training documents.
#' @param min_data_in_leaf The smallest number of documents in a leaf; default 20. Larger values
#'   regularize more. Whole-number query weights count as copies. Documents with other weights count
#'   once. Documents of weight 0 never count.
#' @param feature_fraction,bagging_fraction The fractions of features and of documents that the search
#'   for splits uses, sampled anew for each tree. In (0, 1]; default 1, all of them. Smaller values make
#'   the trees more diverse. Sampling does not depend on row order.
#' @param query_fraction The fraction of queries that the search for splits uses, sampled anew for each tree. In (0, 1];
#'   default 1. `bagging_fraction` and `query_fraction` cannot both be below 1.
#' @param monotone_constraints The monotone constraints: `1` if predictions must not fall with the
#'   feature, `-1` if they must not rise, 0 for none. By name, such as `c(bm25 = 1, length = -1)`, or
#'   one number for each feature. The default `NULL` sets none.
#' @param interaction_constraints The features that may interact: a list of groups of features or factors by name, such
#'   as `list(c("bm25", "length"), "price")`. Two features are tested on the same path of a tree only if a group has
#'   both. A feature may be in several groups. Features that are in no group form one further group. The default `NULL`
#'   sets no limit.
#' @param feature_cost The costs of features: by name, such as `c(embedding = 0.05)`, or one number for each feature.
#'   Features that are not named are free. Only the first split on a feature or factor has the cost. A cost of 1 is the
#'   gain of the best first split. Larger costs lead to fewer features, see Costs of features. 0 or more; default
#'   `NULL`, no costs.
#' @param precision The precision of gradients in the split search: `"single"`, the default, keeps about 18 bits of an
#' average residual for 240,000 documents. `"double"` keeps 26 bits. See Details.
#' @param objective The loss to minimise: [loss_squared()] (the default), [loss_pairwise()],
#'   [loss_softmax()], [loss_list_mle()], [loss_smooth()], [loss_lambda()], [loss_xendcg()],
#'   [loss_query_rmse()], [loss_ordinal()] or [loss_custom()].
#' @param lambda_l2 The L2 regularization of leaf values, 0 (the default) or more. Larger values shrink
#'   leaf values, most in leaves with few documents.
#' @param growth The order in which trees grow. `"leaves"`, the default, splits the leaf with the
#'   largest gain first. `"oblivious"` applies the same test to all nodes of a level. Then `max_depth` is 1 to 10, by
#'   default 6. See Oblivious trees.
#' @param dropout The probability that a tree is left out while the next one is grown (DART). In \[0,
#'   1); default 0.
#' @param categories How trees split factors. `"columns"`, the default, splits off one level at a time.
#'   `"subsets"` splits by sets of levels, which is better for factors of many levels. See Categories.
#' @param cat_smooth,cat_l2 With `"subsets"`: the smoothing of levels when they are sorted, and the L2
#'   regularization of both sides in the gain. Both are in units of the hessian. For squared error, a document has the
#'   hessian 1. 0 or more; default 10. Larger values trust rare levels less.
#' @param max_cat_threshold With `"subsets"`: the largest number of levels in a set, 1 to 255; default 32.
#'   Smaller values regularize more.
#' @param min_data_per_group With `"subsets"`: the smallest number of documents of a set, and of documents added from
#' one candidate set to the next; default 100. Larger values regularize more.
#' @param ... Must be empty.
#'
#' @return A specification of class `rankmix_gbrt`, for [fit()].
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50, num_leaves = 8), train, threads = 1)
#' head(predict(model, train))
#'
#' @details
#' **Squared error.** The model is \eqn{F(x) = \bar y + s \sum_t h_t(x)}{F(x) = mean(y) + s sum_t
#' h_t(x)}, with the learning rate s. Tree t is grown on the residuals \eqn{r_i = y_i - F(x_i)}. The
#' gain of a split is \eqn{G_L^2 / W_L + G_R^2 / W_R - G^2 / W}{GL^2 / WL + GR^2 / WR - G^2 / W}. G is a
#' node's sum of weighted residuals and W of weights; L and R are its children. The value of a leaf is
#' its mean residual. Training stops early, with status `"stalled"`, if no node can be split.
#'
#' **Other objectives, or `lambda_l2` above 0.** With the sums G of gradients and H of hessians and with
#' \eqn{\lambda}{lambda} = `lambda_l2`, the gain of a split is
#' \eqn{G_L^2 / (H_L + \lambda) + G_R^2 / (H_R + \lambda) - G^2 / (H + \lambda)}{GL^2 / (HL + lambda) +
#' GR^2 / (HR + lambda) - G^2 / (H + lambda)}. The value of a leaf is the Newton step \eqn{-G / (H +
#' \lambda)}{-G / (H + lambda)}, or 0 if the hessian is 0. Scores start at the best constant, or at 0 if
#' all are equally good.
#'
#' **Weights and reproducibility.** Sums of rounded residuals are exact, so models do not depend on the
#' number of threads. For squared error a whole-number weight counts exactly as copies. With other weights, the search
#' rounds residuals to multiples of 2^-30 of their total magnitude. For other objectives the search in single precision
#' keeps 23 bits of gradients and hessians for 240,000 documents, and 25 bits for 16,000. The rounding is random and
#' without bias. The rounding does not depend on the seed or the row order. For more than 2 million documents, for
#' negative hessians, or in double precision, the search rounds to 2^-30 or finer and takes more time. Leaf values of
#' these objectives use unrounded sums.
#'
#' **Monotone constraints.** Constraints are exact. A split on a feature with constraint 1 is allowed only if the value
#' of the right child is not smaller than the value of the left child. The midpoint of both values then bounds all later
#' leaves on both sides. The order of missing and present values is not constrained.
#'
#' **Interaction constraints.** If groups do not overlap, the score is a sum of functions, one for each group. With a
#' group for each feature, the model is additive in the features. Let A be the set of features that are tested above a
#' node. The node may be split by the features of all groups that contain A, as in XGBoost. rankmix also uses features
#' that are in no group, which LightGBM never does.
#'
#' **Dropout.** Tree t is grown on the residuals of the model without k trees that are left out. The factor of tree t
#' is \eqn{s / (k + s)}{s / (k + s)}. The factors of the k trees are multiplied by \eqn{k / (k + s)}{k / (k + s)}.
#' This is the normalization "tree" of XGBoost; with k = 0 the factor is s. The model after r rounds is the model of
#' `trees = r`. Each evaluation of a metric costs a prediction by all trees. Each round costs two predictions by the
#' trees left out.
#'
#' **Memory.** The bins take up to two bytes for each feature and document. While bins are made, each thread takes 16
#' bytes per document. Training takes 24 bytes per document, or up to 40 with weights or in double precision. With 4
#' million bins, training briefly takes 24 bytes per document more.
#'
#' @section Oblivious trees: Each level applies one test to all documents: a feature, a threshold, and a
#'   side for missing values. The test with the largest sum of gains wins. Ties go to the lower feature,
#'   then to the lower threshold, then to missing values on the right. A tree ends before `max_depth`
#'   levels if no test has a gain. `num_leaves` does not apply.
#'
#' A leaf is split at a level only if both children have `min_data_in_leaf` documents. Otherwise the
#' leaf stays whole, and the next level tries again. So no leaf is empty.
#'
#' With interaction constraints, all features that a tree tests are in one group. The cost of a feature reduces the sum
#' of gains of a test once, not the gain of each leaf. Oblivious trees do not support monotone constraints.
#'
#' For oblivious trees, 32 bins are usually enough, and take less time than 255. Oblivious trees take more memory: 16
#' bytes for each bin and leaf that the last level splits. Squared error with equal weights needs 8 bytes instead. This
#' memory is at most 12 MB or a sixteenth of the bins, whichever is larger.
#'
#' @section Costs of features: Let \eqn{g_1}{g1} be the gain of the best first split of the first tree without costs.
#'   The search reduces the gain of each split on a feature of cost c by \eqn{c g_1}{c g1}, until a split of the model
#'   has tested the feature. Later searches treat the feature as free. So a feature enters the model only if the reduced
#'   gain of its split is above 0 and the largest of the node. Useful costs are between 0.003 and 0.1. On MQ2008, a
#'   model with cost 0.01 uses 16
#'   of 37 features and ranks as well as without
#'   costs (`bench/costs.md`). If all costs are too high, no tree has a split. The columns of a factor
#'   have one common cost.
#'
#'   With a `bagging_fraction` or `query_fraction` below 1, the reduction is multiplied by the fraction of documents
#'   that the tree uses. If a leaf was searched before a feature became free, its gain is not computed again. Importance
#'   counts gains without the reduction. `feature_cost` of `glance()` is the sum of the costs of all features that the
#'   model uses. The method is `cegb_penalty_feature_coupled` of LightGBM (Peter et al., 2017), whose costs are in units
#'   of the gain. [select_features()] tests how few features are enough.
#'
#' @section Categories: [ranking_data()] makes one 0/1 feature of each level of a factor that is not ordered.
#'   With `categories = "subsets"` trees treat the factor as one feature. A split sends a set of levels to
#'   the left. Other levels, missing values and levels that the training data lack go right.
#'
#'   In each node, levels are sorted by \eqn{-G / (H + \mathrm{cat\_smooth})}{-G / (H + cat_smooth)}, ties by
#'   name. Each candidate set consists of the first levels in this order, or of the last levels. From one candidate to
#'   the next, at least `min_data_per_group` documents are added. The other side also has at least this number of
#'   documents. The gain has `lambda_l2 + cat_l2` for both sides and `lambda_l2` for the node. Leaf values use
#'   `lambda_l2` alone. For squared error without smoothing, the best set is the best of all subsets (Fisher, 1958).
#'
#'   Models depend neither on row order nor on the order of the levels. If a factor has more levels than
#'   `max_bin`, the `max_bin - 1` levels with the most documents stay, ties by name. The other levels are merged into
#'   one level.
#'
#'   Importance has one row for the factor. [explain()] treats the factor as one feature. The contribution of the
#'   factor is in the column of the document's level, or in the first one if the level is missing. `tidy()` and
#'   `autoplot()` of the explanation show one feature for the factor.
#'
#'   The format `"json"` of [write_model()] stores these splits. In other formats, each set becomes a chain of tests of
#'   0/1 features. These files can be 10 times as large, and a tree may then have up to 4,096 leaves.
#'
#'   `"subsets"` does not support sparse features, constraints on levels, or oblivious trees. On [binned_data()] it does
#'   not support `bagging_fraction` below 1, and the bins are copied once. Factors that were transformed stay 0/1
#'   columns.
#'
#' @references Friedman (2001). Greedy function approximation: a gradient boosting machine.
#'   \doi{10.1214/aos/1013203451}
#'
#'   Gulin, Kuralenok and Pavlov (2011). Winning the transfer learning track of Yahoo!'s learning
#'   to rank challenge with YetiRank. \url{https://proceedings.mlr.press/v14/gulin11a.html}
#'
#'   Chen and Guestrin (2016). XGBoost: a scalable tree boosting system.
#'   \doi{10.1145/2939672.2939785}
#'
#'   Fisher (1958). On grouping for maximum homogeneity. Journal of the American Statistical Association
#'   53. \doi{10.1080/01621459.1958.10501479}
#'
#'   Peter, Diego, Hamprecht and Nadler (2017). Cost efficient gradient boosting. Advances in Neural Information
#'   Processing Systems 30.
#'
#'   Vinayak and Gilad-Bachrach (2015). DART: dropouts meet multiple additive regression trees.
#'   AISTATS, <https://proceedings.mlr.press/v38/korlakaivinayak15.html>.
#' @export
gbrt <- function(trees = 500, num_leaves = NULL, max_depth = NULL, learning_rate = 0.1, max_bin = 255,
                 min_data_in_leaf = 20, feature_fraction = 1, bagging_fraction = 1,
                 precision = "single", objective = loss_squared(), lambda_l2 = 0, growth = "leaves",
                 query_fraction = 1, monotone_constraints = NULL, interaction_constraints = NULL, feature_cost = NULL,
                 dropout = 0, categories = "columns", cat_smooth = 10, cat_l2 = 10, max_cat_threshold = 32,
                 min_data_per_group = 100, ...) {
  check_no_others(...)
  new_spec("gbrt", trees = trees, num_leaves = num_leaves, max_depth = max_depth,
           learning_rate = learning_rate, max_bin = max_bin, min_data_in_leaf = min_data_in_leaf,
           feature_fraction = feature_fraction, bagging_fraction = bagging_fraction, precision = precision,
           objective = objective, lambda_l2 = lambda_l2, growth = growth, query_fraction = query_fraction,
           monotone_constraints = monotone_constraints, interaction_constraints = interaction_constraints,
           feature_cost = feature_cost, dropout = dropout, categories = categories,
           cat_smooth = cat_smooth, cat_l2 = cat_l2, max_cat_threshold = max_cat_threshold,
           min_data_per_group = min_data_per_group)
}

entry_of_gbrt <- function() {
  registry_entry(
    "gbrt",
    parameters = list(
      trees = parameter(a_count(max = 1e6), show = "always"),
      num_leaves = parameter(null_or(a_count(min = 2, max = 65536)), tune = c(7, 15, 31),
                         range = new_tuning_range(4, 256, log = TRUE, integer = TRUE),
                         show = function(spec) {
                           is.null(spec$max_depth) || !identical(spec$num_leaves, 2^spec$max_depth)
                         }),
      max_depth = parameter(null_or(a_count(max = 16)), show = function(spec) {
        !is_oblivious(spec) || spec$max_depth != oblivious_depth
      }),
      learning_rate = parameter(a_fraction, show = "always", tune = c(0.05, 0.1, 0.2),
                                range = new_tuning_range(0.02, 0.3, log = TRUE)),
      max_bin = parameter(a_count(min = 2, max = 255)),
      min_data_in_leaf = parameter(a_count(max = 1e9), range = new_tuning_range(1, 200, log = TRUE, integer = TRUE)),
      feature_fraction = parameter(a_fraction, range = new_tuning_range(0.2, 1)),
      bagging_fraction = parameter(a_fraction, range = new_tuning_range(0.5, 1)),
      precision = parameter(a_choice("single", "double")),
      objective = parameter(an_objective("squared", "pairwise", "softmax", "list_mle", "smooth",
                                         "lambda", "xendcg", "query_rmse", "ordinal", "custom",
                                         takes = "unbiased")),
      lambda_l2 = parameter(a_number(0, Inf), range = new_tuning_range(0.01, 100, log = TRUE)),
      growth = parameter(a_choice("leaves", "oblivious")), query_fraction = parameter(a_fraction),
      monotone_constraints = parameter(null_or(monotone_signs)),
      interaction_constraints = parameter(null_or(interaction_groups)),
      feature_cost = parameter(null_or(feature_costs)),
      dropout = parameter(a_fraction_below_1),
      categories = parameter(a_choice("columns", "subsets")),
      cat_smooth = parameter(a_number(0, Inf)), cat_l2 = parameter(a_number(0, Inf)),
      max_cat_threshold = parameter(a_count(max = 255)),
      min_data_per_group = parameter(a_count(max = 1e9))
    ),
    traits = function(spec) {
      c("rounds", "resumable", "validation", "missing", "weights", "sparse", "bins", "random",
        if (is.null(spec) || !splits_by_subsets(spec)) "distributed",
        if (is.null(spec) || spec$objective$name == "squared") "regression",
        if (!is.null(spec) && spec$objective$name == "lambda") "pairs", loss_traits(spec))
    },
    rounds = "trees",
    complete = function(spec, call) {
      if (spec$bagging_fraction < 1 && spec$query_fraction < 1) {
        stop_input("argument", "Both `bagging_fraction` and `query_fraction` are below 1.",
                   remedy = "Sample documents or whole queries: leave out one argument.",
                   call = call)
      }
      check_subsets(spec, call)
      if (is_oblivious(spec)) return(complete_oblivious(spec, call))
      if (is.null(spec$num_leaves)) spec$num_leaves <- leaves_of_depth(spec$max_depth)
      spec
    },
    given = function(spec) {
      if (is_oblivious(spec)) {
        if (spec$max_depth == oblivious_depth) spec["max_depth"] <- list(NULL)
      } else if (spec$num_leaves == leaves_of_depth(spec$max_depth)) {
        spec["num_leaves"] <- list(NULL)
      }
      unclass(spec)
    },
    lacks = function(spec) {
      c(if (is_oblivious(spec)) "num_leaves", if (!splits_by_subsets(spec)) settings_of_subsets)
    },
    variant = lambdamart_variant,
    grow = grow_gbrt,
    # Weights that are not whole numbers are rounded. Other objectives add two copies one by one,
    # and round differently.
    tolerance = c(twice = 1e-6, zero = 1e-12)
  )
}

leaves_of_depth <- function(depth) if (is.null(depth)) 31 else 2^depth

# The settings that the core receives, from the specification and the data.
gbrt_settings <- function(spec, task) {
  settings <- unclass(spec)
  data <- task$data
  settings$own_bins <- task$own_bins
  settings$cluster <- task$cluster
  settings$counts <- document_counts(data)
  signs <- signs_of_features(spec$monotone_constraints, data$features, task$call)
  categories <- numbered_categories(spec, data)
  settings$monotone_constraints <- signs_of_trees(signs, categories, task$call)
  settings$start_scores <- task$start_scores
  settings$groups <- groups_of_features(spec$interaction_constraints, data, categories, task$call)
  settings <- c(settings, settings_of_costs(spec$feature_cost, data, categories, task$call))
  if (!is.null(categories)) settings$levels <- levels_of_features(data$features, categories)
  if (spec$query_fraction < 1) {
    settings$query <- data$query
    settings$query_ids <- id_text(data$query_ids)
  }
  if (spec$bagging_fraction < 1) {
    check_can_draw(categories, data, task$call)
    # Random draws must not depend on the coding of a factor.
    task$data$x <- number_levels(data$x, categories)
    settings <- c(settings, drawing_settings(task))
  }
  settings
}

# Trains to the number of trees of the specification, starting from the model `from`. Fails if `from` was
# trained on other data.
grow_gbrt <- function(spec, task, from) {
  done <- if (is.null(from)) 0L else rounds_used(from)
  grow_rounds(gbrt_grower(spec, task, from = from), spec$trees, done, task$checkpoint, task$watch)
}

# `start` creates the fit in the core. `class` is the class of the models.
gbrt_grower <- function(spec, task, from = NULL, start = start_gbrt, class = NULL) {
  if (!is.null(from)) {
    check_features_of_model(from, task$data, task$checkpoint, task$call)
  }
  weights <- boosting_weights(task)
  categories <- numbered_categories(spec, task$data, task$call)
  bins <- task$bins(spec)
  digest <- training_digest(bins, relevance_marks(task$data), weights, task$threads, task$cluster)
  trees <- start(spec, task, bins, weights)
  if (!is.null(from) && (!identical(from$digest, digest) || !identical(from$categories, categories) ||
                           !gbrt_replay(trees, from, task$threads))) {
    stop_other_data("These have other features, grades or weights.", task$checkpoint,
                    task$call)
  }
  model <- function() {
    found <- gbrt_model(trees)
    structure(
      c(list(spec = spec), schema_of(task$data), found,
        learned_of(spec$objective, gbrt_states(trees), length(found$forest$round_begin) - 1L),
        list(seed = task$seed, digest = digest), if (!is.null(categories)) list(categories = categories)),
      class = c(class, "rankmix_gbrt_model", "rankmix_ranker")
    )
  }
  run <- function(wanted) {
    gbrt_run(trees, as.integer(wanted), as.integer(spec$trees), task$threads, task$progress)
  }
  if (drops_trees(spec)) {
    # Dropout rescales earlier trees, so each evaluation predicts with the whole model.
    return(list(fit = trees, run = run, hold = identity, model = model, scores = function(x, rounds) {
      model <- model()
      sum_scores(model, discriminant_slice(discriminants(model, x, rounds, task$threads), 1L))
    }))
  }
  constant <- gbrt_model(trees)$start
  list(
    fit = trees,
    run = run,
    hold = function(x) held_out_start(number_levels(x, categories)),
    scores = function(held, rounds) {
      constant + gbrt_look(trees, held, rounds, task$threads)[, 1L]
    },
    model = model
  )
}

drops_trees <- function(spec) isTRUE(.subset2(spec, "dropout") > 0)

has_squared_loss <- function(spec) {
  is.null(spec$objective) || spec$objective$name == "squared" && spec$lambda_l2 == 0
}

# Squared error has its own, faster training in the core.
start_gbrt <- function(spec, task, bins, weights) {
  if (has_squared_loss(spec)) {
    return(gbrt_start(bins, as.double(gbrt_targets(spec$objective, task)), weights,
                      gbrt_settings(spec, task), task$seed, task$threads))
  }
  on <- objective_task(spec, task, weights)
  gbrt_start_objective(bins, on$settled, on$documents, gbrt_settings(spec, task), task$seed,
                       task$threads)
}

# Lambdas depend on grades alone, so no vector of doubles is made for them.
gbrt_targets <- function(objective, task) {
  if (objective$name == "lambda" && is.null(objective$unbiased)) return(numeric())
  default <- if (objective$name %in% c("softmax", "xendcg")) "gain" else "grade"
  targets <- task$targets
  if (is.null(targets)) {
    targets <- objective_targets(objective, task$data$relevance, default, task$call)
  }
  if (is.null(objective$unbiased)) targets else shown_positions(task$data, task$call)
}

# The objective of the trees and its documents, as the core receives them.
objective_task <- function(spec, task, weights = boosting_weights(task)) {
  objective <- spec$objective
  targets <- gbrt_targets(objective, task)
  own <- own_weights(task)
  settled <- settled_objective(objective, task$data, task$call)
  documents <- objective_documents(task$data, targets,
                                   weights = if (own$of_data) own$weights else weights,
                                   query_weights = own$query_weights, settled = settled)
  if (objective$name == "lambda") {
    check_lambda_pairs(objective, settled, documents, task$threads, task$call, task$cluster)
  }
  list(settled = settled, documents = documents)
}

#' @export
rounds_used.rankmix_gbrt_model <- function(model) {
  length(.subset2(model, "forest")$round_begin) - 1L
}

#' @export
round_weights.rankmix_gbrt_model <- function(model) {
  spec <- unclass(.subset2(model, "spec"))
  if (!drops_trees(spec)) {
    return(rep(spec$learning_rate, rounds_used(model)))
  }
  gbrt_weights(spec, model$seed, rounds_used(model))
}

#' @export
discriminants.rankmix_gbrt_model <- function(model, x, rounds, threads) {
  x <- number_levels(x, .subset2(model, "categories"))
  if (drops_trees(model$spec)) {
    stages <- up_to_rounds(rounds, rounds_used(model))
    f <- vapply(stages, function(stage) {
      model <- first_rounds(model, stage)
      forest_predict(model$forest, round_weights(model), x, stage, threads)[, 1L, 1L]
    }, numeric(nrow(x)))
    return(array(f, c(nrow(x), 1L, length(stages))))
  }
  forest_discriminants(model, x, rounds, threads)
}

#' @export
core_part.rankmix_gbrt_model <- function(model) {
  if (!drops_trees(.subset2(model, "spec"))) {
    list(forest = .subset2(model, "forest"), weights = round_weights(model))
  }
}

#' @export
sum_scores.rankmix_gbrt_model <- function(model, f, rounds) {
  model$start + f[, 1L]
}

#' Predict with boosted rankers
#'
#' Scores or ranks new documents by the trees or weak rankers of a boosted model.
#'
#' @param object The model of [gbrt()], [yetirank()], [adarank()] or [rankboost()], trained by [fit()].
#' @param newdata The data, as in [predict.rankmix_classifier()].
#' @param type The result: `"score"` (the default) or `"rank"`.
#' @param rounds Number of rounds to use. The default is the number that [fit()] chose. With several numbers, the result
#' has predictions for each number of rounds.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return `"score"`: one number per document. With [loss_squared()], scores of [gbrt()] are on the scale of the target.
#'   Other scores have no unit. `"rank"`: the rank within the query, 1 for the best, ties in row order. With several
#'   `rounds`, a matrix with a named column for each.
#' @section Conditions: As in [predict.rankmix_classifier()].
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 20), train, threads = 1)
#' # Scores of the first ten trees, then the ranks of all trees.
#' head(predict(model, test, rounds = 10, threads = 1))
#' head(predict(model, test, type = "rank", threads = 1))
#' @export
predict.rankmix_gbrt_model <- function(object, newdata, type = c("score", "rank"),
                                       rounds = object$best_rounds, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_score_type(type[1L], c("score", "rank"))
  threads <- check_threads(threads)
  if (is_source(newdata)) {
    return(predict_source(object, newdata, type, threads, function(data) {
      predict(object, data, type = if (type == "rank") "score" else type, rounds = rounds, threads = threads)
    }))
  }
  asking_model(object, {
    x <- match_features(newdata, object, threads)
    call <- rlang::current_env()
    predict_stages(object, x, rounds, threads, function(f, rounds) {
      scores <- sum_scores(object, f, rounds)
      if (type == "rank") rank_within_queries(scores, newdata, call, object) else scores
    })
  })
}

#' @rdname predict.rankmix_gbrt_model
#' @export
predict.rankmix_adarank_model <- predict.rankmix_gbrt_model

#' @rdname predict.rankmix_gbrt_model
#' @export
predict.rankmix_rankboost_model <- predict.rankmix_gbrt_model

#' @export
print.rankmix_gbrt_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  cost <- paid_cost(x)
  say(sprintf("%d trees (%s), %d features", rounds_used(x), x$status, length(x$features)),
      if (!is.null(cost)) sprintf(", %d used at a cost of %s", length(units_used(x)), plain_number(cost)))
  if (!is.null(x$position_bias)) say("Position bias of the training data: see `$position_bias`")
  print_best(x)
  invisible(x)
}
