# A rank of the jobs that tools/test_slurm.sh starts with mpirun.
#
#   Rscript test_slurm_cluster.R MODEL CHECKPOINT TREES [killed]
#
# The ranks train one model of parts of the example data. Rank 0 writes it to MODEL. With `killed`, the last rank is
# killed by the system during training.
library(rankmix)
arguments <- commandArgs(trailingOnly = TRUE)
cluster <- mpi_communicator()
data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
own <- which(seq_along(data$query_ids) %% cluster$size == cluster$rank)
part <- binned_data(data[own], cluster = cluster, verbose = FALSE)
if ("killed" %in% arguments && cluster$rank == cluster$size - 1L) {
  calls <- 0
  add <- cluster$add_integers
  cluster$add_integers <- function(x) {
    calls <<- calls + 1
    if (calls > 100) tools::pskill(Sys.getpid(), tools::SIGKILL)
    add(x)
  }
}
model <- fit(lambdamart(trees = as.numeric(arguments[3L])), part, seed = 1, threads = 1, cluster = cluster,
             checkpoint = arguments[2L], checkpoint_every = 2, verbose = FALSE)
if (cluster$rank == 0L) saveRDS(model, arguments[1L])
Rmpi::mpi.quit()
