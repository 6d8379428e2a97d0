# Column expressions of sources, such as `relevance = pmin(grade, 2)`, which are computed chunk by chunk.

# A data frame, or one file of Parquet, is the only chunk of its source.
has_one_chunk <- function(source) {
  source$kind == "frame" || source$kind == "parquet" && length(source$x) == 1L
}
