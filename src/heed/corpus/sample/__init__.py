"""The bundled threads, written for this project (CC0), and the dumps made from them."""
