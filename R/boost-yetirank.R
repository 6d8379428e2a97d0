#' YetiRank
#'
#' Specifies a ranker of oblivious trees that learn pairs of documents weighed by where they
#' stand in perturbed rankings, and by what is believed of the judges' errors. To be trained by
#' [fit()].
#'
#' @param trees Largest number of trees.
#' @param depth Depth of the trees, 1 to 10: each level has one test for all of its nodes.
#' @param step Share of each tree's values that is added, in (0, 1].
#' @param rankings How many perturbed rankings of each query a tree sees; 10 with `setup =
#'   "catboost"` if it is not given.
#' @param setup What the settings `target`, `labels`, `position` and `solver` are where they are
#'   not given: `"mse"`, `"equal"`, `"difference"`, `"lambdarank"`, `"aligned"` or `"yetirank"`,
#'   the six of the paper, or `"catboost"`. See Details.
#' @param confusion A matrix of the probabilities of true grades, as columns, of what judges
#'   graded, as rows: each row sums to 1, to .02, and is made to. `setup = "yetirank"`
#'   needs it; see [yeti_confusion] and [infer_confusion()].
#' @param target `"pairs"`, or `"mse"`: grades are regressed.
#' @param labels What a pair is worth by its grades: `"equal"`, 1; `"difference"`, the difference
#'   of the grades; `"confusion"`, the probability that the one is truly better.
#' @param scale `"grade"` or `"gain"`, 2^grade - 1: of what differences are taken, and what
#'   `target = "mse"` regresses.
#' @param position What the place R = 1, 2, ... of the upper of two neighbours weighs: `"none"`,
#'   all pairs weigh the same and no ranking is drawn; `"reciprocal"`, 1/R; `"decay"`, `decay`^(R
#'   - 1); or a metric such as `ndcg()`, `err()`, `average_precision()` or `reciprocal_rank()`: by
#'   how much it changes where the two are exchanged.
#' @param solver `"aligned"`: levels and values of leaves are those that minimise the sum over
#'   pairs; `"values"`: only the values of leaves; `"pointwise"`: neither, documents have sums of
#'   their pairs.
#' @param neighbours How far below a document in a ranking its neighbours are.
#' @param noise,noise_scale The law of the noise that is added to scores, `"logistic"`,
#'   `"normal"` (with this standard deviation) or `"none"`, and its scale.
#' @param decay See `position`.
#' @param curvature Of the pointwise solver: `"weights"`, that of the paper, or `"newton"`, the
#'   second derivative.
#' @param l2 Of the pointwise solver: what is added to the curvature of a leaf.
#' @param ridge Of the aligned solver: what is added to the diagonal, relative to its mean.
#' @param pair_share Of the aligned solver: the search sees the heaviest pairs of each query
#'   that have this share of its weight, in (0, 1].
#' @param screen Of the aligned solver: the search of a level solves for the tests of so many
#'   features, those that the pointwise solver finds best; `Inf`: all.
#' @param bins Number of bins per feature, 2 to 255.
#' @param feature_share,document_share Shares of the features and of the documents that the
#'   search for splits of a tree sees, in (0, 1], drawn anew for each tree. Documents are drawn by
#'   the id of their query, their features and their grade. Values of leaves are of all documents.
#' @param ... Must be empty.
#'
#' @details For each tree each query is ranked `rankings` times by its scores \eqn{x_i}{x_i} to
#'   which \eqn{\log(r / (1 - r))}{log(r / (1 - r))} is added, r uniform on (0, 1). Two documents
#'   one after the other with the upper one at place R add 1/R to \eqn{N_{ij} = N_{ji}}{N_ij =
#'   N_ji}, and \eqn{w_{ij} = N_{ij} c(l_i, l_j)}{w_ij = N_ij c(l_i, l_j)} weighs the loss
#'   \deqn{-\sum_{ij} w_{ij} \log \frac{e^{x_i}}{e^{x_i} + e^{x_j}}.}{
#'     - sum_ij w_ij log(exp(x_i) / (exp(x_i) + exp(x_j))).}
#'   With grades l, c is \eqn{[l_i > l_j]}{[l_i > l_j]} for `"equal"`, \eqn{\max(0, l_i -
#'   l_j)}{max(0, l_i - l_j)} for `"difference"`, and for `"confusion"` \eqn{\sum_{u > v} p(u | l_i)
#'   p(v | l_j)}{sum over u > v of p(u | l_i) p(v | l_j)}, where pairs count in both directions
#'   and those of equal grades count too: they draw the scores together. The identity as `confusion`
#'   gives `"equal"`. All weights times a number give the same model.
#'
#'   The aligned solver minimises \deqn{\sum_{ij} w_{ij} (c_{n(i)} - c_{n(j)} - s_{ij})^2, \quad
#'     s_{ij} = \frac{1}{1 + e^{x_i - x_j}},}{
#'     sum_ij w_ij (c_n(i) - c_n(j) - s_ij)^2, s_ij = 1 / (1 + exp(x_i - x_j)),}
#'   over the values c of the leaves n, which is \eqn{c = M^+ v}{c = M^+ v} with the Laplacian M of
#'   the leaves; a tree is worth \eqn{v' M^+ v}{v' M^+ v}, by which the sum drops. Leaves that no
#'   pairs connect have the mean 0 each. The pointwise solver gives a leaf \eqn{\sum V_i /
#'   \sum W_i}{sum V_i / sum W_i} with \eqn{V_i = \frac12 (\sum_j w_{ij} s_{ij} - \sum_j w_{ji}
#'   s_{ji})}{V_i = 1/2 (sum_j w_ij s_ij - sum_j w_ji s_ji)} and \eqn{W_i = \sum_j (w_{ij} +
#'   w_{ji})}{W_i = sum_j (w_ij + w_ji)}. Signs are those that make the loss fall; the paper
#'   prints others.
#'
#'   | `setup` | `target` | `labels` | `position` | `solver` |
#'   |---|---|---|---|---|
#'   | `"mse"` | mse | | | pointwise |
#'   | `"equal"` | pairs | equal | none | pointwise |
#'   | `"difference"` | pairs | difference | none | pointwise |
#'   | `"lambdarank"` | pairs | difference | reciprocal | pointwise |
#'   | `"aligned"` | pairs | difference | reciprocal | aligned |
#'   | `"yetirank"` | pairs | confusion | reciprocal | aligned |
#'   | `"catboost"` | pairs | difference | decay | aligned |
#'
#'   `"catboost"` is what CatBoost calls YetiRankPairwise; with `solver = "pointwise"`, `curvature =
#'   "newton"` and an `l2` it is like its YetiRank, with a metric as `position` like its other
#'   modes.
#'   Where `position` is a metric, `labels` are `"equal"` if they are not given.
#'
#'   Draws are by the name of a query and the places of its documents: the order of the queries
#'   changes nothing, that of the documents of a query does. The loss is another one
#'   for each tree: it tells nothing about when to stop, and validation data do. Scores have no unit
#'   and mean something within a query alone, but for `"mse"`.
#'
#'   Cost of a tree: `rankings` times n log n for n documents; for levels of the aligned solver a
#'   few steps for each feature and pair of which both documents are drawn, and the cube
#'   of twice the leaves for each test; for the pointwise one a step for each document and feature.
#'
#' @return A value of class `rankmix_yetirank`, a specification. [fit()] gives a ranker, for
#'   [predict()] and [evaluate()].
#' @section Conditions: `rankmix_error_confusion`: a matrix that is no confusion matrix, that is
#'   lacking, or that has fewer grades than the data. `rankmix_error_pairs`: no query of positive
#'   weight has a pair that is worth anything.
#' @references Gulin, Kuralenok and Pavlov (2011). Winning the transfer learning track of Yahoo!'s
#'   learning to rank challenge with YetiRank. JMLR Workshop and Conference Proceedings 14, 63-76.
#'
#'   Lyzhin, Ustimenko, Gulin and Prokhorenkova (2023). Which tricks are important for learning to
#'   rank? \doi{10.48550/arXiv.2204.01500}
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(yetirank(trees = 30, depth = 4, rankings = 10), train, threads = 1)
#' head(predict(model, train))
#' yetirank(setup = "yetirank", confusion = yeti_confusion$inferred)
#' @seealso [infer_confusion()]
#' @export
yetirank <- function(trees = 1000, depth = 6, step = 0.05, rankings = 100, setup = "aligned",
                     confusion = NULL, target = NULL, labels = NULL, scale = "grade",
                     position = NULL, solver = NULL, neighbours = 1, noise = "logistic",
                     noise_scale = 1, decay = 0.85, curvature = "weights", l2 = 0,
                     ridge = 1e-10, pair_share = 1, screen = Inf, bins = 32,
                     feature_share = 1, document_share = 0.5, ...) {
  check_no_others(...)
  if (missing(rankings) && identical(setup, "catboost")) rankings <- 10
  new_spec("yetirank")
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

row_of_yetirank <- function() {
  given_only <- function(name, check) {
    parameter(null_or(check), show = function(spec) {
      !identical(spec[[name]], setup_settings(spec$setup, spec$position)[[name]])
    })
  }
  ranker_row(
    "yetirank",
    parameters = list(
      trees = parameter(a_count(max = 1e6), show = "always"),
      depth = parameter(a_count(max = 10), tune = c(4, 6)),
      step = parameter(a_share, show = "always", tune = c(0.02, 0.05, 0.1)),
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
      decay = parameter(a_share),
      curvature = parameter(a_choice("weights", "newton")),
      l2 = parameter(a_number(0, Inf)),
      ridge = parameter(a_number(1e-12, 1e3)),
      pair_share = parameter(a_share),
      screen = parameter(a_count(infinite = TRUE)),
      bins = parameter(a_count(min = 2, max = 255)),
      feature_share = parameter(a_share), document_share = parameter(a_share)
    ),
    traits = function(spec) {
      c("rounds", "resumable", "validation", "missing", "weights", "sparse", "random",
        if (is.null(spec) || spec$target == "pairs") "pairs")
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
    train = function(spec, task) grow_yetirank(spec, task),
    small = list(trees = 8, depth = 3, rankings = 20, document_share = 0.9),
    tolerance = c(zero = 1e-12),
    excused = c(twice = "noise goes by the names of queries, and the copy has another one.")
  )
}

# What is not given, by the setup; a metric as position has its own labels.
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
    stop_input("confusion", "`confusion` is lacking, by which pairs are to be weighed.",
               sprintf("`setup = \"%s\"` has `labels = \"confusion\"`.", spec$setup),
               paste("Give a matrix, such as `yeti_confusion$inferred` or what",
                     "`infer_confusion()` finds, or other `labels`."), call = call)
  }
  if (!wants && !is.null(spec$confusion)) {
    stop_input("confusion", "`confusion` is given, but pairs are not weighed by it.",
               sprintf("`setup = \"%s\"` has `labels = \"%s\"`.", spec$setup, spec$labels),
               "Take `setup = \"yetirank\"` or `labels = \"confusion\"`, or leave it out.",
               call = call)
  }
  if (wants) spec$confusion <- as_confusion(spec$confusion)
  spec
}

yeti_positions <- c("none", "reciprocal", "decay")

# A name, or a metric that says what an exchange changes.
a_position <- function(x, name, call) {
  if (is.character(x) && length(x) == 1L && x %in% yeti_positions) return(invisible())
  metric <- tryCatch(read_metric(x, call), rankmix_error = function(e) NULL)
  if (is.null(metric) || is_custom(list(metric)) || !metric$name %in% exchanged_metrics) {
    stop_input("argument", sprintf("`%s` cannot be %s.", name, show_value(x)),
               remedy = paste("Take \"none\", \"reciprocal\", \"decay\", or a metric:",
                              paste0(enumerate(paste0(exchanged_metrics, "()"), 10L), ".")),
               call = call)
  }
}

exchanged_metrics <- c("ndcg", "dcg", "err", "average_precision", "precision",
                       "reciprocal_rank")

# Row a, column b: what it is worth that a document of grade a comes before one of grade b.
pair_worth <- function(spec, grades) {
  l <- seq_len(grades) - 1
  if (spec$labels == "confusion") {
    p <- spec$confusion
    return(p %*% outer(seq_len(ncol(p)), seq_len(ncol(p)), ">") %*% t(p))
  }
  if (spec$labels == "difference" && spec$scale == "gain") l <- exponential_gain(l)
  differences <- outer(l, l, "-")
  if (spec$labels == "equal") 1 * (differences > 0) else pmax(differences, 0)
}

# The objective as the core takes it, see make_yeti().
yeti_objective <- function(spec, data) {
  objective <- list(name = "yeti", rankings = spec$rankings, neighbours = spec$neighbours,
                    noise = spec$noise, noise_scale = spec$noise_scale, decay = spec$decay,
                    position = spec$position, newton = spec$curvature == "newton",
                    worth = pair_worth(spec, max(data$relevance) + 1L),
                    queries = id_text(data$query_ids))
  if (!is.character(spec$position)) {
    objective$position <- "metric"
    objective$longest <- as.double(max(diff(data$offsets)))
    objective$metric <- metric_spec(settle_metric(spec$position, data$relevance),
                                    data$relevance, objective$longest)
  }
  objective
}

check_yeti_data <- function(spec, data, call) {
  if (spec$labels == "confusion" && nrow(spec$confusion) <= max(data$relevance)) {
    stop_input("confusion", "`confusion` has fewer grades than the data.",
               sprintf("It has the grades 0 to %d, the data have grade %d.",
                       nrow(spec$confusion) - 1L, max(data$relevance)),
               "Give a row and a column for each grade.", call = call)
  }
  counts <- if (is.null(data$weight)) TRUE else data$weight[data$query] > 0
  query <- data$query[counts]
  kinds <- if (spec$labels == "confusion") query else {
    unique(cbind(query, data$relevance[counts]))[, 1L]
  }
  if (!anyDuplicated(kinds)) {
    stop_input("pairs",
               paste("There is nothing to learn: no training query has a pair of documents that is",
                     "worth anything."),
               sprintf("%s.", counted(length(data$query_ids), "query", "queries")),
               "Give queries with documents of several grades, of weight above 0.", call = call)
  }
}

grow_yetirank <- function(spec, task, from = task$checkpoint$model) {
  if (spec$target == "pairs") check_yeti_data(spec, task$data, task$call)
  done <- if (is.null(from)) 0L else rounds_used(from)
  grower <- gbrt_grower(spec, task, from, start = start_yetirank,
                        class = "rankmix_yetirank_model")
  grow_rounds(grower, spec$trees, done, task$checkpoint, task$watch)
}

start_yetirank <- function(spec, task, bins, weights) {
  # Noise is drawn by the place of a document in its query, which is that in content order.
  task$data$order <- rows_of_content(task$data, task$threads, task$weights)
  data <- task$data
  shared <- c("depth", "step", "feature_share", "document_share", "l2")
  trees <- do.call(gbrt, c(unclass(spec)[shared], list(growth = "oblivious", min_documents = 1)))
  settings <- c(gbrt_settings(trees, task),
                unclass(spec)[c("solver", "ridge", "pair_share", "screen")])
  if (spec$target == "mse") {
    targets <- if (spec$scale == "gain") exponential_gain(data$relevance) else data$relevance
    return(gbrt_start(bins, as.double(targets), weights, settings, task$seed, task$threads))
  }
  documents <- objective_documents(data, data$relevance, weights = numeric(),
                                   query_weights = data$weight)
  gbrt_start_objective(bins, yeti_objective(spec, data), documents, settings, task$seed,
                       task$threads)
}

#' @rdname fit.rankmix_spec
#' @export
fit.rankmix_yetirank_model <- function(object, data, validation = NULL, metric = NULL, rounds,
                                       ..., threads = NULL, patience = NULL, every = 10,
                                       checkpoint = NULL, checkpoint_every = 100,
                                       verbose = TRUE) {
  check_no_others(...)
  check_all_given()
  train_further(object, data, validation, metric, rounds, threads, patience, every,
                checkpoint, checkpoint_every, verbose, grow_yetirank)
}
