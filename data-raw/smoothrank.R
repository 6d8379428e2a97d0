# Writes vignettes/smoothrank.rds, the full-scale results of the vignette "smoothrank", of what
# `Rscript bench/smoothrank.R` leaves in .build. It has means, differences and tests only, no judged data.
#
#   Rscript data-raw/smoothrank.R

write_summary <- function(found, to = "vignettes/smoothrank.rds") {
  if (!is.data.frame(found$figure2)) found$figure2 <- do.call(rbind, found$figure2)
  claims <- found$claims
  # Claims that the table of means shows, of other cutoffs, and of times and trends, are in bench/smoothrank.md.
  claims <- claims[!grepl("^C(1|7|8|11)$", claims$claim) & !grepl("^slope", claims$compared) &
                     !grepl("NDCG@(3|5|50) than", claims$says), ]
  rivals <- found$rivals[c("collection", "a", "b", "effect", "low", "high", "p")]
  means <- found$means[found$means$metric == "ndcg@10(empty = 1)", c("collection", "ranker", "mean")]
  means <- means[means$ranker %in% c(rivals$a, rivals$b), ]
  saveRDS(list(
    made = found$made, rivals = rivals, means = means[!duplicated(means[1:2]), ],
    widths = stats::aggregate(cbind(train, test) ~ collection + sigma, found$figure2, mean),
    claims = claims
  ), to, version = 3L, compress = "xz")
  cat(sprintf("%s: %d bytes\n", to, file.size(to)))
}

write_summary(readRDS(".build/smoothrank.rds"))
