# Runs RankLib, if `java` and the jar of RankLib are installed: RANKLIB_JAR names the jar. RankLib runs in a
# separate process, which reads and writes text files.

ranklib_jar <- function() {
  jar <- Sys.getenv("RANKLIB_JAR")
  if (nzchar(jar) && file.exists(jar) && nzchar(Sys.which("java"))) normalizePath(jar)
}

ranklib_rankers <- c(ranknet = 1L, rankboost = 2L, adarank = 3L, ascent = 4L)

# Without this setting RankLib would write several lines for every weight that it tries.
ranklib <- function(arguments, log = tempfile(fileext = ".log")) {
  quiet <- tempfile(fileext = ".properties")
  writeLines(".level = WARNING", quiet)
  seconds <- system.time({
    status <- system2("java", c("-Xmx4g", paste0("-Djava.util.logging.config.file=", quiet), "-jar",
                                ranklib_jar(), arguments), stdout = log, stderr = log)
  })[["elapsed"]]
  if (status != 0L) {
    stop("RankLib failed: ", toString(utils::tail(readLines(log), 3L)), call. = FALSE)
  }
  seconds
}

# Returns the seconds of the whole process and the file of the model. `options` is a vector such as c(epoch =
# 100). With a validation file RankLib keeps the rounds, or the restart, with the best validation metric.
ranklib_train <- function(ranker, train, options, metric = "NDCG@10", valid = NULL) {
  model <- tempfile(fileext = ".model")
  seconds <- ranklib(c("-train", train, if (!is.null(valid)) c("-validate", valid),
                       "-ranker", ranklib_rankers[[ranker]], "-metric2t", metric,
                       rbind(paste0("-", names(options)), options), "-save", model))
  list(model = model, seconds = seconds)
}

# Scores in the order of the lines of the file. The documents of a query must be contiguous lines.
ranklib_scores <- function(model, file) {
  out <- tempfile(fileext = ".scores")
  ranklib(c("-load", model, "-rank", file, "-score", out))
  utils::read.table(out, sep = "\t")[[3L]]
}
