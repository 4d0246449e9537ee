"""The benchmark of poisoned sites, on a made-up one."""

from __future__ import annotations

import pytest

from stress.poisoning import Outcome, Source, generated_sources, outcomes, report, summary

pytestmark = pytest.mark.slow


def test_risks_on_a_made_up_site() -> None:
    (source,) = generated_sources(1)
    found = {outcome.risk: outcome for outcome in outcomes(Source("generated", "one", source.pages[:16], source.lists))}
    # On so small a site one block of eight may go.
    of_ids = found["20 session ids, a line changes: gold kept"]
    assert of_ids.value >= of_ids.clean - 1 / 8
    assert found["text quoted on half of the pages: kept"].value == 1
    for share_of_site in (60, 25, 15):
        of_section = found[f"a section with {share_of_site}% of the pages: F1"]
        assert of_section.value == pytest.approx(of_section.clean, abs=0.05)
    assert found["another site with the same pages: models changed"].value == 0
    recovered = [outcome.value for risk, outcome in found.items() if risk.endswith("until recovered")]
    assert len(recovered) == 2
    assert max(recovered) < 20


def test_poisoning_reports_mean_and_worst() -> None:
    made = [
        Outcome("walls: F1 after 40", "corpus", "a", 0.9, 0.95),
        Outcome("walls: F1 after 40", "corpus", "b", 0.8, 0.95),
        Outcome("walls: pages until recovered", "corpus", "a", 3, 0),
        Outcome("walls: pages until recovered", "corpus", "b", 8, 0),
    ]
    printed = report(summary(made))
    assert ".850 (.950), .800 (.950)" in printed
    assert "5.5, 8" in printed
    assert "corpus, 2 sites" in printed
