"""Watching a match to its end: in the window where there is a display, else straight into files."""

from __future__ import annotations

from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from rules.match import Match
from ui.playing.annotation import annotated
from ui.playing.loop import Tick
from ui.playing.saved import begun_log
from ui.playing.session import Session
from ui.qt import application, interruptible
from ui.telling.progress import progress
from ui.telling.results import say
from ui.telling.words import counted
from vision.source import FileSource, Source
from vision.stream.video_file import BrokenVideoError


def annotate_to(
    session: Session, source: Source, out: Path | None, log: Path | None, *, played: bool = False
) -> Match | None:
    """Watch without a window; the match at the end. Ctrl-C ends a match that is `played`, and what was made is kept. Of
    a film that is annotated it is kept as a part, and said, but there Ctrl-C is an interruption (KeyboardInterrupt)."""
    application(headless=True)
    total_s = source.info.duration_s if isinstance(source, FileSource) else None
    ticks = annotated(session.frames, session.referee, session.plane, out, log, live=source.live, played=played)
    last: Tick | None = None
    ended = "it ended"
    moved = session.referee.moved  # which was said when the session was opened
    with progress(f"watching {Path(source.name).name}", total_s) as advance:
        try:
            # Closed here and now: an interrupted generator would else be closed when somebody collects it.
            with closing(ticks):
                for last in ticks:
                    advance(last.frame.t_s)
                    if played:
                        _say_camera(last, str(moved["sentence"]) if moved is not None else "")
        except KeyboardInterrupt:
            if not played or last is None:
                raise
            ended = "it was stopped"
        except BrokenVideoError as broken:
            if played:
                raise
            raise BrokenVideoError(f"{broken}, or keep what it shows with sandtable play --headless") from None
    if session.referee.match is None and last is not None:
        why = last.trouble or f"{ended} before the table was seen at rest"
        say(f"{Path(source.name).name}: no scene was agreed, so no match began; {why}")
    return session.referee.match


def _say_camera(tick: Tick, said: str) -> None:
    """Say what is newly told of the camera, unless it was said before: without a window nothing else shows it."""
    for event in tick.events:
        if event.kind == "camera" and event.fields["sentence"] != said:
            say(str(event.fields["sentence"]))


def say_written(match: Match | None, *files: Path | None) -> None:
    """Say which files there are now, if any, and how much happened in the match."""
    if any(files):
        say(f"wrote {told_files(match, *files)}")


def told_files(match: Match | None, *files: Path | None) -> str:
    """The files, and how much happened in the match."""
    named = " and ".join(str(file) for file in files if file is not None)
    return f"{named}: {counted(len(match.events) if match else 0, 'event')}"


def watch(session: Session, source: Source, title: str, record: Path | None, log: Path | None) -> Match | None:
    """Watch in the window until it is closed; the match at the end.

    OSError or ValueError, after the window is closed, if the source broke off or the recording could not be written.
    """
    running = application()
    from ui.playing.recorder import Recorder
    from ui.window.main import MainWindow
    from ui.window.watcher import Watcher

    height, width = session.first.image_bgr.shape[:2]
    recorded = partial(Recorder, size_px=(width, height), live=source.live, played=True)
    # Also while the files are finished: a second Ctrl-C would break off what keeps them.
    with interruptible(), ExitStack() as files:
        recorder = files.enter_context(recorded(record)) if record else None
        match_log = files.enter_context(begun_log(log, session.referee)) if log else None
        watcher = Watcher(session.frames, source, session.referee, match_log)
        window = MainWindow(watcher, session.plane, source, title, recorder)
        window.show()
        watcher.start()
        running.exec()
        watcher.stop()
        for fault in (watcher.fault, window.fault):
            if fault is not None:
                raise fault
    return session.referee.match
