#' RankBoost
#'
#' Specifies a ranker of single thresholds, boosted on pairs of documents, to be trained by [fit()]. Each
#' threshold emphasises the pairs that earlier thresholds ordered wrongly.
#'
#' @param rounds Number of rounds, at most; default 300. Each round adds a threshold of a feature. With
#'   validation data [fit()] chooses how many are used.
#' @param weak The kind of weak ranker. `"threshold"` (the default): 1 if the feature is above the threshold,
#'   else 0. Each round chooses whether missing values get 0 or 1. `"abstaining"`: like `"threshold"`, but a
#'   missing value gets 1/2, so that such documents stay in the middle. `"stump"`: like `"threshold"`, with
#'   the weight that minimises the loss instead of a bound of it.
#' @param max_bin Number of bins per feature, 2 to 255 (the default). Thresholds lie between bins. Bins are
#'   quantiles, weighted by document weights. With `Inf` thresholds lie between all neighbouring values.
#' @param pairs The initial weights of pairs. `"plain"` (the default): each pair has the weight of its
#'   query. `"query"`: all pairs of a query together have the weight of the query.
#' @param ... Must be empty.
#'
#' @details The score is \eqn{H(x) = \sum_t \alpha_t h_t(x)}{H(x) = sum_t alpha_t h_t(x)}. Pairs
#'   of documents i, j of a query with grades \eqn{g_i > g_j}{g_i > g_j} have weights \eqn{D(i,
#'   j)}{D(i, j)} that sum to 1. Round t adds the weak ranker with the largest \eqn{|r|}{|r|}:
#'   \deqn{r = \sum_{ij} D_t(i, j) (h(i) - h(j)), \quad \alpha_t = \frac12 \log \frac{1 + r}{1 -
#'     r}, \quad D_{t+1}(i, j) = D_t(i, j) e^{\alpha_t (h_t(j) - h_t(i))} / Z_t.}{
#'     r = sum_ij D_t(i, j) (h(i) - h(j)), alpha_t = 1/2 log((1 + r) / (1 - r)),
#'     D_{t+1}(i, j) = D_t(i, j) exp(alpha_t (h_t(j) - h_t(i))) / Z_t.}
#'   A negative \eqn{\alpha_t}{alpha_t} means that lower values are better. The fraction of pairs
#'   that H orders wrongly is at most \eqn{\prod_t Z_t \le \prod_t \sqrt{1 - r_t^2}}{prod_t Z_t
#'   <= prod_t sqrt(1 - r_t^2)}. This \eqn{\alpha_t}{alpha_t} minimises an upper bound of Z. `weak = "stump"`
#'   minimises Z itself with \eqn{\alpha = \frac12 \log(W_+ / W_-)}{alpha = 1/2 log(W+ / W-)}, where
#'   \eqn{W_+}{W+} and \eqn{W_-}{W-} are the weights of the pairs that h orders correctly and wrongly. To
#'   keep weights finite, \eqn{|r|}{|r|} is limited to \eqn{1 - 10^{-12}}{1 - 1e-12}. Half of the smallest
#'   initial weight of a pair is added to \eqn{W_+}{W+} and \eqn{W_-}{W-}, as in Schapire and Singer. Ties go
#'   to the lower feature, then to the lower threshold. Training stops early, with status `"stalled"`, if no
#'   weak ranker has \eqn{|r| > 2^{-30}}{|r| > 2^-30}.
#'
#'   Pairs are not stored. Each document has a potential \eqn{\pi(x)}{pi(x)}, a sum over the grades of
#'   its query, with \eqn{r = \sum_x \pi(x) h(x)}{r = sum_x pi(x) h(x)}. Histograms of trees sum the
#'   potentials exactly. Models are thus identical, bit for bit, for any number of threads and any row
#'   order. Weights never overflow. Scores have no unit and are only comparable within a
#'   query.
#'
#'   Cost of a round: one step for each document and feature, and one step for each pair of grades in a
#'   query. Memory: a byte for each feature and document, four with `max_bin = Inf`; 45 bytes per document.
#'
#' @return A specification of class `rankmix_rankboost`. [fit()] trains a ranker from it, a forest
#'   of trees with two leaves. Its `alpha`, `edge` and `z` are \eqn{\alpha_t}{alpha_t},
#'   \eqn{|r_t|}{|r_t|} and \eqn{Z_t}{Z_t}.
#' @section Conditions: `rankmix_error_pairs`: no query of positive weight has documents of
#'   different grades. `rankmix_warning_constant`: no weak ranker had an edge in the first round,
#'   for instance because all features are constant within queries.
#' @references Freund, Iyer, Schapire and Singer (2003). An efficient boosting algorithm for
#'   combining preferences. Journal of Machine Learning Research 4, 933-969.
#'
#'   Schapire and Singer (1999). Improved boosting algorithms using confidence-rated predictions.
#'   \doi{10.1023/A:1007614523901}
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(rankboost(rounds = 50), train, threads = 1)
#' model
#' head(tidy(model))
#' @export
rankboost <- function(rounds = 300, weak = "threshold", max_bin = 255, pairs = "plain", ...) {
  check_no_others(...)
  new_spec("rankboost", rounds = rounds, weak = weak, max_bin = max_bin, pairs = pairs)
}

entry_of_rankboost <- function() {
  registry_entry(
    "rankboost",
    parameters = list(
      rounds = parameter(a_count(max = 1e6), show = "never"),
      weak = parameter(a_choice("threshold", "abstaining", "stump"),
                       tune = c("threshold", "stump")),
      max_bin = parameter(a_number_of_bins, tune = c(11, 255)),
      pairs = parameter(a_choice("plain", "query"), tune = c("plain", "query"))
    ),
    traits = function(spec) {
      c("rounds", "resumable", "validation", "missing", "weights", "real_relevance", "sparse", "pairs",
        if (is.null(spec) || is.finite(spec$max_bin)) c("bins", "distributed"))
    },
    rounds = "rounds",
    grow = grow_rankboost,
    # Two copies of a query are added one by one, so sums of weights are rounded differently.
    tolerance = c(twice = 1e-10, zero = 1e-10)
  )
}

a_number_of_bins <- function(x, name, call) {
  if (!identical(x, Inf)) check_count(x, name, min = 2, max = 255, call = call)
}

# Grows up to the rounds of the specification, on top of the rounds of the model `from`. Fails if that
# model was trained on other data.
grow_rankboost <- function(spec, task, from) {
  data <- task$data
  if (!is.null(from)) {
    check_features_of_model(from, data, task$checkpoint, task$call)
  }
  weights <- boosting_weights(task)
  all_values <- is.infinite(spec$max_bin)
  # Thresholds between all values need no bins. 255 bins are made only to check that a resumed fit
  # has the same data.
  bins <- task$bins(if (all_values) list(max_bin = 255) else spec)
  digest <- training_digest(bins, relevance_marks(data), weights, task$threads, task$cluster)
  documents <- list(order = data$order, offsets = data$offsets,
                    grades = core_grades(data),
                    query_weights = as.double(data$weight), counts = document_counts(data),
                    cluster = task$cluster)
  booster <- rankboost_start(if (!all_values) bins, data$x, documents, spec$weak, spec$pairs,
                             task$threads)
  if (!rankboost_has_pairs(booster)) {
    stop_input("pairs", "No training query has documents of different grades: there is no pair.",
               sprintf("The data have %s.", counted(length(data$query_ids), "query", "queries")),
               "Give queries with documents of several grades, of weight above 0.",
               call = task$call)
  }
  if (!is.null(from) && (!identical(from$digest, digest) ||
                           !rankboost_replay(booster, from, task$threads))) {
    stop_other_data("These have other features, grades or weights.", task$checkpoint, task$call)
  }
  model <- function() {
    structure(
      c(list(spec = spec), schema_of(data), rankboost_model(booster),
        list(seed = task$seed, digest = digest)),
      class = c("rankmix_rankboost_model", "rankmix_ranker")
    )
  }
  grower <- list(
    run = function(wanted) {
      rankboost_run(booster, as.integer(wanted), as.integer(spec$rounds), task$threads,
                    task$progress)
    },
    scores = function(held, rounds) rankboost_look(booster, held, rounds, task$threads)[, 1L],
    model = model
  )
  done <- if (is.null(from)) 0L else rounds_used(from)
  grow_rounds(grower, spec$rounds, done, task$checkpoint, task$watch)
}

#' @export
rounds_used.rankmix_rankboost_model <- function(model) {
  length(model$alpha)
}

#' @export
round_weights.rankmix_rankboost_model <- function(model) {
  model$alpha
}

#' @export
discriminants.rankmix_rankboost_model <- function(model, x, rounds, threads) {
  forest_discriminants(model, x, rounds, threads)
}

#' @export
core_part.rankmix_rankboost_model <- function(model) {
  list(forest = .subset2(model, "forest"), weights = .subset2(model, "alpha"))
}

#' @rdname tidy.rankmix_adaboost_mh_model
#' @export
tidy.rankmix_rankboost_model <- function(x, ...) {
  importance(x)
}

#' @rdname tidy.rankmix_adaboost_mh_model
#' @export
glance.rankmix_rankboost_model <- function(x, ...) {
  used <- first_rounds(x, x$best_rounds)$forest$feature
  rounds <- rounds_used(x)
  edge_at <- function(t) if (rounds > 0L) x$edge[t] else NA_real_
  with_held_out(data.frame(rounds = rounds, best_rounds = x$best_rounds, status = x$status,
                           features = length(x$features), features_used = length(unique(used)),
                           edge_first = edge_at(1L), edge_last = edge_at(rounds),
                           bound = prod(x$z)), x)
}

#' @export
print.rankmix_rankboost_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  rounds <- rounds_used(x)
  say(sprintf("%s (%s), %d of %s", counted(rounds, "round"), x$status,
              length(unique(x$forest$feature)), counted(length(x$features), "feature")))
  if (rounds > 0L) {
    say(sprintf("Edge: %.4f in the first round, %.4f in the last", x$edge[1L], x$edge[rounds]))
  }
  print_best(x)
  invisible(x)
}
