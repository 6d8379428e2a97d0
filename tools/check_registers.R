# No function returns with wide registers in use: all code of the process that uses none of them
# would be slower from then on. Compilers clear them (vzeroupper), but for some that call another
# function last; see RANKMIX_AVX2 in src/core/base/simd.h. Looks at the objects that an
# installation from this folder left.

objects <- list.files("src", "\\.o$", recursive = TRUE, full.names = TRUE)
objdump <- Sys.which("objdump")
if (length(objects) == 0L || !nzchar(objdump) || R.version$arch != "x86_64") {
  cat("No objects for x86_64, or no objdump: registers were not looked at\n")
  quit()
}

# The functions of an object that return behind a use of wide registers.
leaking <- function(object) {
  lines <- system2(objdump, c("-d", "-C", "--no-show-raw-insn", object), stdout = TRUE)
  event <- rep("", length(lines))
  event[grepl("%[yz]mm", lines)] <- "use"
  event[grepl("\tvzeroupper", lines)] <- "clear"
  event[grepl("\tret", lines)] <- "return"
  event[grepl("^[0-9a-f]+ <.*>:$", lines)] <- "name"
  at <- which(nzchar(event))
  before <- c("", event[at])[seq_along(at)]
  bad <- at[event[at] == "return" & before == "use"]
  names <- which(event == "name")
  of <- lines[names[findInterval(bad, names)]]
  sprintf("%s: %s", object, sub("^[0-9a-f]+ <(.*)>:$", "\\1", of))
}

problems <- unique(unlist(lapply(objects, leaking)))
if (length(problems) > 0L) {
  stop(paste(c("Wide registers stay in use:", problems), collapse = "\n  "), call. = FALSE)
}
cat(sprintf("No function of %d objects leaves wide registers in use\n", length(objects)))
