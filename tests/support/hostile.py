"""A page that tries to escape its frame: by scripts, handlers, addresses, style sheets and broken markup."""

from __future__ import annotations

# {0} is the address of a server that must get no request; {1} is a script that would leave a mark.
_SCRIPT = "top.pwned=parent.pwned=window.pwned=1;document.title='pwned';new Image().src='{0}/script'"
_PARTS = (
    "<script>{1}</script>",
    "<script src='{0}/script.js'></script>",
    "<scr<script>ipt>{1}</scr</script>ipt>",
    "<img src=x onerror=\"{1}\"><img src='{0}/img.png' srcset='{0}/srcset.png 2x' alt='A picture'>",
    "<img/src='{0}/slash'/onerror={1}>",
    "<svg onload=\"{1}\"><script>{1}</script><image href='{0}/svg.png'/><style>@import '{0}/svg.css';</style></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror={1}&gt;'></table></math>",
    "<noscript><p title='</noscript><img src=x onerror=\"{1}\">'>Paragraph</p></noscript>",
    "<iframe src='{0}/frame'></iframe><iframe srcdoc=\"<script>{1}</script>\"></iframe>",
    '<iframe src="javascript:{1}"></iframe><iframe src="data:text/html,<script>{1}</script>"></iframe>',
    "<object data='{0}/object'>Object</object><embed src='{0}/embed'><applet code='{0}/applet'>Applet</applet>",
    "<video src='{0}/video' poster='{0}/poster' autoplay></video><audio src='{0}/audio' autoplay></audio>",
    "<form action='{0}/form' name=querySelectorAll><input type=image src='{0}/input' name=body autofocus "
    'onfocus="{1}">'
    "<button formaction='javascript:{1}'>Send</button><select><option>One<option>Two</select>"
    "<textarea></form></textarea></form>",
    "<a href=\"javascript:{1}\" ping='{0}/ping'>Link</a><a href='{0}/link' target=_top autofocus>Link</a>",
    "<a href='&#106;avascript:{1}' onmouseover=\"{1}\" style='position:fixed;inset:0'>Everywhere</a>",
    "<div style=\"background:url('{0}/attribute.png');background:u\\72l('{0}/escaped.png')\">Div</div>",
    "<p style='content:\"</style><script>{1}</script>\"'>Quoted</p>",
    "<style>@import url('{0}/import.css'); @\\69mport '{0}/escaped.css'; body {{ background: url({0}/body.png) }}"
    "@font-face {{ font-family: f; src: url({0}/font.woff) }} * {{ font-family: f; cursor: url({0}/cursor), auto }}"
    "p::after {{ content: image-set('{0}/set.png' 1x) }} /* </style ><script>{1}</script> */</style>",
    "<style>.cover {{ position: fixed; inset: 0; z-index: 2147483647; background: red; height: 900vh }}</style>",
    "<div class=cover>Covers all</div>",
    "<table background='{0}/table.png'><tr><td background='{0}/cell.png'><script>{1}</script>Cell</table>",
    '<template><script>{1}</script></template><marquee onstart="{1}">Runs</marquee>',
    '<details open ontoggle="{1}"><summary>More</summary>Less</details><dialog open oncancel={1}>Dialog</dialog>',
    '<x-y onclick="{1}" onpointerenter="{1}">Custom</x-y>',
    "<p data-block=0 class='shade\"><script>{1}</script>'>Forged</p>",
    "<p>&lt;/iframe&gt;&lt;script&gt;{1}&lt;/script&gt;</p><p>\"&gt;'&gt;&lt;script&gt;{1}&lt;/script&gt;</p>",
    "<p>&amp;quot;&amp;gt;&amp;lt;img src=x onerror={1}&amp;gt;</p></iframe></p></textarea></title>",
    "<!-- --!><img src=x onerror={1}> --><![CDATA[<script>{1}</script>]]><?php <script>{1}</script> ?>",
    "<xmp><script>{1}</script></xmp><noembed><img src=x onerror={1}></noembed>",
    "<p>\u202egnitirw fo noitcerid \ud800\x01</p>",
)
_HEAD = (
    "<title>Name</title></title><script>{1}</script>",
    "<meta http-equiv=refresh content='0;url={0}/refresh'><base href='{0}/base/' target=_top>",
    "<link rel=stylesheet href='{0}/sheet.css'><link rel=prefetch href='{0}/prefetch'><link rel=icon href='{0}/icon'>",
    "<link rel=dns-prefetch href='{0}'><link rel=preload as=image href='{0}/preload.png'>",
    "<link rel=modulepreload href='{0}/module.js'><link rel=preconnect href='{0}'>",
    "<link rel=manifest href='{0}/manifest'>",
)


def hostile_parts(address: str) -> list[str]:
    """Return pieces of HTML that each try another attack."""
    script = _SCRIPT.format(address)
    return [part.format(address, script) for part in _PARTS]


def hostile_page(address: str, *, story: str = "") -> str:
    """Return a page with all pieces, and ``story`` as its content."""
    script = _SCRIPT.format(address)
    head = "".join(part.format(address, script) for part in _HEAD)
    body = "".join(hostile_parts(address))
    return (
        f'<!DOCTYPE html><html onclick="{script}"><head>{head}</head>'
        f'<body background=\'{address}/background.png\' onload="{script}" onpageshow="{script}">'
        f"<h1>{story}</h1><p>{story}, told at some length, so that there is something to keep on this page.</p>{body}"
        "</body></html>"
    )
