# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin, in pytests of its own: whose a fault is, what a finding does to a test, fixtures and markers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TESTS = Path(__file__).parents[1]
FAULTY, GOOD, RACE = (
    TESTS / "check" / "flag_left" / "bad.cpp",
    TESTS / "check_rules" / "twice.cpp",
    TESTS / "check_rules" / "O1" / "bad.cpp",
)

HEAD = f"""
import numpy as np
import pytest
from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

def start(source, stream=None, blocks=1):
    kernel = Kernel(Program(source).compile())
    x, z = (Buffer.from_array(np.ones(1024, np.float32)) for _ in range(2))
    launch(stream or Stream(), LaunchConfig(blocks), kernel, x, z)
    return z

FAULTY, GOOD, RACE = {str(FAULTY)!r}, {str(GOOD)!r}, {str(RACE)!r}
"""

QUIET = ("-p", "no:cacheprovider", "-W", "error", "-W", "ignore::pytest.PytestAssertRewriteWarning")  # which an editable install causes

# A checker that finds what it is told to, so that the plugin can be tested apart from the rules.
FAKE = """
import aclimb
from types import SimpleNamespace as Namespace

def finding(rule, severity="error", role="writes"):
    access = Namespace(role=role)
    return Namespace(rule=rule, severity=severity, headline=f"headline of {rule}", accesses=(access,))

class Check:
    findings_to_come, options_given, count_open = [], [], 0
    def __init__(self, **options):
        Check.options_given.append(options)
    def __enter__(self):
        assert Check.count_open == 0
        Check.count_open += 1
        Check.findings_to_come.clear()
        return self
    def __exit__(self, *error):
        Check.count_open -= 1
        self.findings = tuple(Check.findings_to_come)
    def report(self):
        return "".join(f"the report of {each.rule}\\n" for each in self.findings)

aclimb.check = Check
"""


Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """run(tests, "--option") is what a pytest of its own says of those tests."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def _run(tests: str, *options: str, fake: bool = False) -> pytest.RunResult:
        if fake:
            pytester.makeconftest(FAKE)
        pytester.makepyfile(HEAD + tests)
        return pytester.runpytest_subprocess(*QUIET, *options)

    return _run


# --- whose a fault is


def test_a_fault_that_nobody_waited_for_belongs_to_the_test_that_launched_it(run: Run) -> None:
    done = run("""
def test_a_faulty():
    start(FAULTY)

def test_b_innocent():
    assert Buffer.from_array(np.ones(4, np.float32)).to_numpy().sum() == 4
""")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["*_ test_a_faulty _*", "flag MTE3_V id 3 is still set when the kernel ends, flag_left*", "*bad.cpp:24 *"])
    done.stdout.no_fnmatch_line("*finish.py*")
    done.stdout.no_fnmatch_line("*aclimb_pytest*")


def test_a_fault_of_a_fixture_belongs_to_its_setup_or_teardown(run: Run) -> None:
    done = run("""
@pytest.fixture
def before():
    start(FAULTY)

@pytest.fixture
def after():
    yield
    start(FAULTY)

def test_a(before): pass
def test_b(after): pass
def test_c(): pass
""")
    done.assert_outcomes(passed=2, errors=2)
    done.stdout.fnmatch_lines(["*ERROR at setup of test_a*", "flag MTE3_V*", "*ERROR at teardown of test_b*", "flag MTE3_V*"])


def test_a_fault_that_is_raised_in_a_test_ends_at_the_line_of_the_test(run: Run) -> None:
    done = run("""
def test_a():
    stream = Stream()
    start(FAULTY, stream)
    stream.synchronize()
""")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines([">*stream.synchronize()", "E*UnbalancedFlags: flag MTE3_V id 3*"])
    done.stdout.no_fnmatch_line("*runtime*")
    full = run("def test_a():\n    z = start(FAULTY)\n    z.to_numpy()\n", "--full-trace")
    full.stdout.fnmatch_lines(["*runtime*device.py*"])


def test_a_fault_beside_a_failure_is_shown_with_it(run: Run) -> None:
    done = run("""
def test_a():
    start(FAULTY)
    assert 1 == 2
""")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["E*assert 1 == 2", "*- aclimb -*", "flag MTE3_V id 3*"])


def test_the_file_behind_the_option_is_a_file_and_not_its_value(run: Run, pytester: pytest.Pytester) -> None:
    name = "test_the_file_behind_the_option_is_a_file_and_not_its_value.py"
    for option, is_checked in (("--aclimb-check", True), ("--aclimb-check=warn", True), ("--aclimb-check=off", False)):
        done = run("def test_nothing():\n    pass\n", option, name)
        done.assert_outcomes(passed=1)
        assert ("launches are checked" in pytester.runpytest_subprocess(option, name).stdout.str()) == is_checked


def test_expected_faults_and_skipped_tests_are_left_alone(run: Run) -> None:
    done = run("""
from aclimb.errors import UnbalancedFlags

def test_a():
    with pytest.raises(UnbalancedFlags):
        start(FAULTY).to_numpy()

@pytest.mark.xfail(raises=UnbalancedFlags, strict=True)
def test_b():
    start(FAULTY)

@pytest.mark.skip
def test_c(): pass

def test_d():
    pytest.skip("by itself")
""")
    done.assert_outcomes(passed=1, xfailed=1, skipped=2)


def test_what_a_kernel_prints_at_the_end_is_the_output_of_its_test(run: Run) -> None:
    done = run("""
SOURCE = r'''
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void say(GM_ADDR x) { AscendC::printf("hello from the kernel\\n"); }
'''

def test_a():
    launch(Stream(), LaunchConfig(1), Kernel(Program(SOURCE).compile()), Buffer(1024))

def test_b():
    pass
""", "-rP")  # fmt: skip
    done.assert_outcomes(passed=2)
    done.stdout.fnmatch_lines(["*_ test_a _*", "*Captured stdout call*", "hello from the kernel"])


def test_workers_of_xdist_do_the_same(run: Run) -> None:
    done = run("def test_a():\n    start(FAULTY)\n\ndef test_b(): pass\n", "-n", "2")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["*_ test_a _*", "flag MTE3_V id 3*"])


def test_a_pytest_without_kernels_imports_neither_numpy_nor_the_engine(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
import sys

def test_a():
    assert "aclimb_pytest" in sys.modules
    assert not {"aclimb", "numpy", "acl"} & set(sys.modules)
""")
    pytester.runpytest_subprocess(*QUIET).assert_outcomes(passed=1)


# --- what a finding does to a test


def test_an_error_fails_the_test_that_has_it_with_the_report(run: Run) -> None:
    done = run("""
from conftest import Check, finding

def test_a():
    Check.findings_to_come += [finding("O1"), finding("O6", "warning")]

def test_b():
    assert not Check.findings_to_come
""", "--aclimb-check", fake=True)  # fmt: skip
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["aclimb: launches are checked (on)", "*_ test_a _*", "the report of O1"])
    done.stdout.fnmatch_lines(["*= aclimb check =*", "O6 headline of O6", "    *test_a"])
    done.stdout.no_fnmatch_line("*launches.py*")


@pytest.mark.parametrize("options", [("--aclimb-check=warn",), ("--aclimb-check=warn", "-n", "1")], ids=["here", "worker"])
def test_warn_lists_what_was_found_and_fails_nothing(run: Run, options: tuple[str, ...]) -> None:
    done = run("""
from conftest import Check, finding

@pytest.mark.parametrize("n", range(3))
def test_a(n):
    Check.findings_to_come.append(finding("O1"))
""", *options, fake=True)  # fmt: skip
    done.assert_outcomes(passed=3)
    done.stdout.fnmatch_lines(["*= aclimb check =*", "O1 headline of O1", "    *test_a?0? and 2 more"])


def test_without_the_option_nothing_is_checked(run: Run) -> None:
    done = run("from conftest import Check\n\ndef test_a():\n    assert not Check.options_given\n", fake=True)
    done.assert_outcomes(passed=1)
    assert "launches are checked" not in done.stdout.str()


def test_a_fault_that_the_test_expects_is_no_finding_against_it(run: Run) -> None:
    done = run("""
from conftest import Check, finding

def test_a():
    Check.findings_to_come.append(finding("F3", role=""))
""", "--aclimb-check", fake=True)  # fmt: skip
    done.assert_outcomes(passed=1)


def test_findings_beside_a_failure_are_shown_with_it(run: Run) -> None:
    done = run("""
from conftest import Check, finding

def test_a():
    Check.findings_to_come.append(finding("O1"))
    assert 1 == 2
""", "--aclimb-check", fake=True)  # fmt: skip
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["E*assert 1 == 2", "*- aclimb -*", "the report of O1"])


def test_markers_choose_the_mode_and_the_options_of_a_test(run: Run) -> None:
    done = run("""
from conftest import Check, finding
pytestmark = pytest.mark.aclimb_check(init="eager")

@pytest.mark.aclimb_check("off")
def test_a():
    assert not Check.options_given

@pytest.mark.aclimb_check("warn", auto_sync="warn")
def test_b():
    given = dict(Check.options_given[-1])
    assert "pytest" in given.pop("opened_by") and given == {"init": "eager", "auto_sync": "warn"}
    Check.findings_to_come.append(finding("O1"))

@pytest.mark.aclimb_check(warnings_as_errors=True)
def test_c():
    Check.findings_to_come.append(finding("O6", "warning"))
""", "--aclimb-check", "--strict-markers", fake=True)  # fmt: skip
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(["the report of O6"])


def test_a_marker_with_another_word_is_refused(run: Run) -> None:
    done = run("@pytest.mark.aclimb_check('sometimes')\ndef test_a(): pass\n", "--aclimb-check", fake=True)
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*aclimb_check('sometimes'); it takes 'on', 'warn', 'off'*"])


def test_findings_stand_in_the_junit_file(run: Run, pytester: pytest.Pytester) -> None:
    run("""
from conftest import Check, finding

def test_a():
    Check.findings_to_come += [finding("O1"), finding("O6", "warning")]
""", "--aclimb-check", "--junitxml=junit.xml", fake=True)  # fmt: skip
    text = (pytester.path / "junit.xml").read_text()
    assert '<failure message="Failed: the report of O1' in text
    assert '<property name="aclimb" value="O6 headline of O6"' in text


def test_a_race_fails_its_test_with_both_lines_of_the_kernel(run: Run) -> None:
    done = run("""
def test_a():
    start(RACE)

def test_b():
    start(GOOD)
""", "--aclimb-check")  # fmt: skip
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["*[[]O1[]]*", "*DataCopy(in, from, kCount);", "*Add(out, in, in, kCount);", "*MTE2_V*"])
    done.stdout.no_fnmatch_line("*aclimb_pytest*")


# --- fixtures and markers


def test_the_device_of_a_test_is_empty_and_its_own(run: Run) -> None:
    done = run("""
kept = []

def test_a(aclimb_device):
    assert Device() is aclimb_device and Stream().device is aclimb_device
    assert aclimb_device.memory_used == 0
    kept.append(Buffer(1024))
    aclimb_device.strictness = "hardware"

def test_b(aclimb_device):
    assert aclimb_device.memory_used == 0 and aclimb_device.strictness == "strict"
    assert kept[0].device is not aclimb_device

def test_c():
    assert Device().memory_used == 0 and Device() is not kept[0].device
""")
    done.assert_outcomes(passed=3)


def test_devices_of_tests_are_used_again(run: Run) -> None:
    done = run("""
seen = []

@pytest.mark.parametrize("n", range(5))
def test_a(aclimb_device, n):
    seen.append(aclimb_device)
    assert start(GOOD, blocks=1).to_numpy()[0] == 2
    assert len(set(map(id, seen))) == 1
""")
    done.assert_outcomes(passed=5)


def test_a_fault_on_the_device_of_a_test_belongs_to_it(run: Run) -> None:
    done = run("def test_a(aclimb_device):\n    start(FAULTY)\n\ndef test_b(aclimb_device): pass\n")
    done.assert_outcomes(passed=1, failed=1)


def test_a_marker_chooses_the_chip_and_several_run_the_test_on_each(run: Run) -> None:
    done = run("""
@pytest.mark.aclimb_chip("Ascend910B1")
def test_a():
    assert Device().chip.name == "Ascend910B1"

@pytest.mark.aclimb_chip("Ascend910B1", "Ascend910_9392")
def test_b(aclimb_device, aclimb_chip):
    assert aclimb_device.chip.name == aclimb_chip == Device().chip.name
    assert start(GOOD).to_numpy()[0] == 2

@pytest.mark.parametrize("aclimb_chip", ["Ascend910B4"], indirect=True)
def test_c(aclimb_device):
    assert aclimb_device.chip.name == "Ascend910B4"

def test_d(aclimb_device):
    assert aclimb_device.chip.name == "Ascend910_9392"
""", "-v", "--strict-markers")  # fmt: skip
    done.assert_outcomes(passed=5)
    done.stdout.fnmatch_lines(["*test_b?Ascend910B1? PASSED*", "*test_b?Ascend910_9392? PASSED*"])


def test_a_chip_that_does_not_exist_is_named(run: Run) -> None:
    done = run("@pytest.mark.aclimb_chip('Ascend911')\ndef test_a(): pass\n")
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["E*UnknownSoc*Ascend911*"])
    done.stdout.no_fnmatch_line("*chips*.py:*")


def test_a_profile_times_the_launches_of_the_test(run: Run) -> None:
    done = run("""
def test_a(aclimb_profile):
    assert aclimb_profile.task_us == 0
    start(GOOD)
    first = aclimb_profile.task_us
    start(GOOD)
    assert 0 < first < aclimb_profile.task_us < 20
    assert [each.kernel for each in aclimb_profile.launches] == ["twice", "twice"]
    [(slices,)] = aclimb_profile.profile.query("select count(*) from slice where name = 'Add'")
    assert slices == 2

@pytest.mark.aclimb_chip("Ascend910B1")
def test_b(aclimb_profile):
    assert aclimb_profile.launches == []
    assert aclimb_profile.profile.chip.name == "Ascend910B1"

def test_c(aclimb_profile):
    start(GOOD)
    assert aclimb_profile.task_us < 0.1
""")
    done.assert_outcomes(passed=2, failed=1)


def test_our_own_tests_run_without_the_plugin(request: pytest.FixtureRequest) -> None:
    assert not request.config.pluginmanager.has_plugin("aclimb")
