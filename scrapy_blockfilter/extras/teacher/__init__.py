"""Ask once, clean for ever: a teacher says which blocks of a few pages of a layout are content.

A teacher is any function of a :class:`Question` that returns the numbers of the blocks that are content, asked of a
language model or a person. ``questions`` chooses pages and numbers blocks, ``teaching`` asks within a budget and checks
what comes back, and ``lessons`` carries it to slots as selectors. The corrections are stored like a person's, with the
teacher's name. ``command`` is ``learn SITE --teacher``, and ``server`` asks servers by the chat protocol of OpenAI.
"""

from scrapy_blockfilter.extras.teacher.questions import AskedBlock, Question
from scrapy_blockfilter.extras.teacher.teaching import Asked, Taught, Teacher, learn, teach

__all__ = ["Asked", "AskedBlock", "Question", "Taught", "Teacher", "learn", "teach"]
