"""The names that users import are a promise: adding one is a decision, losing one breaks their code."""

import importlib
import inspect
import pkgutil
from importlib import metadata

import pytest

import veriscite

PUBLIC = {
    "Label",
    "Report",
    "Settings",
    "VeriSciteError",
    "__version__",
    "acheck",
    "acheck_references",
    "astream",
    "check",
    "check_references",
    "stream",
}


def test_public_names_are_these() -> None:
    assert set(veriscite.__all__) == PUBLIC
    assert list(veriscite.__all__) == sorted(veriscite.__all__)
    assert set(dir(veriscite)) >= PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC - {"__version__"}))
def test_each_can_be_imported_and_says_what_it_is(name: str) -> None:
    thing = getattr(veriscite, name)
    assert inspect.getdoc(thing)
    assert thing.__module__.startswith("veriscite")


def test_version_is_the_installed_one() -> None:
    assert veriscite.__version__ == metadata.version("veriscite")


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'verify_everything'"):
        _ = veriscite.verify_everything


def test_check_and_stream_come_in_both_colours() -> None:
    assert inspect.iscoroutinefunction(veriscite.acheck)
    assert not inspect.iscoroutinefunction(veriscite.check)
    assert inspect.iscoroutinefunction(veriscite.acheck_references)
    assert not inspect.iscoroutinefunction(veriscite.check_references)
    # Streams are iterated, not awaited.
    assert not inspect.iscoroutinefunction(veriscite.astream)
    assert not inspect.iscoroutinefunction(veriscite.stream)

    # The same arguments, so that moving from one to the other is a change of name only.
    def parameters(name: str) -> list[str]:
        return list(inspect.signature(getattr(veriscite, name)).parameters)

    assert parameters("check") == parameters("acheck")
    assert parameters("stream") == parameters("astream")
    assert parameters("check_references") == parameters("acheck_references")


def test_every_module_imports_and_its_all_holds() -> None:
    modules = [info.name for info in pkgutil.walk_packages(veriscite.__path__, "veriscite.")]
    assert len(modules) > 20
    for name in modules:
        if name.rpartition(".")[2] == "__main__" or "._" in name:
            continue
        module = importlib.import_module(name)
        assert module.__doc__, f"{name} has no docstring"
        for exported in getattr(module, "__all__", ()):
            assert hasattr(module, exported), f"{name}.__all__ names {exported}"


def test_every_error_has_its_own_code_and_carries_advice() -> None:
    from veriscite import errors

    found = [thing for thing in vars(errors).values() if isinstance(thing, type)]
    codes = [error.code for error in found if issubclass(error, errors.VeriSciteError)]
    assert len(codes) == len(set(codes)) == len(found)
    error = errors.InputError("The file is empty.", advice="Choose another.")
    assert str(error) == "The file is empty. Choose another."
