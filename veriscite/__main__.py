"""`python -m veriscite`, where the script is not on the path."""

from veriscite.cli import main

main()
