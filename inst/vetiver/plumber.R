# The server of the container, see ?rankmix::vetiver. It serves the latest model "ranker" of the folder `models`.
library(pins)
library(plumber)
library(rankmix)
library(vetiver)
served <- vetiver_pin_read(board_folder("models"), "ranker")

#* @plumber
function(pr) {
  vetiver_api(pr, served)
}
