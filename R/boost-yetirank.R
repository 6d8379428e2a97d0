#' YetiRank
#'
#' Specifies a ranker of oblivious trees. Pairs of documents are weighted by their ranks in perturbed
#' rankings, and optionally by the error rates of assessors. Use it when assessors are noisy.
#'
#' @param trees Number of trees, at most; default 1000.
#' @param max_depth The depth of the trees, 1 to 10; default 6. Each level has one test for all of its nodes.
#' @param learning_rate The learning rate: the factor by which each tree's contribution is shrunk.
#'   Smaller values need more trees. In (0, 1]; default 0.05.
#' @param rankings Number of perturbed rankings of each query for a tree. More rankings give less noisy pair
#' weights. Default 100; 10 with `setup = "catboost"`.
#' @param setup The preset for `target`, `labels`, `position` and `solver`: one of the six of the paper,
#'   `"mse"`, `"equal"`, `"difference"`, `"lambdarank"`, `"aligned"` (the default) and `"yetirank"`, or
#'   `"catboost"`. Arguments that you set override the preset.
#' @param confusion The confusion matrix of assessors: the probability of each true grade (column) for
#'   an assigned grade (row). Rows that sum to 1 within 0.02 are scaled to 1. `setup = "yetirank"`
#'   requires it. See [yeti_confusion] and [infer_confusion()].
#' @param target The target: `"pairs"`, or `"mse"` for regression of the grades.
#' @param labels The weight of a pair by its grades: `"equal"`, 1; `"difference"`, the difference of
#'   grades; `"confusion"`, the probability that one document is truly better.
#' @param scale The scale of grades for differences and for `target = "mse"`: `"grade"` (the default) or
#'   `"gain"`, 2^grade - 1.
#' @param position The weight of two neighbouring documents, as a function of the rank R of the upper
#'   document. `"none"`: all pairs have equal weights, and nothing is perturbed. `"reciprocal"`: 1/R.
#'   `"decay"`: `decay`^(R - 1). A metric: its change if the two are swapped, for `metric_ndcg()`,
#'   `metric_dcg()`, `metric_err()`, `metric_average_precision()`, `metric_precision()` or
#'   `metric_reciprocal_rank()`.
#' @param solver The solver. `"aligned"`: tests and leaf values minimise the sum over pairs. `"values"`: only
#' the leaf values minimise this sum. `"pointwise"`: trees are fitted to one gradient a document, the sum
#' over its pairs.
#' @param neighbours The largest difference of the ranks of neighbours; default 1.
#' @param noise,noise_scale The distribution of the noise added to scores, `"logistic"` (the default),
#'   `"normal"` or `"none"`, and its scale (standard deviation for `"normal"`); default 1.
#' @param decay The base of `position = "decay"`, in (0, 1]; default 0.85.
#' @param hessian The hessian of the pointwise solver: `"weights"`, as in the paper (the default), or
#'   `"newton"`, the second derivative.
#' @param lambda_l2 The L2 regularization of the pointwise solver, added to a leaf's hessian; default 0.
#' @param ridge The ridge of the aligned solver, relative to the mean of the diagonal; default 1e-10.
#' @param pair_fraction The fraction of each query's pair weight that the aligned search uses. The heaviest
#' pairs are used first. Smaller values are faster. In (0, 1]; default 1.
#' @param screen Number of features that the aligned search tests at a level. The pointwise solver preselects
#' them. Default `Inf`, all.
#' @param max_bin Number of bins per feature, 2 to 255; default 32.
#' @param feature_fraction,bagging_fraction The fractions of features and documents that the search
#'   uses, sampled anew for each tree. In (0, 1]; default 1 and 0.5. Leaf values use all documents.
#' @param interaction_constraints The features that may interact: a list of groups of features or factors by name, such
#'   as `list(c("bm25", "length"), "price")`. All features of a tree are in one group. See [gbrt()]. The default `NULL`
#'   sets no limit.
#' @param feature_cost The costs of features: by name, such as `c(embedding = 0.05)`, or one number for each feature.
#'   Only the first test of a feature has the cost. A cost of 1 is the gain of the best first test. Larger costs lead to
#'   fewer features, see Costs of features. 0 or more; default `NULL`, no costs.
#' @param ... Must be empty.
#'
#' @return A specification of class `rankmix_yetirank`, for [fit()].
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(yetirank(trees = 30, max_depth = 4, rankings = 10), train, threads = 1)
#' head(predict(model, train))
#' yetirank(setup = "yetirank", confusion = yeti_confusion$inferred)
#'
#' @details
#' **Presets.**
#'
#' | `setup` | `target`, `labels`, `position`, `solver` |
#' |---|---|
#' | `"mse"` | mse, pointwise |
#' | `"equal"` | pairs, equal, none, pointwise |
#' | `"difference"` | pairs, difference, none, pointwise |
#' | `"lambdarank"` | pairs, difference, reciprocal, pointwise |
#' | `"aligned"` | pairs, difference, reciprocal, aligned |
#' | `"yetirank"` | pairs, confusion, reciprocal, aligned |
#' | `"catboost"` | pairs, difference, decay, aligned |
#'
#' If `position` is a metric, the default of `labels` is `"equal"` instead of `"difference"`.
#' `"catboost"` is CatBoost's YetiRankPairwise. With `solver = "pointwise"`, `hessian = "newton"` and a
#' `lambda_l2` above 0, the ranker resembles CatBoost's YetiRank. With a metric as `position` too, it
#' resembles the other modes of CatBoost's YetiRank.
#'
#' **Loss.** For each tree each query is ranked `rankings` times by its scores \eqn{x_i}{x_i} plus
#' \eqn{\log(r / (1 - r))}{log(r / (1 - r))}, with r uniform on (0, 1). Two adjacent documents, the
#' upper at rank R, add 1/R to \eqn{N_{ij} = N_{ji}}{N_ij = N_ji}. With the weights \eqn{w_{ij} = N_{ij}
#' c(l_i, l_j)}{w_ij = N_ij c(l_i, l_j)} the loss is
#' \deqn{-\sum_{ij} w_{ij} \log \frac{e^{x_i}}{e^{x_i} + e^{x_j}}.}{
#'   - sum_ij w_ij log(exp(x_i) / (exp(x_i) + exp(x_j))).}
#' With grades l, c is \eqn{[l_i > l_j]}{[l_i > l_j]} for `"equal"` and
#' \eqn{\max(0, l_i - l_j)}{max(0, l_i - l_j)} for
#' `"difference"`. For `"confusion"` it is
#' \eqn{\sum_{u > v} p(u | l_i) p(v | l_j)}{sum over u > v of p(u | l_i)
#' p(v | l_j)}, in both directions. Then pairs of equal grades have a weight, too, which moves their scores
#' together. The identity as `confusion` gives `"equal"`. Multiplying all weights by a number does not change
#' the model.
#'
#' **Solvers.** The aligned solver minimises \deqn{\sum_{ij} w_{ij} (c_{n(i)} - c_{n(j)} - s_{ij})^2, \quad
#'   s_{ij} = \frac{1}{1 + e^{x_i - x_j}},}{
#'   sum_ij w_ij (c_n(i) - c_n(j) - s_ij)^2, s_ij = 1 / (1 + exp(x_i - x_j)),}
#' over the values c of the leaves n. The solution is \eqn{c = M^+ v}{c = M^+ v} with the Laplacian M of the
#' leaves, and
#' the gain of a tree is \eqn{v' M^+ v}{v' M^+ v}. Each set of leaves connected by pairs has mean 0. The
#' pointwise
#' solver gives a leaf \eqn{\sum V_i / \sum W_i}{sum V_i / sum W_i} with
#' \eqn{V_i = \frac12 (\sum_j w_{ij} s_{ij} -
#' \sum_j w_{ji} s_{ji})}{V_i = 1/2 (sum_j w_ij s_ij - sum_j w_ji s_ji)} and \eqn{W_i = \sum_j (w_{ij} +
#' w_{ji})}{W_i =
#' sum_j (w_ij + w_ji)}. The signs in the paper differ from these formulas.
#'
#' **Notes.** The model is invariant to row order. The loss differs for each tree, so it cannot decide when
#' to stop. Use validation data to choose the number of trees. Scores are comparable within a query only,
#' except for `"mse"`.
#'
#' **Cost of a tree.** Ranking n documents `rankings` times costs n log n each time. On each level, the
#' aligned solver adds a few steps for each feature and sampled pair. For each test it adds the cube of twice
#' the number of leaves. The pointwise solver adds a step for each document and feature.
#'
#' @section Costs of features: Costs reduce the gains of tests as in [gbrt()]. The gain of the best first test is the
#'   gain of the solver that searches the tests. With a `bagging_fraction` below 1, the reduction is multiplied by the
#'   fraction of documents that the tree uses. The aligned solver uses pairs, and multiplies by the square of this
#'   fraction. The preselection by `screen` considers costs, too.
#'
#' @section Conditions: `rankmix_error_confusion`: the matrix is invalid, missing, not used, or has
#'   fewer grades than the data. `rankmix_error_pairs`: no query of positive weight has a pair of
#'   positive weight.
#' @references Gulin, Kuralenok and Pavlov (2011). Winning the transfer learning track of Yahoo!'s
#'   learning to rank challenge with YetiRank. JMLR Workshop and Conference Proceedings 14, 63-76.
#'
#'   Lyzhin, Ustimenko, Gulin and Prokhorenkova (2023). Which tricks are important for learning to
#'   rank? \doi{10.48550/arXiv.2204.01500}
#' @seealso [infer_confusion()]
#' @export
yetirank <- function(trees = 1000, max_depth = 6, learning_rate = 0.05, rankings = 100, setup = "aligned",
                     confusion = NULL, target = NULL, labels = NULL, scale = "grade",
                     position = NULL, solver = NULL, neighbours = 1, noise = "logistic",
                     noise_scale = 1, decay = 0.85, hessian = "weights", lambda_l2 = 0,
                     ridge = 1e-10, pair_fraction = 1, screen = Inf, max_bin = 32,
                     feature_fraction = 1, bagging_fraction = 0.5, interaction_constraints = NULL,
                     feature_cost = NULL, ...) {
  check_no_others(...)
  if (missing(rankings) && identical(setup, "catboost")) rankings <- 10
  new_spec("yetirank", trees = trees, max_depth = max_depth, learning_rate = learning_rate,
           rankings = rankings, setup = setup, confusion = confusion, target = target, labels = labels,
           scale = scale, position = position, solver = solver, neighbours = neighbours, noise = noise,
           noise_scale = noise_scale, decay = decay, hessian = hessian, lambda_l2 = lambda_l2, ridge = ridge,
           pair_fraction = pair_fraction, screen = screen, max_bin = max_bin,
           feature_fraction = feature_fraction, bagging_fraction = bagging_fraction,
           interaction_constraints = interaction_constraints, feature_cost = feature_cost)
}

yeti_setups <- list(
  mse = list(target = "mse", labels = "difference", position = "none", solver = "pointwise"),
  equal = list(target = "pairs", labels = "equal", position = "none", solver = "pointwise"),
  difference = list(target = "pairs", labels = "difference", position = "none",
                    solver = "pointwise"),
  lambdarank = list(target = "pairs", labels = "difference", position = "reciprocal",
                    solver = "pointwise"),
  aligned = list(target = "pairs", labels = "difference", position = "reciprocal",
                 solver = "aligned"),
  yetirank = list(target = "pairs", labels = "confusion", position = "reciprocal",
                  solver = "aligned"),
  catboost = list(target = "pairs", labels = "difference", position = "decay",
                  solver = "aligned")
)

entry_of_yetirank <- function() {
  given_only <- function(name, check) {
    parameter(null_or(check), show = function(spec) {
      !identical(spec[[name]], setup_settings(spec$setup, spec$position)[[name]])
    })
  }
  registry_entry(
    "yetirank",
    parameters = list(
      trees = parameter(a_count(max = 1e6), show = "always"),
      max_depth = parameter(a_count(max = 10), tune = c(4, 6)),
      learning_rate = parameter(a_fraction, show = "always", tune = c(0.02, 0.05, 0.1),
                                range = new_tuning_range(0.02, 0.2, log = TRUE)),
      rankings = parameter(a_count(max = 1e5)),
      setup = parameter(a_choice(names(yeti_setups)), show = "always"),
      confusion = parameter(null_or(check_confusion)),
      target = given_only("target", a_choice("pairs", "mse")),
      labels = given_only("labels", a_choice("equal", "difference", "confusion")),
      scale = parameter(a_choice("grade", "gain")),
      position = given_only("position", a_position),
      solver = given_only("solver", a_choice("aligned", "values", "pointwise")),
      neighbours = parameter(a_count(max = 1e4)),
      noise = parameter(a_choice("logistic", "normal", "none")),
      noise_scale = parameter(a_number(0, 1e3)),
      decay = parameter(a_fraction),
      hessian = parameter(a_choice("weights", "newton")),
      lambda_l2 = parameter(a_number(0, Inf)),
      ridge = parameter(a_number(1e-12, 1e3)),
      pair_fraction = parameter(a_fraction),
      screen = parameter(a_count(infinite = TRUE)),
      max_bin = parameter(a_count(min = 2, max = 255)),
      feature_fraction = parameter(a_fraction, range = new_tuning_range(0.2, 1)),
      bagging_fraction = parameter(a_fraction),
      interaction_constraints = parameter(null_or(interaction_groups)),
      feature_cost = parameter(null_or(feature_costs))
    ),
    traits = function(spec) {
      c("rounds", "resumable", "validation", "missing", "weights", "sparse", "bins", "distributed",
        "random", if (is.null(spec) || spec$target == "pairs") "pairs")
    },
    rounds = "trees",
    complete = complete_yetirank,
    given = function(spec) {
      usual <- setup_settings(spec$setup, spec$position)
      for (name in names(usual)) {
        if (identical(spec[[name]], usual[[name]])) spec[name] <- list(NULL)
      }
      unclass(spec)
    },
    grow = grow_yetirank,
    tolerance = c(zero = 1e-12),
    exempt = c(twice = "The noise depends on the query id, and a copy has a different id.")
  )
}

# The presets of a setup. With a metric as `position` the default of `labels` differs.
setup_settings <- function(setup, position = NULL) {
  settings <- yeti_setups[[setup]]
  if (inherits(position, "rankmix_metric") && settings$labels == "difference") {
    settings$labels <- "equal"
  }
  settings
}

complete_yetirank <- function(spec, call) {
  if (is.character(spec$position) && !spec$position %in% yeti_positions) {
    spec$position <- read_metric(spec$position, call)
  }
  settings <- setup_settings(spec$setup, spec$position)
  for (name in names(settings)) {
    if (is.null(spec[[name]])) spec[[name]] <- settings[[name]]
  }
  if (spec$target == "mse" && spec$solver != "pointwise") {
    stop_input("argument", sprintf("`solver = \"%s\"` needs pairs, but `target` is \"mse\".",
                                   spec$solver),
               remedy = "Leave `solver` out, or take `target = \"pairs\"`.", call = call)
  }
  wants <- spec$target == "pairs" && spec$labels == "confusion"
  if (wants && is.null(spec$confusion)) {
    stop_input("confusion", "`confusion` is missing. It determines the weights of pairs.",
               sprintf("`setup = \"%s\"` has `labels = \"confusion\"`.", spec$setup),
               paste("Give a matrix, such as `yeti_confusion$inferred` or a result of",
                     "`infer_confusion()`, or other `labels`."), call = call)
  }
  if (!wants && !is.null(spec$confusion)) {
    stop_input("confusion", "`confusion` is given, but the weights of pairs do not use it.",
               sprintf("`setup = \"%s\"` has `labels = \"%s\"`.", spec$setup, spec$labels),
               "Take `setup = \"yetirank\"` or `labels = \"confusion\"`, or leave it out.",
               call = call)
  }
  if (wants) spec$confusion <- as_confusion(spec$confusion)
  spec
}

yeti_positions <- c("none", "reciprocal", "decay")

# A check: the name of a position weight, or a metric whose change by a swap is defined.
a_position <- function(x, name, call) {
  if (is.character(x) && length(x) == 1L && x %in% yeti_positions) return(invisible())
  metric <- tryCatch(read_metric(x, call), rankmix_error = function(e) NULL)
  if (is.null(metric) || is_custom(list(metric)) || !metric$name %in% swap_metrics) {
    stop_input("argument", sprintf("`%s` cannot be %s.", name, show_value(x)),
               remedy = paste("Take \"none\", \"reciprocal\", \"decay\", or a metric:",
                              paste0(enumerate(paste0(component_name("metric", swap_metrics), "()"), 10L), ".")),
               call = call)
  }
}

swap_metrics <- c("ndcg", "dcg", "err", "average_precision", "precision",
                       "reciprocal_rank")

# Row a, column b: the weight of a pair with grade a above grade b.
pair_gain <- function(spec, grades) {
  l <- seq_len(grades) - 1
  if (spec$labels == "confusion") {
    p <- spec$confusion
    return(p %*% outer(seq_len(ncol(p)), seq_len(ncol(p)), ">") %*% t(p))
  }
  if (spec$labels == "difference" && spec$scale == "gain") l <- exponential_gain(l)
  differences <- outer(l, l, "-")
  if (spec$labels == "equal") 1 * (differences > 0) else pmax(differences, 0)
}

# The objective in the form that the core needs, see make_yeti().
yeti_objective <- function(spec, data) {
  objective <- list(name = "yeti", rankings = spec$rankings, neighbours = spec$neighbours,
                    noise = spec$noise, noise_scale = spec$noise_scale, decay = spec$decay,
                    position = spec$position, newton = spec$hessian == "newton",
                    pair_gain = pair_gain(spec, highest(data, data$relevance) + 1L),
                    queries = id_text(data$query_ids))
  if (!is.character(spec$position)) {
    objective$position <- "metric"
    objective$longest <- as.double(highest(data, diff(data$offsets)))
    objective$metric <- metric_spec(settle_metric(spec$position, relevance_range(data)),
                                    data$relevance, objective$longest)
  }
  objective
}

check_yeti_data <- function(spec, data, call) {
  best <- highest(data, data$relevance)
  if (spec$labels == "confusion" && nrow(spec$confusion) <= best) {
    stop_input("confusion", "`confusion` has fewer grades than the data.",
               sprintf("It has the grades 0 to %d, the data have grade %d.",
                       nrow(spec$confusion) - 1L, as.integer(best)),
               "Give a row and a column for each grade.", call = call)
  }
  counts <- if (is.null(data$weight)) TRUE else data$weight[data$query] > 0
  query <- data$query[counts]
  kinds <- if (spec$labels == "confusion") query else {
    unique(cbind(query, data$relevance[counts]))[, 1L]
  }
  if (!cluster_any(data$cluster, anyDuplicated(kinds) > 0L)) {
    stop_input("pairs",
               paste("There is nothing to learn: no training query has a pair of documents",
                     "with a positive weight."),
               sprintf("The data have %s.", counted(length(data$query_ids), "query", "queries")),
               "Give queries with documents of several grades, of weight above 0.", call = call)
  }
}

grow_yetirank <- function(spec, task, from) {
  if (spec$target == "pairs") check_yeti_data(spec, task$data, task$call)
  done <- if (is.null(from)) 0L else rounds_used(from)
  grower <- gbrt_grower(spec, task, from, start = start_yetirank,
                        class = "rankmix_yetirank_model")
  grow_rounds(grower, spec$trees, done, task$checkpoint, task$watch)
}

start_yetirank <- function(spec, task, bins, weights) {
  # The noise of a document depends on its position in the query. Content order makes it invariant
  # to row order.
  task$data$order <- rows_of_content(task$data, task$threads, task$weights)
  data <- task$data
  shared <- c("max_depth", "learning_rate", "feature_fraction", "bagging_fraction", "lambda_l2",
              "interaction_constraints", "feature_cost")
  trees <- do.call(gbrt, c(unclass(spec)[intersect(shared, names(spec))],
                           list(growth = "oblivious", min_data_in_leaf = 1)))
  settings <- c(gbrt_settings(trees, task),
                unclass(spec)[c("solver", "ridge", "pair_fraction", "screen")])
  if (spec$target == "mse") {
    targets <- if (spec$scale == "gain") exponential_gain(data$relevance) else data$relevance
    return(gbrt_start(bins, as.double(targets), weights, settings, task$seed, task$threads))
  }
  documents <- objective_documents(data, data$relevance, weights = numeric(),
                                   query_weights = data$weight)
  gbrt_start_objective(bins, yeti_objective(spec, data), documents, settings, task$seed,
                       task$threads)
}
