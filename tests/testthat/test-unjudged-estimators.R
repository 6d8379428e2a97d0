# The ranking has the grades 1, 0, not judged, 1, not in the pool, 0, 1. Another relevant document is not retrieved.
pool <- data.frame(query = 1, document = c("a", "b", "c", "d", "f", "g", "z"),
                   relevance = c(1, 0, NA, 1, 0, 1, 1))
run <- as_run(data.frame(query = 1, document = letters[1:7], score = 7:1))
value <- function(pool, metric, ..., run_of = run) evaluate_sampled(run_of, pool, metric, ...)$value

test_that("infAP agrees with its definition and trec_eval", {
  expect_equal(value(pool, "infap"), 0.53125)
  complete <- data.frame(query = 1, document = c("a", "b", "c", "d", "e", "z"),
                         relevance = c(1, 0, 1, 1, 0, 1))
  expect_equal(value(complete, "infap"), 0.6041664583, tolerance = 1e-10)

  # The fixture has ties, documents outside of the pool, samples of different sizes, and a query without relevant
  # documents.
  fixture <- function(name) test_path("fixtures", "unjudged", name)
  printed <- read.csv(fixture("values.csv"), comment.char = "#")
  found <- evaluate_sampled(read_run(fixture("run.txt")), read_qrels(fixture("qrels.txt")))
  expect_equal(found$value, printed$value[printed$measure == "infAP"], tolerance = 1e-9)
})

test_that("xinfAP with one stratum is infAP, and otherwise weights the strata", {
  expect_equal(value(pool, "xinfap"), value(pool, "infap"))
  strata <- transform(pool[1:6, ], stratum = c("top", "top", "top", "top", "rest", "rest"))
  strata <- rbind(strata, data.frame(query = 1, document = "h", relevance = NA, stratum = "rest"))
  e <- 1e-5
  # The scales are 4/3 for the top stratum and 3/2 for the rest. The relevant documents are a and d (top) and g (rest).
  at_d <- (1 + 3 * (1 + e) / (2 + 2 * e)) / 4
  at_g <- (1 + 4 * (2 + e) / (3 + 2 * e) + 1 * (0 + e) / (1 + 2 * e)) / 7
  expect_equal(value(strata, "xinfap"), (4 / 3 * (1 + at_d) + 3 / 2 * at_g) / (2 * 4 / 3 + 3 / 2))
})

test_that("infNDCG weights judged documents and has a fractional ideal", {
  strata <- data.frame(query = 1, document = c("a", "b", "c", "d"), relevance = c(0, 2, NA, 1),
                       stratum = c(1, 1, 1, 2))
  # In stratum 1, two of three documents are judged, so b stands for 1.5 documents.
  dcg <- 1.5 * 2 / log2(3) + 1 / log2(5)
  ideal <- 2 * (1 + 0.5 / log2(3)) + (0.5 / log2(3) + 0.5 / log2(4))
  expect_equal(value(strata, "infndcg"), dcg / ideal)
  expect_equal(value(strata, "infndcg@2"), (1.5 * 2 / log2(3)) / (2 * (1 + 0.5 / log2(3)) + 0.5 / log2(3)))
  expect_equal(value(strata, "infndcg", gain = "exponential"),
               (1.5 * 3 / log2(3) + 1 / log2(5)) / (3 * (1 + 0.5 / log2(3)) + 0.5 / log2(3) + 0.5 / log2(4)))
})

test_that("statAP weights by inclusion probabilities", {
  drawn <- data.frame(query = 1, document = c("a", "b", "d", "z"), relevance = c(1, 0, 1, 1),
                      probability = c(1, 0.5, 0.5, 0.25))
  # R = 1 + 2 + 4. The precision is 1 at a, and (1 + 2) / 4 at d.
  expect_equal(value(drawn, "statap"), (1 + 2 * 3 / 4) / 7)
  # The weight of d changes the estimate in two ways: by the precision at d, and by the document's own term.
  found <- evaluate_sampled(run, drawn, "statap")
  change_d <- (3 / 4 + 2 / 4 - found$value) / 7
  change_z <- (0 - found$value) / 7
  expect_equal(found$se, sqrt(0.5 / 0.25 * change_d^2 + 0.75 / 0.0625 * change_z^2))
  # The derivative by finite differences.
  weighted <- function(w) (1 + w * (1 + w) / 4) / (1 + w + 4)
  expect_equal(change_d, (weighted(2 + 1e-6) - weighted(2 - 1e-6)) / 2e-6, tolerance = 1e-7)

  # In the precision at its own rank, each document counts as 1. So the precision at d is (1 + 1) / 4.
  found <- evaluate_sampled(run, drawn, "statap_corrected")
  expect_equal(found$value, (1 + 2 * 2 / 4) / 7)
  change_d <- (2 / 4 - found$value) / 7
  expect_equal(found$se, sqrt(0.5 / 0.25 * change_d^2 + 0.75 / 0.0625 * (found$value / 7)^2))
})

test_that("with all documents judged, estimators are average precision and NDCG", {
  set.seed(2)
  complete <- data.frame(query = rep(1:4, each = 10), document = letters[1:10],
                         relevance = rbinom(40, 2, 0.3))
  runs <- as_run(data.frame(query = rep(1:4, each = 8), document = letters[3:10], score = rnorm(32)))
  plain <- evaluate(runs, as_qrels(complete), list(ap = "map", n5 = metric_ndcg(5, gain = "linear")))
  found <- evaluate_sampled(runs, complete, c("infap", "xinfap", "statap", "statap_corrected", "infndcg@5"))
  of <- function(metric) found$value[found$metric == metric]
  ap <- plain$value[plain$metric == "ap"]
  expect_equal(of("infap"), ap, tolerance = 1e-4)
  expect_equal(of("xinfap"), of("infap"))
  expect_equal(of("statap"), ap)
  expect_equal(of("statap_corrected"), ap)
  expect_equal(found$se[found$metric == "statap"], rep(0, 4))
  expect_equal(of("infndcg@5"), plain$value[plain$metric == "n5"])
})

test_that("stratified samples have the standard error of stratified sampling", {
  strata <- data.frame(query = 1, document = letters[1:6], relevance = c(1, 0, NA, 1, 1, NA),
                       stratum = c(1, 1, 1, 2, 2, 2))
  found <- evaluate_sampled(run, strata, "statap")
  # Each judged document stands for 1.5 documents.
  w <- 1.5
  p <- c(w, 2 * w, 3 * w) / c(1, 4, 5)
  v <- sum(w * p) / (3 * w)
  below <- rev(cumsum(rev(w / c(1, 4, 5))))
  change <- (p + below - v) / (3 * w)
  variance <- 3^2 * (1 / 3) * var(c(change[1], 0)) / 2 + 3^2 * (1 / 3) * var(change[2:3]) / 2
  expect_equal(found$value, v)
  expect_equal(found$se, sqrt(variance))
})

test_that("the standard error agrees with repeated samples, and the correction removes the bias", {
  set.seed(5)
  truth <- data.frame(query = 1, document = sprintf("d%03d", 1:200), relevance = rbinom(200, 1, 0.4))
  whole <- as_run(data.frame(query = 1, document = truth$document, score = 200:1))
  p <- rep(0.5, 200)
  drawn <- vapply(1:100, function(i) {
    keep <- runif(200) < p
    own <- evaluate_sampled(whole, cbind(truth, probability = p)[keep, ], c("statap", "statap_corrected"))
    c(own$value, own$se)
  }, numeric(4))
  expect_true(all(abs(log(rowMeans(drawn[3:4, ]) / apply(drawn[1:2, ], 1L, sd))) < 0.25))
  exact <- evaluate(whole, as_qrels(truth), "map")$value
  error <- sd(drawn[2, ]) / 10
  expect_lt(abs(mean(drawn[2, ]) - exact), 3 * error)
  expect_gt(mean(drawn[1, ]) - exact, 3 * error)
})
