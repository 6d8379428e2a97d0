# Writes vignettes/articles/smoothrank.rds, the numbers of the article "SmoothRank", of what
# `Rscript bench/smoothrank.R` leaves in .build. It has means, differences and tests only, no
# judged data.
#
#   Rscript data-raw/smoothrank.R

found <- readRDS(".build/smoothrank.rds")
found$figure2 <- do.call(rbind, found$figure2)
found$overfitting <- stats::aggregate(cbind(train, test) ~ queries + sigma, found$overfitting, mean)
found$choices <- stats::aggregate(cbind(penalty, both) ~ collection + part, found$choices,
                                  function(v) c(mean = mean(v), sd = stats::sd(v)))
found$stages <- lapply(found$stages, function(stages) as.data.frame(table(status = stages$status)))
kept <- c("made", "queries", "chosen", "stages", "figure1", "figure2", "starts", "annealing",
          "centres", "table3", "cuts", "trend", "rivals", "means", "overfitting", "choices",
          "errors", "growth", "precision", "late", "claims")
saveRDS(found[kept], "vignettes/articles/smoothrank.rds", version = 3, compress = "xz")
