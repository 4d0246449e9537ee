"""Pages of a shop whose readers may comment what the publisher says."""

from __future__ import annotations

from collections.abc import Sequence

WITHDRAWN = "This boat has been withdrawn by its builder for good reasons."
_COMMENT = (
    "<div class=comment><div class=user>Ann</div><time>3 May 2020</time><div><div><p>{}</p></div></div></div>".format
)


def shop_page(number: int, said: Sequence[str] = ("In stock",), comments: Sequence[str] = ()) -> str:
    """Return a page of a product. Cleaning strips the comments below it, whatever they say."""
    own = "".join(f"<p>{text}</p>" for text in said)
    words = [" ".join(f"word{part}x{place}" for place in range(50)) for part in (number, number + 100)]
    about = "".join(f"<p>{text}.</p>" for text in words)
    comments = [f"I like this one very much, thank you {number}", *comments, f"In short: not for me, sorry, {number}"]
    return f"""<html><body><div id=nav><a href=/>Home</a> <a href=/all>All products of the shop</a></div>
        <div id=main><div class=product><h1>Boat {number}</h1>{own}{about}</div></div>
        <div id=comments><h3>Comments</h3>{"".join(map(_COMMENT, comments))}</div>
        <div id=foot><p>Copyright The Shop, all rights reserved.</p></div></body></html>"""
