test_that("numbers are added up exactly, and all ranks get the same sums", {
  for (size in c(1, 3)) {
    results <- on_ranks(size, function(cluster) {
      r <- cluster$rank
      list(add = cluster$add(c(2^32 - 1, -r, 0.5)), none = cluster$add(numeric()), max = cluster$max(c(r, -r)),
           gather = cluster$gather(as.raw(seq_len(r))), again = vapply(1:20, function(i) cluster$add(i), 0))
    })
    last <- size - 1
    expect_identical(results[[1]], list(
      add = c(size * (2^32 - 1), -sum(0:last), size / 2), none = numeric(), max = c(last, 0),
      gather = lapply(0:last, function(r) as.raw(seq_len(r))), again = size * as.double(1:20)
    ))
    for (result in results) expect_identical(result, results[[1]])
  }
})

test_that("a rank that does something else is named", {
  results <- on_ranks(2, function(cluster) if (cluster$rank == 0) cluster$add(1) else cluster$max(c(1, 2)))
  for (result in results) expect_s3_class(result, "rankmix_error_cluster")
  expect_match(conditionMessage(results[[1]]), "Rank 1 reduces other numbers")
})

test_that("a stopped rank continues, and does not hide a killed one", {
  skip_on_os("windows")
  processes <- endless_ranks(tempfile("ranks"))
  processes[[2]]$suspend()
  Sys.sleep(0.5)
  processes[[2]]$resume()
  Sys.sleep(0.5)
  expect_true(all(vapply(processes, function(process) process$is_alive(), NA)))
  processes[[2]]$suspend()
  Sys.sleep(0.5)
  processes[[3]]$kill()
  result <- results_of(processes[1])[[1]]
  expect_match(conditionMessage(result), "Rank 2 has stopped")
  processes[[2]]$kill()
})

test_that("ranks of different sizes are an error", {
  folder <- tempfile("ranks")
  processes <- lapply(0:1, function(rank) {
    callr::r_bg(function(libs, folder, rank) {
      .libPaths(libs)
      rankmix::folder_communicator(folder, rank, 2 + rank)$add(1)
    }, list(.libPaths(), folder, rank), stderr = "|")
  })
  first <- results_of(processes[1])[[1]]
  expect_match(conditionMessage(first), "Rank 1 reduces other numbers")
  processes[[2]]$kill()
})

test_that("an error on one rank stops the others, with its message", {
  results <- on_ranks(3, function(cluster) {
    cluster$add(1)
    if (cluster$rank == 1) stop("my own fault")
    cluster$add(1)
  })
  expect_match(conditionMessage(results[[2]]), "my own fault")
  for (result in results[c(1, 3)]) {
    expect_s3_class(result, "rankmix_error_cluster")
    expect_match(conditionMessage(result), "Rank 1 has stopped.*my own fault")
  }
})

test_that("a killed rank is named by all others, in the same folder a new run starts afresh", {
  skip_on_os("windows")
  folder <- tempfile("ranks")
  processes <- endless_ranks(folder)
  processes[[2]]$kill()
  results <- results_of(processes[c(1, 3)])
  for (result in results) {
    expect_s3_class(result, "rankmix_error_cluster")
    expect_match(conditionMessage(result), "Rank 1 has stopped")
  }
  again <- on_ranks(2, function(cluster) cluster$add(1), folder = folder)
  expect_identical(again, list(2, 2))
})

test_that("a late rank is named, and may still arrive", {
  results <- on_ranks(2, function(cluster, file) {
    # Rank 1 starts only after rank 0 has named it as late.
    while (cluster$rank == 1 && !file.exists(file)) Sys.sleep(0.02)
    said <- character()
    sum <- withCallingHandlers(cluster$add(1), rankmix_message_cluster = function(m) {
      said <<- c(said, conditionMessage(m))
      file.create(file)
      invokeRestart("muffleMessage")
    })
    list(sum, said)
  }, tempfile("named"), timeout = 0.5)
  expect_identical(results[[2]], list(2, character()))
  expect_match(results[[1]][[2]], "Waiting for rank 1")
})

test_that("ranks that differ are found", {
  results <- on_ranks(2, function(cluster) {
    rankmix:::cluster_handshake(cluster, list(version = "1", settings = "same"))
    rankmix:::cluster_handshake(cluster, list(version = "1", settings = cluster$rank))
  })
  for (result in results) {
    expect_s3_class(result, "rankmix_error_cluster")
    expect_match(conditionMessage(result), "Rank 1 differs from rank 0 in: settings")
  }
})

test_that("a second run does not remove the files of a run in the same folder", {
  skip_on_os("windows")
  folder <- withr::local_tempdir()
  processes <- endless_ranks(folder)
  withr::defer(for (process in processes) process$kill())
  expect_error(folder_communicator(folder, 0, 1), "Another run uses the folder.*process", class = "rankmix_error_cluster")
  files <- function() list.files(folder, "^[0-9]+-0$", recursive = TRUE)
  reached <- basename(files())
  wait_until(function() !identical(basename(files()), reached))
  expect_true(all(vapply(processes, function(process) process$is_alive(), NA)))
  for (process in processes) process$kill()
  alone <- folder_communicator(folder, 0, 1)
  expect_identical(alone$add(2), 2)
  close(alone)
})

test_that("a full disk is an error on all ranks, and adds up no file that is cut off", {
  skip_on_cran()
  skip_if_not(nzchar(Sys.which("mount")), "no small disk here")
  full <- withr::local_tempdir()
  mounted <- suppressWarnings(system2("mount", c("-t", "tmpfs", "-o", "size=256k", "tmpfs", full),
                                      stdout = FALSE, stderr = FALSE)) == 0L
  skip_if_not(mounted, "may not mount a small disk")
  withr::defer(system2("umount", c("-l", full)))
  results <- on_ranks(2, function(cluster) cluster$add(as.double(seq_len(24000))), folder = file.path(full, "ranks"))
  for (result in results) expect_s3_class(result, "rankmix_error")
  expect_match(paste(vapply(results, conditionMessage, ""), collapse = " "), "cannot be written")
})
