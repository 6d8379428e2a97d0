test_that("vectors become bytes and are read back", {
  vectors <- list(x = c(1.5, NaN, -Inf), relevance = c(1L, NA), query = NULL, query_ids = c("", "\u00e4b", "c"),
                  document = character(), weight = numeric(), position = NULL, document_weight = 2)
  latin1 <- iconv("caf\u00e9", "UTF-8", "latin1")
  texts <- list(x = c(latin1, NA, "", "NA"))
  expect_identical(rankmix:::raw_to_vectors(rankmix:::vectors_to_raw(texts), "x"), texts)
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
  local_known_warnings("ties")
  data <- simulate_ranking(7, seed = 3)$data
  parts <- list(data[c(2, 5)], data[c(7, 1, 3)], data[c(4, 6)])
  gathered <- rankmix:::gathered_validation(parts[[1]], data, with_sent(lapply(parts, sent_by)), 1)
  other <- rankmix:::gathered_validation(parts[[3]], data, with_sent(lapply(rev(parts), sent_by)), 1)
  expect_identical(gathered, other)
  expect_identical(rankmix:::id_text(gathered$query_ids), sort(rankmix:::id_text(data$query_ids), method = "radix"))
  spec <- gbrt(5)
  model <- fit(spec, data, seed = 1, threads = 1, verbose = FALSE)
  expect_equal(evaluate(model, gathered, "ndcg@10")$value, evaluate(model, data, "ndcg@10")$value)
})

test_that("documents that only some ranks have are kept", {
  data <- simulate_ranking(4, seed = 3)$data
  parts <- list(data[1:2], data[3:4])
  parts[[2]]["document"] <- list(NULL)
  parts[[1]]$document <- sprintf("d%d", seq_along(parts[[1]]$query))
  gathered <- rankmix:::gathered_validation(parts[[1]], data, with_sent(lapply(parts, sent_by)), 1)
  expect_identical(gathered$document, c(parts[[1]]$document, rep(NA, nrow(parts[[2]]))))
})

test_that("validation columns in another order, or fewer roles on one rank, change no model silently", {
  data <- simulate_ranking(24, documents = 12, features = 5, seed = 1)$data
  frame <- as.data.frame(data)
  fit_ranks <- function(change) {
    on_ranks(2, function(cluster, frame, change) {
      own <- frame[frame$query %% 2 == cluster$rank, ]
      valid <- own$query > 14
      train <- ranking_data(own[!valid, -(1:2)], own$relevance[!valid], own$query[!valid])
      x <- own[valid, -(1:2)]
      weight <- NULL
      if (cluster$rank == 1 && change == "order") x <- rev(x)
      if (cluster$rank == 1 && change == "fewer") x <- x[-1]
      if (cluster$rank == 1 && change == "weight") weight <- rep(2, sum(valid))
      validation <- ranking_data(x, own$relevance[valid], own$query[valid], weight = weight)
      spec <- mixture(gbrt(8, num_leaves = 4), lambdamart(trees = 8, num_leaves = 4))
      fit(spec, train, validation, seed = 1, cluster = cluster, verbose = FALSE, threads = 1)$value
    }, frame, change)
  }
  parts <- list(which(data$query_ids <= 14), which(data$query_ids > 14))
  one <- fit(mixture(gbrt(8, num_leaves = 4), lambdamart(trees = 8, num_leaves = 4)),
             binned_data(data[parts[[1]]], verbose = FALSE), data[parts[[2]]], seed = 1, verbose = FALSE, threads = 1)
  expect_identical(fit_ranks("order"), list(one$value, one$value))
  fewer <- fit_ranks("fewer")
  expect_s3_class(fewer[[1]], "rankmix_error_cluster")
  expect_s3_class(fewer[[2]], "rankmix_error_newdata")
  for (result in fit_ranks("weight")) {
    expect_s3_class(result, "rankmix_error_cluster")
    expect_match(conditionMessage(result), "Rank 1 differs from rank 0 in: columns of the validation data")
  }
})

test_that("a validation query on two ranks is named", {
  data <- simulate_ranking(4, seed = 3)$data
  parts <- list(data[1:2], data[2:4])
  expect_snapshot(error = TRUE, {
    rankmix:::gathered_validation(parts[[1]], data, with_sent(lapply(parts, sent_by)), 1)
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
