"""Sites made of a template and unique content, with the texts that cleaning must keep and must strip.

The same arguments always make the same site. No text contains a character that HTML escapes, so that a test can search
for the same text in HTML and in plain text.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class GeneratedPage:
    """A page of a generated site.

    Attributes:
        url_path: from the root of the site, such as ``/page/3``.
        title: its heading, the first of ``content``.
        html: the whole document.
        content: text of each content block, unique to the page: must stay.
        template: text of each block that every page of the site has: must go.
        related: text of links to older pages, which differ from page to page: may stay or go.
        markup: the content blocks as written in ``html``.
    """

    url_path: str
    title: str
    html: str
    content: tuple[str, ...]
    template: tuple[str, ...]
    related: tuple[str, ...]
    markup: tuple[str, ...]

    def missing(self, text: str) -> list[str]:
        """Return the content that a text or HTML lacks."""
        return [part for part in self.content if part not in text]

    def left(self, text: str) -> list[str]:
        """Return the parts of the template that a text or HTML has."""
        return [part for part in self.template if part in text]

    def assert_cleaned(self, text: str) -> None:
        """Assert that a text or HTML has all of the content, and nothing of the template."""
        assert (self.missing(text), self.left(text)) == ([], [])


@dataclass(frozen=True)
class GeneratedSite:
    """The pages of a site."""

    pages: list[GeneratedPage]


@dataclass(frozen=True)
class _Language:
    words: tuple[str, ...]
    syllables: tuple[str, ...]
    space: str
    stop: str
    template: tuple[str, ...]


# Words for sentences: function words first and often, as in running text, so that the language can be recognised.
_EN = (
    "the of and to in that was for with on as by at from which were been after their about harbour council winter "
    "market river teacher question engine garden number letter island village doctor method result paper window "
    "station bridge forest record journey weather company history picture language kitchen mountain answer decided "
    "reported carried opened found measured described arrived remained followed quiet narrow early cheap green"
)
_DE = (
    "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als Hafen Rat Winter Markt Fluss "
    "Lehrer Frage Garten Zahl Brief Insel Dorf Arzt Ergebnis Papier Fenster Bahnhof Brücke Wald Reise Wetter Firma "
    "Geschichte Bild Sprache Küche Berg Antwort entschied berichtete öffnete fand maß beschrieb blieb folgte ruhig eng"
)
_FR = (
    "le la les de des et à en un une que qui dans pour sur avec est par au il port conseil hiver marché rivière "
    "maître question jardin nombre lettre île village médecin résultat papier fenêtre gare pont forêt voyage temps "
    "histoire image langue cuisine montagne réponse décida ouvrit trouva mesura décrivit resta suivit calme étroit"
)
_RU = (
    "и в не на что он как это по но из у за от так же для вы до бы гавань совет зима рынок река учитель вопрос сад "
    "число письмо остров деревня врач ответ бумага окно станция мост лес поездка погода компания история картина язык "
    "кухня гора решил сообщил открыл нашёл измерил описал остался следовал тихий узкий ранний дешёвый зелёный"
)
_ZH = (
    "港口 城市 冬天 市场 河流 老师 问题 花园 数字 书信 岛屿 村庄 医生 结果 纸张 窗户 车站 桥梁 森林 旅行 天气 公司 "
    "历史 图片 语言 厨房 山峰 答案 决定 报告 打开 发现 测量 描述 到达 "
    "留下 跟随 安静 狭窄 早期 便宜 绿色 我们 他们 已经 因为"
)
_EN_SYLLABLES = "bar den fol gri hal kem lor mis nur pel quo ras tov vin wex zel"
_DE_SYLLABLES = "bar den fol gri hal kem lor mis nur pel ras tov vin wex zel dorf"
_FR_SYLLABLES = "bar den fol gri hal lor mis nur pel ras tov vin zel eau oir ette"
_RU_SYLLABLES = "бар ден фол гри хал кем лор мис нур пел рас тов вин зел град ово"

# Share of made-up words. To a method that looks at words, the same few dozen words in any order would be template.
_NAMES = 0.4

# Pages that others link to, but that are not served.
_ARCHIVE = 24

_LANGUAGES = {
    "en": _Language(
        tuple(_EN.split()),
        tuple(_EN_SYLLABLES.split()),
        " ",
        ".",
        (
            "Front page of the Daily Example",
            "Sport and leisure",
            "Letters from our readers",
            "Opening hours and directions",
            "We use cookies to remember your settings on this site",
            "Most read this week",
            "Subscribe to our newsletter and never miss a story",
            "Copyright of the Example Publishing Company",
            "Terms of use and privacy",
        ),
    ),
    "de": _Language(
        tuple(_DE.split()),
        tuple(_DE_SYLLABLES.split()),
        " ",
        ".",
        (
            "Startseite der Beispielzeitung",
            "Sport und Freizeit",
            "Briefe unserer Leser",
            "Öffnungszeiten und Anfahrt",
            "Wir verwenden Cookies, um Ihre Einstellungen zu speichern",
            "Meistgelesen in dieser Woche",
            "Bestellen Sie unseren Newsletter und verpassen Sie nichts",
            "Alle Rechte beim Beispielverlag",
            "Impressum und Datenschutz",
        ),
    ),
    "fr": _Language(
        tuple(_FR.split()),
        tuple(_FR_SYLLABLES.split()),
        " ",
        ".",
        (
            "Accueil du Quotidien Exemple",
            "Sports et loisirs",
            "Courrier de nos lecteurs",
            "Horaires et plan de la ville",
            "Nous utilisons des cookies pour retenir vos réglages",
            "Les plus lus de la semaine",
            "Abonnez-vous à notre lettre et ne manquez rien",
            "Tous droits aux Éditions Exemple",
            "Mentions et vie privée",
        ),
    ),
    "ru": _Language(
        tuple(_RU.split()),
        tuple(_RU_SYLLABLES.split()),
        " ",
        ".",
        (
            "Главная страница Примерной газеты",
            "Спорт и отдых",
            "Письма наших читателей",
            "Часы работы и схема проезда",
            "Мы используем куки, чтобы запомнить ваши настройки",
            "Самое читаемое за неделю",
            "Подпишитесь на нашу рассылку и не пропустите главное",
            "Все права у Примерного издательства",
            "Правила и личные данные",
        ),
    ),
    "zh": _Language(
        tuple(_ZH.split()),
        tuple("安柏辰德恩方国海江凯兰明南平秋荣山天文夏阳云泽"),
        "",
        "。",
        (
            "示例日报首页",
            "体育与休闲",
            "读者来信专栏",
            "开放时间与交通路线",
            "本站使用饼干文件来记住您的设置",
            "本周最多人阅读",
            "订阅我们的新闻邮件不错过任何消息",
            "示例出版公司版权所有",
            "使用条款与隐私政策",
        ),
    ),
}

# What stands before and behind each link to an older page, and the page.
_LAYOUTS = {
    "div": (
        "<li>",
        "</li>",
        """{head}
<body>
<div id="cookies"><p>{cookies}</p></div>
<div id="header"><div class="logo"><a href="/">{front}</a></div>
<ul class="nav"><li><a href="/sport">{sport}</a></li><li><a href="/letters">{letters}</a></li>
<li><a href="/hours">{hours}</a></li></ul></div>
<div id="wrap"><div class="content">
{article}
</div>
<div class="sidebar"><div class="box"><h3>{read}</h3><ul>{links}</ul></div>
<div class="box"><p>{newsletter}</p></div></div></div>
<div id="footer"><p>{rights}</p><p><a href="/terms">{terms}</a></p></div>
{following}
</body></html>
""",
    ),
    "semantic": (
        "<li>",
        "</li>",
        """{head}
<body>
<header><a href="/">{front}</a></header>
<nav><ul><li><a href="/sport">{sport}</a></li><li><a href="/letters">{letters}</a></li>
<li><a href="/hours">{hours}</a></li></ul></nav>
<main><article>
{article}
</article></main>
<aside><h2>{read}</h2><ol>{links}</ol><section><p>{newsletter}</p></section></aside>
<footer><p>{rights}</p><p><a href="/terms">{terms}</a></p></footer>
<dialog open><p>{cookies}</p></dialog>
{following}
</body></html>
""",
    ),
    "table": (
        "<tr><td>",
        "</td></tr>",
        """{head}
<body bgcolor="white"><table width="100%"><tr><td colspan="3"><table><tr><td><img src="/spacer.gif" alt=""></td>
<td><b><a href="/">{front}</a></b></td></tr></table></td></tr>
<tr><td colspan="3">{cookies}</td></tr>
<tr><td valign="top"><table><tr><td><a href="/sport">{sport}</a></td></tr><tr><td><a href="/letters">{letters}</a></td>
</tr><tr><td><a href="/hours">{hours}</a></td></tr></table></td>
<td valign="top"><table><tr><td>
{article}
</td></tr></table></td>
<td valign="top"><table><tr><th>{read}</th></tr></table>
<table>{links}</table>
<table><tr><td>{newsletter}</td></tr></table></td></tr>
<tr><td colspan="3"><table><tr><td><font size="1">{rights}</font></td><td><a href="/terms">{terms}</a></td></tr>
</table></td></tr></table>
{following}
</body></html>
""",
    ),
    "dl": (
        "<dd>",
        "</dd>",
        """{head}
<body>
<dl class="menu"><dt><a href="/">{front}</a></dt><dd><a href="/sport">{sport}</a></dd>
<dd><a href="/letters">{letters}</a></dd><dd><a href="/hours">{hours}</a></dd></dl>
<dl class="entry"><dt>#</dt><dd>
{article}
</dd></dl>
<p class="more">{read}</p><dl class="more">{links}</dl>
<dl class="foot"><dd>{newsletter}</dd><dt>{cookies}</dt><dd>{rights}</dd><dd><a href="/terms">{terms}</a></dd></dl>
{following}
</body></html>
""",
    ),
}
_HEAD = (
    '<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>'
    '<link rel="stylesheet" href="/style.css"><script>var page = 1;</script></head>'
)
# The texts of a template, by their place in the layouts.
_PLACES = ("front", "sport", "letters", "hours", "cookies", "read", "newsletter", "rights", "terms")

LANGUAGES = tuple(_LANGUAGES)
LAYOUTS = tuple(_LAYOUTS)


def make_site(
    layout: str = "div",
    pages: int = 12,
    seed: int = 0,
    language: str = "en",
    *,
    paragraphs: int = 4,
    rich: bool = False,
) -> GeneratedSite:
    """Make a site of ``pages`` pages, at ``/page/0``, ``/page/1`` and so on; each links to the next as ``a.next``.

    Args:
        layout: one of ``LAYOUTS``.
        language: one of ``LANGUAGES``.
        paragraphs: number of content paragraphs per page, besides its heading.
        rich: add a table, a list, preformatted code and inline markup to the content of each page.
    """
    spoken = _LANGUAGES[language]
    before, behind, layout_html = _LAYOUTS[layout]
    # Each page has its own seed: a larger site begins with the content of a smaller one.
    archive = [_title(spoken, random.Random(f"{language}/{seed}/archive/{number}")) for number in range(_ARCHIVE)]
    made = []
    for number in range(pages):
        chooser = random.Random(f"{language}/{seed}/{number}")
        title, content, markup = _plan(spoken, chooser, paragraphs, rich)
        related = tuple((other, archive[other]) for other in sorted(chooser.sample(range(_ARCHIVE), 3)))
        html = layout_html.format(
            head=_HEAD.format(language=language, title=title),
            article="\n".join(markup),
            links="".join(f'{before}<a href="/archive/{other}">{text}</a>{behind}' for other, text in related),
            following=f'<a class="next" href="/page/{number + 1}"></a>' if number + 1 < pages else "",
            **dict(zip(_PLACES, spoken.template, strict=True)),
        )
        titles = tuple(text for _, text in related)
        made.append(GeneratedPage(f"/page/{number}", title, html, content, spoken.template, titles, markup))
    return GeneratedSite(made)


def make_changing_site(layouts: Sequence[str], pages_each: int) -> GeneratedSite:
    """Make a site that shows a number of pages in one layout, then as many in the next, and so on."""
    made = [make_site(layout, pages_each * len(layouts)) for layout in layouts]
    pages = [
        page for number, site in enumerate(made) for page in site.pages[number * pages_each : (number + 1) * pages_each]
    ]
    return GeneratedSite(pages)


def _plan(
    spoken: _Language, chooser: random.Random, paragraphs: int, rich: bool
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    title = _title(spoken, chooser)
    content = [title]
    markup = [f"<h1>{title}</h1>"]
    for _ in range(paragraphs):
        text = " ".join(_sentence(spoken, chooser) for _ in range(3))
        content.append(text)
        markup.append(f"<p>{text}</p>")
    if rich:
        for made, texts in _rich(spoken, chooser):
            markup.append(made)
            content.extend(texts)
    return title, tuple(content), tuple(markup)


def _rich(spoken: _Language, chooser: random.Random) -> list[tuple[str, tuple[str, ...]]]:
    cells = [_sentence(spoken, chooser) for _ in range(4)]
    items = [_sentence(spoken, chooser) for _ in range(2)]
    name = _name(spoken, chooser)
    function, argument = (_name(_LANGUAGES["en"], chooser).lower() for _ in range(2))
    before, inside, after = (_sentence(spoken, chooser) for _ in range(3))
    return [
        (
            f'<table class="data"><tr><td>{cells[0]}</td><td>{cells[1]}</td></tr>'
            f"<tr><td>{cells[2]}</td><td>{cells[3]}</td></tr></table>",
            tuple(cells),
        ),
        (f"<ul><li>{items[0]}</li><li>{items[1]}</li></ul>", tuple(items)),
        (
            f"<pre><code>def {function}({argument}):\n    return {argument}.{function}</code></pre>",
            (f"def {function}({argument}):", f"    return {argument}.{function}"),
        ),
        (
            f'<p>{before} <em class="name">{inside}</em> '
            f'<a href="/about/{function}" title="{name}">{name}</a> {after}</p>',
            (before, inside, name, after),
        ),
    ]


def _title(spoken: _Language, chooser: random.Random) -> str:
    return spoken.space.join((_name(spoken, chooser), *chooser.sample(spoken.words, 3), _name(spoken, chooser)))


def _sentence(spoken: _Language, chooser: random.Random) -> str:
    words = [
        _name(spoken, chooser) if chooser.random() < _NAMES else chooser.choice(spoken.words)
        for _ in range(chooser.randint(9, 16))
    ]
    words.append(_name(spoken, chooser))
    text = spoken.space.join(words)
    return f"{text[0].upper()}{text[1:]}{spoken.stop}"


def _name(spoken: _Language, chooser: random.Random) -> str:
    return "".join(chooser.choices(spoken.syllables, k=4)).capitalize()
