# The hashes of check_bits(): inst/extdata/bits.csv. To be run again when models change on purpose.
hashes <- rankmix:::hashes_of_fits(threads = 2L)
utils::write.csv(data.frame(ranker = names(hashes), hash = unname(hashes)), "inst/extdata/bits.csv",
                 row.names = FALSE)
