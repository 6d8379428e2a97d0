# No line of an example or a usage is so wide that the manual cuts it. R CMD check has a note on such lines.

wide <- utils::capture.output(print(tools:::.check_Rd_line_widths(".")))
if (length(wide) > 0L) stop(paste(c("Help pages are too wide:", wide), collapse = "\n"), call. = FALSE)
cat(sprintf("The %d help pages fit the width of the manual\n", length(Sys.glob("man/*.Rd"))))
