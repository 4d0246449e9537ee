"""Ask a teacher about pages of one layout, within a budget, check the answers, and make corrections of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from scrapy_blockfilter.extras.teacher.lessons import Answered, Lesson, lessons
from scrapy_blockfilter.extras.teacher.questions import JudgedPage, Question, judged_page, question_of, worth_asking
from scrapy_blockfilter.html import UnfitPage
from scrapy_blockfilter.html.reader import PageInput, Reader, read_named
from scrapy_blockfilter.model import SiteModel
from scrapy_blockfilter.options.selectors import Corrections

logger = logging.getLogger(__name__)

Teacher = Callable[[Question], Iterable[int]]

# Pages of a layout that are asked about: the first ones teach most.
PAGES = 3
# Tokens of all questions of a call, some 50 pages.
BUDGET = 100_000
# Pages of a layout that are looked at to choose from, and to try selectors on.
AT_HAND = 30
# Useless answers in a row after which nothing more is asked: a server that is down would take its time for each page.
_MOST_FAILURES = 2
# Characters of a teacher's name, and of an error of it.
_MOST_NAME, _MOST_ERROR = 100, 300
# Least share of the text that the judge is sure of on which a teacher must agree. Random numbers agree on half of it.
_LEAST_AGREEMENT = 0.7
# Characters of an answer that a message quotes.
_QUOTED = 60


class Asked(NamedTuple):
    """A page that was asked about, or would be, with the problem why its answer is not used, "" if it is used."""

    page: str
    blocks: int
    tokens: int
    problem: str


class Taught(NamedTuple):
    """The outcome of asking about a layout, with the number of pages that budget or patience was too small for."""

    asked: tuple[Asked, ...]
    lessons: tuple[Lesson, ...]
    left_out: int

    @property
    def rows(self) -> list[tuple[str, str]]:
        """(action, selector) of each correction."""
        return [(lesson.action, lesson.selector) for lesson in self.lessons]


class Budget:
    """How many tokens may still be sent, and how many answers in a row have failed."""

    def __init__(self, tokens: int) -> None:
        self.left = tokens
        self.failures = 0

    def allows(self, question: Question) -> bool:
        return question.tokens <= self.left and self.failures < _MOST_FAILURES


def teach(pages: Sequence[JudgedPage], teacher: Teacher | None, most: int, budget: Budget) -> Taught:
    """Ask a teacher about some pages of a layout.

    Args:
        pages: what there is of the layout.
        teacher: None to ask nobody, and say what would be sent.
        most: pages to ask about.
    """
    asked, answered = [], []
    chosen = worth_asking(pages, most)
    for judged in chosen:
        question = question_of(judged)
        if not budget.allows(question):
            continue
        budget.left -= question.tokens
        problem = ""
        if teacher is not None:
            try:
                content = checked(teacher(question), question, judged)
                answered.append(Answered(judged, question, content))
                budget.failures = 0
            except AnswerError as error:
                problem = _one_line(str(error))
            except (Exception, SystemExit) as error:  # a teacher is anyone's code, and often asks a server
                problem = _one_line(f"{type(error).__name__}: {error}")
            budget.failures += bool(problem)
        asked.append(Asked(judged.name, len(question.blocks), question.tokens, problem))
    return Taught(tuple(asked), tuple(lessons(answered, pages)), len(chosen) - len(asked))


class AnswerError(ValueError):
    """An answer cannot be used. The message says why."""


def checked(answer: Any, question: Question, judged: JudgedPage) -> frozenset[int]:
    """Return the numbers of the blocks that are content; raise AnswerError if the answer cannot be believed."""
    if answer is None:
        raise AnswerError("there is no answer")
    if isinstance(answer, str | bytes) or not isinstance(answer, Iterable):
        raise AnswerError(f"the answer is {answer!r:.{_QUOTED}}, and must be numbers of blocks")
    shown = {block.number for block in question.blocks}
    numbers: set[int] = set()
    for count, number in enumerate(answer):
        if count >= len(shown):  # an iterator may have no end
            raise AnswerError("the answer has more numbers than blocks were shown")
        if isinstance(number, bool) or not isinstance(number, int) or number not in shown:
            raise AnswerError(f"the answer has {number!r:.{_QUOTED}}, which is no number of a block that was shown")
        numbers.add(number)
    if not numbers:
        raise AnswerError("the answer names no block")
    agreed = _agreement(frozenset(numbers), question, judged)
    if agreed < _LEAST_AGREEMENT:
        raise AnswerError(
            f"the answer is believed only if it agrees where there is no doubt, and it does on {agreed:.0%}"
        )
    return frozenset(numbers)


def _agreement(numbers: frozenset[int], question: Question, judged: JudgedPage) -> float:
    """Return the share of the text without doubt on which answer and judge agree."""
    agreed = sure = 0
    for block in question.blocks:
        place = block.number - 1
        if not judged.is_in_doubt(place):
            sure += judged.chars(place)
            agreed += judged.chars(place) * (judged.verdicts[place].keep == (block.number in numbers))
    return agreed / sure if sure else 1.0


def learn(model: SiteModel, pages: Iterable[PageInput], teacher: Teacher) -> SiteModel:
    """Return the model of a site with the corrections of a teacher: what ``bf.learn(pages, teacher=…)`` does.

    Raises:
        TypeError: the teacher cannot be called.
    """
    if not callable(teacher):
        raise TypeError(f"teacher must be a function of a Question, not {type(teacher).__name__}")
    reader = Reader(model.options)
    sources = [read_named(page)[0] for page in pages][:AT_HAND]
    judged = []
    for number, source in enumerate(sources):
        with suppress(UnfitPage):
            judged.append(judged_page(model, str(number), reader.read(source, whole=True)))
    taught = teach(judged, teacher, PAGES, Budget(BUDGET))
    named_by = teacher if hasattr(teacher, "__qualname__") else type(teacher)
    name = clean_name(f"{named_by.__module__}:{named_by.__qualname__}")
    for asked in taught.asked:
        if asked.problem:
            logger.warning("%s taught nothing about page %s: %s", name, asked.page, asked.problem)
    keep, drop = (tuple(selector for made, selector in taught.rows if made == action) for action in ("keep", "drop"))
    return model.corrected(Corrections(keep, drop, tuple((selector, name) for _, selector in taught.rows)))


def clean_name(name: str) -> str:
    """Return the name of a teacher for reasons, in one printable word."""
    return "".join(letter if letter.isprintable() and not letter.isspace() else "_" for letter in name)[:_MOST_NAME]


def _one_line(problem: str) -> str:
    """Return why there is no answer in printable words: a server's own, perhaps, and logs show them."""
    shown = "".join(letter if letter.isprintable() else " " for letter in problem[:_MOST_ERROR])
    return " ".join(shown.split())
