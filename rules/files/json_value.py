"""Values of JSON as they are written: "3" is no number, nor is true, and "no" is neither true nor false."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError


def _number(value: Any) -> Any:
    if isinstance(value, bool | str):
        raise PydanticCustomError("number", "should be a number")
    return value


def _flag(value: Any) -> Any:
    if not isinstance(value, int) or value < 0:
        raise PydanticCustomError("flag", "should be true or false")
    return value


def _flag_or_names(value: Any) -> Any:
    if not isinstance(value, list):
        return _flag(value)
    if not all(isinstance(name, str | None) for name in value):
        raise PydanticCustomError("names", "should be a list of ids, in quotation marks")
    return value


def _true_or_false(value: Any) -> Any:
    return _flag(value if isinstance(value, bool) else None)


Number = Annotated[float, BeforeValidator(_number)]
Whole = Annotated[int, BeforeValidator(_number)]
# How often something was done says that it was.
Flag = Annotated[bool | int, BeforeValidator(_flag)]
# So does a list of those to whom it was done, null for one whom nobody knows.
FlagOrNames = Annotated[bool | int | list[str | None], BeforeValidator(_flag_or_names)]
TrueOrFalse = Annotated[bool, BeforeValidator(_true_or_false)]
