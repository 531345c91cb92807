"""The live table: rules, transcripts, display, sound and the commands that put them together."""

import warnings

# Debian's pygame says at its import, to whoever reads the terminal, that it was built for older processors too.
warnings.filterwarnings("ignore", message=r"Your system is \w+ capable but pygame", category=RuntimeWarning)
