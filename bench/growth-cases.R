# The cases that bench/growth.R measures. A case is a list:
#   name       the call, as the report shows it
#   run        a function of the result of `prepare` and of the size k; timed
#   prepare    a function of the data (ranking, x, grade, query) and k; not timed
#   documents  the smallest number of documents; the largest is 32 times as many
#   axes       which of documents, features and length vary
#   size       values of k: five, in geometric progression from the second one; other axes use the second one
#   what       the meaning of k: leaves, trees, ...

every_axis <- c("documents", "features", "length")
leaves <- c(4L, 16L, 32L, 64L, 128L)
trees <- c(5L, 20L, 40L, 80L, 160L)

growth_case <- function(name, run, documents, prepare = function(d, k) d, axes = every_axis, size = NULL, what = "") {
  list(name = name, run = run, prepare = prepare, documents = documents, axes = axes, size = size, what = what)
}

# fit() of a specification, whose expression may contain k.
trains <- function(spec, documents, size = NULL, what = "", axes = every_axis) {
  spec <- substitute(spec)
  shown <- do.call(substitute, list(spec, list(k = if (is.null(size)) 1 else as.numeric(size[2L]))))
  growth_case(deparse1(shown),
              function(d, k) fit(eval(spec, list(k = k)), d$ranking, seed = 1, threads = 1, verbose = FALSE),
              documents, axes = axes, size = size, what = what)
}
# gbrt() with few small trees and an objective.
with_loss <- function(objective, documents) {
  call <- bquote(trains(gbrt(5, num_leaves = 8, objective = .(substitute(objective))), .(documents)))
  eval(call)
}

tree_rankers <- function() {
  list(
    trains(gbrt(10, num_leaves = k), 4000, leaves, "leaves"),
    trains(gbrt(k, num_leaves = 16), 1000, trees, "trees", "documents"),
    trains(lambdamart(metric_ndcg(), 10, num_leaves = k), 4000, leaves, "leaves"),
    trains(adaboost_mh(base_tree(k), rounds = 10), 4000, leaves, "leaves"),
    trains(adaboost_mh(base_hamming_tree(k), rounds = 10), 4000, leaves, "leaves"),
    trains(adaboost_mh(base_product(k), rounds = 5), 2000, 1:5, "stumps", "documents"),
    trains(gbrt(10, growth = "oblivious", max_depth = 6), 4000),
    trains(yetirank(k, max_depth = 4), 1000, c(2L, 4L, 8L, 16L, 32L), "trees"),
    trains(yetirank(4, max_depth = 4, setup = "equal"), 1000),
    trains(rankboost(k), 4000, trees, "rounds"),
    trains(m5p(), 1000),
    trains(bagging(m5p(64), times = k), 1000, trees, "models", "documents"),
    with_loss(loss_pairwise(), 4000), with_loss(loss_pairwise("squared_hinge"), 4000),
    with_loss(loss_softmax(), 4000), with_loss(loss_xendcg(), 4000), with_loss(loss_list_mle(), 4000),
    with_loss(loss_query_rmse(), 4000), with_loss(loss_ordinal(), 4000),
    with_loss(loss_lambda("ndcg@10", normalize = "both"), 4000), with_loss(loss_lambda("ndcg@10", pairs = 5), 4000),
    with_loss(loss_lambda("ndcg", truncation = 1e6), 4000), with_loss(loss_lambda("map"), 4000),
    with_loss(loss_lambda("err"), 4000), with_loss(loss_lambda("precision@10"), 4000),
    with_loss(loss_smooth("ndcg@10"), 4000), with_loss(loss_smooth("ndcg"), 4000)
  )
}

other_rankers <- function() {
  list(
    trains(linear_ranker(penalty = 0.1), 16000), trains(linear_ranker(loss_softmax(), penalty = 0.1), 4000),
    trains(linear_ranker(loss_pairwise(), penalty = 0.1), 4000),
    trains(ranksvm(0.1), 4000), trains(ranksvm(0.1, "hinge"), 2000),
    trains(smoothrank(metric_ndcg(10), penalty = 0.1, schedule = c(8, 1)), 1000),
    trains(coordinate_ascent(restarts = 1, iterations = 2), 500),
    trains(coordinate_ascent(restarts = 1, iterations = 2, search = "ranklib"), 500),
    trains(adarank(rounds = k, repeats = 1), 4000, trees, "rounds"), trains(best_feature(), 16000),
    trains(mcsvm(0.1), 500),
    trains(network_ranker(loss_softmax(), hidden = k, epochs = 2), 1000, c(8L, 16L, 32L, 64L, 128L), "units"),
    trains(network_ranker(loss_lambda(), hidden = 16, epochs = 2), 1000),
    trains(cocr(linear_ranker(penalty = 0.1)), 4000)
  )
}

small_model <- function(d, trees = 20L) fit(gbrt(trees, num_leaves = 16), d$ranking, seed = 1, threads = 1,
                                            verbose = FALSE)
calibrates <- function(method, documents) {
  method <- substitute(method)
  growth_case(sprintf("calibrate(, , %s)", deparse1(method)),
              function(d, k) calibrate(d$votes, d$ranking, eval(method), threads = 1), documents,
              function(d, k) c(d, list(votes = class_votes(d))), axes = "documents")
}
# A classifier's votes for five grades.
class_votes <- function(d) {
  votes <- outer(as.vector(d$x[, 1:2] %*% c(0.5, 0.2)), 0:4 - 2) - rep((0:4 - 1)^2, each = nrow(d$x)) / 4
  colnames(votes) <- 0:4
  votes
}

models_in_use <- function() {
  model_of <- function(d, k) c(d, list(model = small_model(d, k)))
  list(
    growth_case("predict(gbrt(20, num_leaves = 16))",
                function(d, k) predict(d$model, d$ranking, threads = 1), 8000, model_of,
                c("documents", "features"), trees, "trees"),
    growth_case("explain(gbrt(20, num_leaves = 16))",
                function(d, k) explain(d$model, d$ranking, threads = 1), 500, model_of,
                c("documents", "features"), trees, "trees"),
    growth_case("permutation_importance(, times = 2)",
                function(d, k) permutation_importance(d$model, d$ranking, times = 2, seed = 1, threads = 1,
                                                      verbose = FALSE), 1000,
                function(d, k) model_of(d, 20L), c("documents", "features", "length")),
    growth_case("tune_and_mix(members = 2, calibrators = 2)", function(d, k) {
      tune_and_mix(d$ranking, d$ranking, list(adaboost_mh(base_tree(4), rounds = 10), linear_ranker(penalty = 0.1)),
                   list(calibrator_naive(), calibrator_rbc("polynomial")), threads = 1, seed = 1, verbose = FALSE)
    }, 1000),
    growth_case("select_features(gbrt(10), times = 1)", function(d, k) {
      select_features(gbrt(10, num_leaves = 8), d$ranking, d$ranking, times = 1, seed = 1, threads = 1,
                      verbose = FALSE, drop = 0.5)
    }, 1000, axes = c("documents", "features")),
    calibrates(calibrator_naive(), 4000), calibrates(calibrator_cpc(), 4000),
    calibrates(calibrator_cpc("soft_ndcg"), 1000), calibrates(calibrator_rbc("polynomial"), 4000),
    calibrates(calibrator_rbc("isotonic"), 4000), calibrates(calibrator_rbc("gaussian_process"), 500),
    calibrates(calibrator_rbc("network"), 500)
  )
}

# Scores of four rankers of different quality.
scores_of <- function(d, k = 4L) {
  set.seed(1)
  scores <- as.data.frame(matrix(stats::rnorm(nrow(d$x) * k), ncol = k) + d$grade)
  stats::setNames(scores, paste0("r", seq_len(k)))
}
fuses <- function(method, documents) {
  growth_case(sprintf("fuse(, method = \"%s\")", method),
              function(d, k) {
                fuse(d$scores, d$ranking, method, threads = 1, seed = 1, folds = if (method == "map") 2)
              }, documents,
              function(d, k) c(d, list(scores = scores_of(d, k))), c("documents", "length"),
              c(2L, 4L, 8L, 16L, 32L), "runs")
}

evaluations <- function() {
  scored <- function(d, k) c(d, list(scores = scores_of(d, if (is.null(k)) 4L else k)))
  evaluates <- function(metric, documents = 16000) {
    growth_case(sprintf("evaluate(, \"%s\")", metric),
                function(d, k) evaluate(d$scores, d$ranking, metric, threads = 1), documents, scored,
                c("documents", "length"))
  }
  c(lapply(c("ndcg@10", "map", "err", "bpref", "mrr", "precision@10"), evaluates), list(
    growth_case("compare_rankers(, 4 rankers)", function(d, k) {
      compare_rankers(a = d$scores$r1, b = d$scores$r2, c = d$scores$r3, d = d$scores$r4, data = d$ranking,
                      metric = "ndcg@10", seed = 1, threads = 1)
    }, 16000, scored, "documents"),
    growth_case("compare_models()", function(d, k) {
      compare_models(d$scores$r1, d$scores$r2, d$ranking, resamples = 200, seed = 1, threads = 1)
    }, 4000, scored, c("documents", "length")),
    growth_case("ranking_agreement()", function(d, k) {
      ranking_agreement(d$scores$r1, d$scores$r2, d$ranking, threads = 1)
    }, 2000, scored, c("documents", "length")),
    growth_case("rbo(, one list)", function(d, k) rbo(d$a, d$b), 4000,
                function(d, k) list(a = paste(order(d$x[, 1])), b = paste(order(d$x[, 2]))), "documents"),
    growth_case("aggregate_ranks(, \"borda\")",
                function(d, k) aggregate_ranks(d$scores, d$ranking, threads = 1), 4000, scored,
                c("documents", "length")),
    growth_case("query_report()", function(d, k) query_report(d$evaluated, "r1", "r2", resamples = 200, seed = 1),
                16000, function(d, k) {
                  list(evaluated = evaluate(scores_of(d), d$ranking, "ndcg@10", threads = 1))
                }, "documents"),
    growth_case("simulate_clicks(, sessions = 10)", function(d, k) simulate_clicks(d$ranking, 10, seed = 1), 4000,
                axes = c("documents", "length"))
  ), lapply(c("rrf", "comb_mnz", "borda", "condorcet", "copeland", "map"), fuses, documents = 1000))
}

data_functions <- function() {
  written <- function(d, k) {
    file <- tempfile(fileext = ".txt")
    write_letor(d$ranking, file, threads = 1)
    list(file = file)
  }
  list(
    growth_case("read_letor()", function(d, k) read_letor(d$file, threads = 1), 2000, written),
    growth_case("write_letor()", function(d, k) write_letor(d$ranking, tempfile(), threads = 1), 1000),
    growth_case("ranking_data(matrix)", function(d, k) ranking_data(d$x, d$grade, d$query, threads = 1), 16000),
    growth_case("standardize_queries()", function(d, k) standardize_queries(d$ranking, threads = 1), 8000),
    growth_case("query_folds()", function(d, k) query_folds(d$ranking, 5, seed = 1), 16000, axes = "documents"),
    growth_case("split_parts()", function(d, k) split_parts(split_queries(d$ranking, 0.7, seed = 1), d$ranking), 8000)
  )
}

growth_cases <- function() {
  c(tree_rankers(), other_rankers(), models_in_use(), evaluations(), data_functions())
}
