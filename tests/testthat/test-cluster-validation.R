test_that("vectors become bytes and are read back", {
  vectors <- list(x = c(1.5, NaN, -Inf), relevance = c(1L, NA), query = NULL, query_ids = c("", "\u00e4b", "c"),
                  document = character(), weight = numeric(), position = NULL, document_weight = 2)
  back <- rankmix:::raw_to_vectors(rankmix:::vectors_to_raw(vectors[rankmix:::roles_sent]), rankmix:::roles_sent)
  expect_identical(back, vectors[rankmix:::roles_sent])
})

# A communicator that acts as if the other ranks had sent these bytes.
with_sent <- function(sent) rankmix:::new_communicator(0, length(sent), identity, identity, function(raw) sent)

sent_by <- function(data) {
  own <- unclass(data)[intersect(rankmix:::roles_sent, names(data))]
  own$x <- as.double(own$x)
  own$query_ids <- rankmix:::id_text(own$query_ids)
  rankmix:::vectors_to_raw(own[rankmix:::roles_sent])
}

test_that("validation queries of all ranks come in the order of their ids", {
  data <- simulate_ranking(7, seed = 3)$data
  parts <- list(data[c(2, 5)], data[c(7, 1, 3)], data[c(4, 6)])
  gathered <- rankmix:::gathered_validation(parts[[1]], with_sent(lapply(parts, sent_by)), 1)
  other <- rankmix:::gathered_validation(parts[[3]], with_sent(lapply(rev(parts), sent_by)), 1)
  expect_identical(gathered, other)
  expect_identical(rankmix:::id_text(gathered$query_ids), sort(rankmix:::id_text(data$query_ids), method = "radix"))
  spec <- gbrt(5)
  model <- fit(spec, data, seed = 1, threads = 1, verbose = FALSE)
  expect_equal(evaluate(model, gathered, "ndcg@10")$value, evaluate(model, data, "ndcg@10")$value)
})

test_that("a validation query on two ranks is named", {
  data <- simulate_ranking(4, seed = 3)$data
  parts <- list(data[1:2], data[2:4])
  expect_snapshot(error = TRUE, {
    rankmix:::gathered_validation(parts[[1]], with_sent(lapply(parts, sent_by)), 1)
  })
})

test_that("options that a mixture does not support over processes are refused", {
  data <- simulate_ranking(4, seed = 3)$data
  one <- with_sent(list(raw()))
  ms <- list(gbrt(5), lambdamart(trees = 5))
  expect_snapshot(error = TRUE, {
    tune_and_mix(data, NULL, ms, cluster = one)
    tune_and_mix(data, data, ms, cluster = one, budget = mix_budget(seconds = 5))
    tune_and_mix(data, data, ms, cluster = one, holdout = mix_holdout(refit = TRUE))
    tune_and_mix(data, data, c(ms, list(linear_ranker())), cluster = one)
    fit(linear_ranker(), data, cluster = one)
    fit(gbrt(5), data, cluster = 2)
  })
})
