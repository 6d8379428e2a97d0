test_that("this machine computes the stored bits, on any number of threads", {
  one <- check_bits(threads = 1)
  expect_identical(one$hash, check_bits(threads = 2)$hash)
  # On processors without fused multiply-add, exp() of the C library gives other bits.
  cpu <- if (file.exists("/proc/cpuinfo")) readLines("/proc/cpuinfo", 40L) else character()
  skip_if_not(any(grepl("\\bfma\\b", cpu)))
  expect_true(all(one$same))
  expect_snapshot(print(one))
})

test_that("check_bits() names the rankers whose bits differ", {
  bits <- check_bits(threads = 1)
  bits$same[2] <- FALSE
  expect_output(print(bits), "1 differ", fixed = TRUE)
  expect_output(print(bits), "oblivious", fixed = TRUE)
})
