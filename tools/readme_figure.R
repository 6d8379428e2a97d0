# Makes the picture of README.md, man/figures/comparison.png, of README's own example: what is
# seen is what the code there gives. By `make readme-figure`.

lines <- readLines("README.md")
from <- grep("^```r$", lines)
to <- vapply(from, function(i) min(grep("^```$", lines[-seq_len(i)])) + i, 0)
blocks <- Map(function(i, j) lines[(i + 1L):(j - 1L)], from, to)
drawing <- Filter(function(block) any(grepl("autoplot(compared)", block, fixed = TRUE)), blocks)
if (length(drawing) != 1L) {
  stop("One block of README.md should draw the comparison, not ", length(drawing), ".",
       call. = FALSE)
}
where <- new.env()
eval(parse(text = drawing[[1L]]), where)
print(where$compared)

# Twice the pixels that it takes on a page, for sharp screens.
file <- "man/figures/comparison.png"
dir.create(dirname(file), showWarnings = FALSE)
grDevices::png(file, width = 960, height = 480, res = 120, bg = "white")
print(ggplot2::autoplot(where$compared))
invisible(grDevices::dev.off())
cat(sprintf("%s: %.0f KB\n", file, file.size(file) / 1024))
