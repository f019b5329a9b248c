"""The command line: `sandtable COMMAND`. Each command is one module of `ui/commands`, imported when it is asked for.

Exit status: 0 done, 1 the input or the set-up is at fault (one line on standard error), 2 wrong usage.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType

import click

from ui.interruption import heed_all, is_end_of_input
from ui.libraries import hear, instruct
from ui.streams import settle
from ui.telling.fault import fault_line, lacks_memory

# Module of each command and what `sandtable --help` says of it; the module itself would cost seconds to import.
COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "demo": ("demo", "Play the packaged sample match of a game."),
        "play": ("play", "Referee a live match: a camera, a stream or a video file."),
        "setup": ("setup", "The guided set-up: camera, table, game, players, legend, map."),
        "calibrate": ("calibrate", "Measure the lens, or check how far to trust the table's measure."),
        "enrol": ("enrol", "Teach it your own coins, cards or soldiers from one or two photos."),
        "scene": ("scene", "What lies on the table in a picture or a video, measured."),
        "rule": ("rule", "All rulings for a scene, or those of one piece."),
        "judge": ("judge", "Which pieces moved between two scenes, and whether each move was legal."),
        "annotate": ("annotate", "The annotated recording of a match, and its log."),
        "replay": ("replay", "Step through a recorded match without its video."),
        "print": ("sheets", "Printable sheets at true size (PDF)."),
        "map": ("maps", "Make game maps from open map data."),
        "evaluate": ("evaluate", "Score `scene` against the truth files of a folder."),
    }
)
# What tells a person in one line what is wrong.
_FAULTS = (ValueError, OSError, click.ClickException)
INTERRUPTED = 130  # as a shell reports a process that SIGINT ended


class LazyGroup(click.Group):
    """A group whose commands are imported one at a time, so that `rule` and `judge` load no Qt, no camera, no net."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order in which a new user needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"ui.commands.{COMMANDS[cmd_name][0]}")
        command = module.command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands for `--help`, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sandtable", prog_name="sandtable")
def cli() -> None:
    """Sandtable: a camera over a real table as the referee of a war game."""


def main() -> None:
    """The entry point: run the command and turn every fault into one line and an exit status."""
    heed_all()
    settle()
    hear()
    _leave(run(sys.argv[1:]))


def _leave(status: int) -> None:
    """End the program now, also while a look goes on, of which nobody will see what it sees: on a busy machine it takes
    many seconds. All that was made is kept by then, so that one more Ctrl-C has nothing to break off."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    beside = sys.modules.get("vision.beside")  # nothing looks where that was not loaded
    if beside is not None and beside.look_goes_on():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """The exit status of `sandtable ARGUMENTS`."""
    instruct()
    try:
        cli.main(arguments, prog_name="sandtable", standalone_mode=False)
    except click.UsageError as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt) as interruption:
        return _interrupted(interruption)
    except (BrokenPipeError, SystemExit):  # the latter is click's, for the same
        # The reader of our standard output has gone; nothing is wrong, and Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if not (isinstance(error, _FAULTS) or lacks_memory(error)):
            raise
        click.echo(f"sandtable: {fault_line(error)}", err=True)
        return 1
    return 0


def _interrupted(interruption: click.Abort | KeyboardInterrupt) -> int:
    """Say what ended the command; its exit status."""
    # Of what is interrupted in the midst of its work click has ended the line already.
    at_a_question = "\n" if isinstance(interruption, click.Abort) and interruption.__cause__ is None else ""
    if is_end_of_input(interruption):
        told = "ended by Ctrl-D before all was answered"
        if not sys.stdin.isatty():
            told = "standard input: ended before all was answered; run it on a terminal"
        click.echo(f"{at_a_question}sandtable: {told}", err=True)
        return 1
    click.echo(f"{at_a_question}sandtable: interrupted", err=True)
    return INTERRUPTED


if __name__ == "__main__":
    main()
