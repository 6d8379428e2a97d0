test_that("metrics are read from texts, and read back", {
  read <- function(x) check_diversity_metrics(x, NULL)[[1]]
  expect_identical(read("alpha_ndcg@20"), diversity_alpha_ndcg())
  expect_identical(read("alpha-nDCG@5"), diversity_alpha_ndcg(5))
  expect_identical(read("P-IA@10"), diversity_precision_ia(10))
  expect_identical(read("ERR-IA@10"), diversity_err_ia(10))
  expect_identical(read("nNRBP"), diversity_nnrbp())
  expect_identical(read("StRecall(k = 7)"), diversity_strec(7))
  expect_identical(read("diversity_map_ia"), diversity_map_ia())
  for (metric in list(diversity_alpha_dcg(3, alpha = 0.1), diversity_nerr_ia(alpha = 1 / 3),
                      diversity_nrbp(0.25, 0.8), diversity_strec(100000), diversity_map_ia())) {
    expect_identical(read(format(metric)), metric)
  }
  expect_identical(format(diversity_alpha_ndcg(10, 0.3)), "alpha_ndcg@10(alpha = 0.3)")
  expect_snapshot(diversity_nrbp(beta = 0.8))
})

test_that("impossible metrics are refused", {
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  read <- function(x) check_diversity_metrics(x, NULL)
  refuse(diversity_alpha_ndcg(0))
  refuse(diversity_err_ia(alpha = 1.5))
  refuse(diversity_nrbp(beta = -1))
  refuse(read("alpha_ncdg@20"))
  refuse(read("map_ia@5"))
  refuse(read("strec@5(k = 6)"))
  refuse(read(5))
  refuse(read(c("strec@5", "strec@5")))
  refuse(as_metric("alpha-nDCG@20"))
})
