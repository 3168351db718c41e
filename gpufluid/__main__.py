"""``python -m gpufluid``."""

from gpufluid.cli import main

main()
