# Runs an R script on several processes of mpirun. Returns the values that each rank
# passes to `say()`. The attribute "out" has the printed lines of all ranks, which can
# be mixed.
by_mpirun <- function(size, code, timeout = 60) {
  # Loading Rmpi here would start MPI in this process.
  skip_if(!nzchar(system.file(package = "Rmpi")), "Rmpi is not installed")
  skip_if(Sys.which("mpirun") == "", "mpirun is not installed")
  script <- withr::local_tempfile(fileext = ".R")
  folder <- withr::local_tempdir()
  say <- sprintf("say <- function(...) cat(..., '\\n', file = file.path('%s', Rmpi::mpi.comm.rank(0)))", folder)
  writeLines(c(say, sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")), "library(rankmix)", code,
               "Rmpi::mpi.quit()"), script)
  # Containers run as root and have few processors.
  args <- c(if (Sys.info()[["user"]] == "root") "--allow-run-as-root", "--oversubscribe", "-n", size,
            file.path(R.home("bin"), "Rscript"), script)
  out <- suppressWarnings(system2("mpirun", args, stdout = TRUE, stderr = TRUE, timeout = timeout))
  said <- vapply(list.files(folder, full.names = TRUE), function(file) trimws(readLines(file, 1L)), "")
  structure(unname(said), out = out)
}

test_that("numbers of MPI processes are added up exactly", {
  out <- by_mpirun(3, c(
    "cluster <- mpi_communicator()", "r <- cluster$rank",
    "x <- seq_len(40000) + 2^32 * r",
    "good <- identical(cluster$add(c(2^32 - 1, -r, 0.5)), c(3 * (2^32 - 1), -3, 1.5)) &&",
    "  identical(cluster$max(c(r, -r)), c(2, 0)) && identical(cluster$add(numeric()), numeric()) &&",
    "  identical(cluster$add(x), 3 * seq_len(40000) + 3 * 2^32) &&",
    "  identical(cluster$max(x), seq_len(40000) + 2 * 2^32) && identical(cluster$add(1:2000), 3 * 1:2000) &&",
    # R's own sums of integers are NA beyond 2^31 - 1, but those of C are modulo 2^32.
    "  identical(cluster$add_integers(c(1:1000, .Machine$integer.max)), c(3L * 1:1000, .Machine$integer.max - 2L)) &&",
    "  identical(cluster$gather(as.raw(seq_len(r))), list(raw(), as.raw(1), as.raw(1:2)))",
    "for (i in 1:50) good <- good && cluster$add(i) == 3 * i",
    "say('rank', r, if (good) 'good' else 'wrong')"
  ))
  expect_identical(as.vector(out), sprintf("rank %d good", 0:2))
})

test_that("models of MPI processes equal the model of one process", {
  out <- by_mpirun(2, c(
    "cluster <- mpi_communicator()",
    "data <- simulate_ranking(20, seed = 1)$data",
    "whole <- binned_data(data, verbose = FALSE)",
    "part <- whole[which(seq_along(data$query_ids) %% 2 == cluster$rank)]",
    "calls <- c(0, 0)",
    "counted <- cluster",
    "counted$add_integers <- function(x) { calls <<- calls + c(1, 0); cluster$add_integers(x) }",
    # The sums of this communicator are not modulo 2^32, so only the attempt of each training calls it.
    "other <- cluster",
    "other$add_integers <- function(x) { calls <<- calls + c(0, 1); as.integer(cluster$add_integers(x) + 1L) }",
    "model <- function(...) fit(lambdamart(trees = 8), ..., seed = 1, threads = 1, verbose = FALSE)",
    "models <- list(model(part, cluster = counted), model(part, cluster = other))",
    "same <- all(vapply(models, identical, NA, model(whole)))",
    "say(if (same) 'same' else 'other', calls[1] > 8, calls[2])"
  ))
  expect_identical(as.vector(out), rep("same TRUE 1", 2L))
})

test_that("an error of one MPI process stops the others, and a late process is named", {
  named <- withr::local_tempfile()
  out <- by_mpirun(3, c(
    "cluster <- mpi_communicator(timeout = 0.5)",
    sprintf("named <- file.path('%s', 0:1)", named),
    sprintf("dir.create('%s', showWarnings = FALSE)", named),
    "run <- function() {",
    # Rank 2 starts only after the other ranks have named it as late.
    "  while (cluster$rank == 2 && !all(file.exists(named))) Sys.sleep(0.02)",
    "  withCallingHandlers(cluster$add(1), rankmix_message_cluster = function(m) file.create(named[cluster$rank + 1]))",
    "  if (cluster$rank == 1) stop('my own fault')",
    "  cluster$add(1)",
    "}",
    "message <- tryCatch(rankmix:::with_cluster_failure(cluster, run()), error = conditionMessage)",
    "say(gsub('\\n', ' ', message))"
  ))
  expect_length(out, 3L)
  expect_match(out[2], "my own fault")
  expect_match(out[-2], "Rank 1 has stopped.*my own fault")
  expect_match(paste(attr(out, "out"), collapse = " "), "Waiting for rank 2.*Waiting for rank 2")
})

test_that("MPI processes that call different functions get an error that names the difference", {
  out <- by_mpirun(2, c(
    "cluster <- mpi_communicator()",
    "message <- tryCatch(if (cluster$rank == 0) cluster$add(1) else cluster$max(1:2), error = conditionMessage)",
    "say(gsub('\\n', ' ', message))"
  ))
  expect_length(out, 2L)
  expect_match(out, "reduces other numbers")
})
