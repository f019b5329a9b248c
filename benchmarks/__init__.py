"""What our promises of exactness and speed come to; each module prints its own. The libraries are told
what the command tells them, or a benchmark would measure another program than the one that people run."""

from ui.libraries import instruct

instruct()
