# Document a is relevant to subtopics 1 and 2, document b to subtopic 1, and document c to subtopic 3.
three_documents <- rbind(c = c(FALSE, FALSE, TRUE), b = c(TRUE, FALSE, FALSE), a = c(TRUE, TRUE, FALSE))
value_of <- function(metric, ranked, judged = three_documents) {
  diversity_value(metric, judged[ranked, , drop = FALSE], judged)
}

test_that("values agree with the formulas", {
  # The list has the gains 1, 1.5, 1. The ideal ranking a, c, b has the gains 2, 1, 0.5.
  list <- c("b", "a", "c")
  discounts <- 1 / log2(2:4)
  dcg <- sum(c(1, 1.5, 1) * discounts)
  expect_equal(value_of(diversity_alpha_ndcg(3), list), dcg / sum(c(2, 1, 0.5) * discounts))
  expect_equal(value_of(diversity_alpha_dcg(3), list), dcg / sum(c(3, 1.5, 0.75) * discounts))
  expect_equal(value_of(diversity_alpha_ndcg(1), list), 1 / 2)
  expect_equal(value_of(diversity_alpha_dcg(1), list), 1 / 3)
  expect_equal(value_of(diversity_err_ia(3), list), (1 + 0.75 + 1 / 3) / (3 + 0.75 + 0.25))
  expect_equal(value_of(diversity_nerr_ia(3), list), (1 + 0.75 + 1 / 3) / (2 + 0.5 + 0.5 / 3))
  expect_equal(value_of(diversity_nrbp(), list), 0.75 / 3 * (1 + 0.75 + 0.25))
  expect_equal(value_of(diversity_nrbp(beta = 0.8), list), 0.6 / 3 * (1 + 1.2 + 0.64))
  expect_equal(value_of(diversity_nnrbp(), list), (1 + 0.75 + 0.25) / (2 + 0.5 + 0.125))
  expect_equal(value_of(diversity_map_ia(), list), (1 + 1 / 2 + 1 / 3) / 3)
  expect_equal(value_of(diversity_precision_ia(2), list), 3 / (2 * 3))
  expect_equal(value_of(diversity_precision_ia(10), list), 4 / (10 * 3))
  expect_equal(value_of(diversity_strec(1), list), 1 / 3)
  expect_equal(value_of(diversity_strec(2), list), 2 / 3)
  expect_identical(value_of(diversity_alpha_ndcg(), c("a", "c", "b")), 1)
})

test_that("alpha decides how much repetition lowers the gain", {
  # With alpha = 0, the gain is the number of subtopics. With alpha = 1, the gain is the number of new subtopics.
  ranked <- three_documents[c("b", "a", "c"), ]
  expect_identical(novelty_gains(ranked, 0), c(1, 2, 1))
  expect_identical(novelty_gains(ranked, 1), c(1, 1, 1))
  expect_identical(novelty_gains(ranked, 0.5), c(1, 1.5, 1))
})

test_that("the ideal ranking is greedy, and ties go to the highest id", {
  # The best ranking a, b, c has the gains 2, 2, 1. The greedy ranking begins with c.
  judged <- rbind(c = c(TRUE, FALSE, TRUE, FALSE), b = c(FALSE, FALSE, TRUE, TRUE),
                  a = c(TRUE, TRUE, FALSE, FALSE))
  expect_identical(rownames(greedy_ideal(judged, 0.5)), c("c", "b", "a"))
  expect_equal(value_of(diversity_alpha_ndcg(3), c("a", "b", "c"), judged),
               (2 + 2 / log2(3) + 1 / 2) / (2 + 1.5 / log2(3) + 1.5 / 2))
  expect_gt(value_of(diversity_alpha_ndcg(3), c("a", "b", "c"), judged), 1)
})

test_that("queries without relevant documents, and empty lists, have the value 0", {
  metrics <- lapply(component_name("diversity", names(diversity_values)), do.call, args = list())
  for (metric in metrics) {
    expect_identical(value_of(metric, character()), 0)
    expect_identical(value_of(metric, "a", matrix(FALSE, 1, 0, dimnames = list("a", NULL))), 0)
  }
})
