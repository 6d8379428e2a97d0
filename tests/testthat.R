library(testthat)
library(rankmix)

test_check("rankmix")
