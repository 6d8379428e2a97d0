# Runs an R script on several processes of mpirun. Returns what they printed.
by_mpirun <- function(size, code, timeout = 60) {
  # Loading Rmpi here would start MPI in this process.
  skip_if(!nzchar(system.file(package = "Rmpi")), "Rmpi is not installed")
  skip_if(Sys.which("mpirun") == "", "mpirun is not installed")
  script <- withr::local_tempfile(fileext = ".R")
  writeLines(c(sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")), "library(rankmix)", code,
               "Rmpi::mpi.quit()"), script)
  # Containers run as root, and have few processors.
  args <- c(if (Sys.info()[["user"]] == "root") "--allow-run-as-root", "--oversubscribe", "-n", size,
            file.path(R.home("bin"), "Rscript"), script)
  suppressWarnings(system2("mpirun", args, stdout = TRUE, stderr = TRUE, timeout = timeout))
}

test_that("numbers of MPI processes are added up exactly", {
  out <- by_mpirun(3, c(
    "cluster <- mpi_communicator()", "r <- cluster$rank",
    "x <- seq_len(3000) + 2^32 * r",
    "good <- identical(cluster$add(c(2^32 - 1, -r, 0.5)), c(3 * (2^32 - 1), -3, 1.5)) &&",
    "  identical(cluster$max(c(r, -r)), c(2, 0)) && identical(cluster$add(numeric()), numeric()) &&",
    "  identical(cluster$add(x), 3 * seq_len(3000) + 3 * 2^32) &&",
    "  identical(cluster$max(x), seq_len(3000) + 2 * 2^32) && identical(cluster$add(1:2000), 3 * 1:2000) &&",
    "  identical(cluster$gather(as.raw(seq_len(r))), list(raw(), as.raw(1), as.raw(1:2)))",
    "for (i in 1:50) good <- good && cluster$add(i) == 3 * i",
    "cat('rank', r, if (good) 'good' else 'wrong', '\\n')"
  ))
  expect_identical(sort(trimws(grep("^rank", out, value = TRUE))), sprintf("rank %d good", 0:2))
})

test_that("models of MPI processes are those of one process", {
  out <- by_mpirun(2, c(
    "cluster <- mpi_communicator()",
    "data <- simulate_ranking(20, seed = 1)$data",
    "whole <- binned_data(data, verbose = FALSE)",
    "part <- whole[which(seq_along(data$query_ids) %% 2 == cluster$rank)]",
    "model <- fit(lambdamart(trees = 8), part, seed = 1, cluster = cluster, threads = 1, verbose = FALSE)",
    "one <- fit(lambdamart(trees = 8), whole, seed = 1, threads = 1, verbose = FALSE)",
    "cat('rank', if (identical(model, one)) 'same' else 'other', '\\n')"
  ))
  expect_identical(trimws(grep("^rank", out, value = TRUE)), c("rank same", "rank same"))
})

test_that("an error of one MPI process stops the others, and a late process is named", {
  out <- by_mpirun(3, c(
    "cluster <- mpi_communicator(timeout = 0.5)",
    "run <- function() {",
    "  if (cluster$rank == 2) Sys.sleep(1.2)",
    "  cluster$add(1)",
    "  if (cluster$rank == 1) stop('my own fault')",
    "  cluster$add(1)",
    "}",
    "message <- tryCatch(rankmix:::with_cluster_failure(cluster, run()), error = conditionMessage)",
    "cat('rank', cluster$rank, gsub('\\n', ' ', message), '\\n')"
  ))
  said <- grep("^rank", out, value = TRUE)
  expect_length(said, 3L)
  expect_match(grep("^rank 1", said, value = TRUE), "my own fault")
  expect_match(said[!startsWith(said, "rank 1")], "Rank 1 has stopped.*my own fault")
  expect_gte(length(grep("Waiting for rank 2", out)), 2L)
})

test_that("MPI processes that do different things get an error that says so", {
  out <- by_mpirun(2, c(
    "cluster <- mpi_communicator()",
    "message <- tryCatch(if (cluster$rank == 0) cluster$add(1) else cluster$max(1:2), error = conditionMessage)",
    "cat('rank', gsub('\\n', ' ', message), '\\n')"
  ))
  expect_match(grep("^rank", out, value = TRUE), "reduces other numbers")
  expect_length(grep("^rank", out), 2L)
})
