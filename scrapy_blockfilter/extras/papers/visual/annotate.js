(() => {
  // Write on each element of the page that holds text or images where a browser shows it, as one attribute.
  // scrapy_blockfilter/html/boxes.py reads it. All reads come before the first write, so the page is laid out once.
  try {
    const NAME = "data-bf";
    const OPAQUE = new Set(["HEAD", "SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "IFRAME", "OBJECT", "AUDIO", "VIDEO", "CANVAS"]);
    const SHOWN = new Set(["IMG", "INPUT", "SELECT", "TEXTAREA", "BUTTON", "HR"]);
    const INLINE = /^(inline|ruby|contents)/;
    const CLEAR = /^(transparent|rgba\(.*, 0\))$/;
    const hex = (color) => (color.match(/[\d.]+/g) || []).slice(0, 3).map((part) =>
      (Math.min(255, Math.round(Number(part))) >> 4).toString(16)).join("");

    // Read: the elements that have boxes, each after its parent.
    const read = [];
    const todo = [[document.documentElement, -1]];
    while (todo.length) {
      const [element, parent] = todo.pop();
      const tag = element.nodeName.toUpperCase();
      if (OPAQUE.has(tag)) continue;
      const style = getComputedStyle(element);
      if (style.display === "none") continue;
      const place = read.length;
      read.push({
        element, parent, tag,
        rect: element.getBoundingClientRect(),
        isInline: INLINE.test(style.display),
        position: style.position,
        size: Math.round(parseFloat(style.fontSize)) || 0,
        weight: style.fontWeight,
        color: style.color,
        background: CLEAR.test(style.backgroundColor) ? "" : style.backgroundColor,
        holdsBlocks: false, isMixed: false, hasContent: SHOWN.has(tag) || tag === "SVG",
      });
      if (tag === "SVG") continue;
      for (let child = element.lastChild; child; child = child.previousSibling) {
        if (child.nodeType === 1) todo.push([child, place]);
        else if (child.nodeType === 3 && /\S/.test(child.data)) read[place].hasContent = true;
      }
    }
    for (let place = read.length - 1; place > 0; place--) {
      const one = read[place], parent = read[one.parent];
      if (!one.hasContent) continue;
      parent.hasContent = true;
      if (one.holdsBlocks || !one.isInline) parent.holdsBlocks = true;
      if (one.isMixed || one.size !== parent.size || one.weight !== parent.weight) parent.isMixed = true;
    }

    // Positions are relative to the nearest element around that has the attribute, so equal parts of pages look alike.
    const written = [];
    const range = document.createRange();
    const box = (rect, around) => [rect.left - around.left, rect.top - around.top, rect.width, rect.height].map(Math.round);
    const page = {left: -scrollX, top: -scrollY};
    for (const one of read) {
      const parent = one.parent < 0 ? null : read[one.parent];
      one.isWithin = parent !== null && (parent.isWithin || !parent.holdsBlocks);
      if (one.isWithin || !one.hasContent) continue;
      const tokens = box(one.rect, parent ? parent.rect : page);
      if (!one.holdsBlocks) tokens.push(one.isMixed ? "m" : "l");
      if (one.isInline) tokens.push("i");
      if (one.position === "fixed") tokens.push("p");
      else if (one.position === "absolute") tokens.push("a");
      if (!parent || one.size !== parent.size) tokens.push(`f${one.size}`);
      if (!parent || one.weight !== parent.weight) tokens.push(`w${one.weight}`);
      if (!parent || one.color !== parent.color) tokens.push(`c${hex(one.color)}`);
      one.behind = one.background || (parent ? parent.behind : "");
      if (one.behind !== (parent ? parent.behind : "")) tokens.push(`b${hex(one.behind)}`);
      if (one.holdsBlocks) {
        let others = 0;  // nodes before the text that are none
        for (let child = one.element.firstChild; child; child = child.nextSibling) {
          if (child.nodeType !== 3) others++;
          else if (/\S/.test(child.data)) {
            range.selectNodeContents(child);
            tokens.push(`t${[others, ...box(range.getBoundingClientRect(), one.rect)].join(",")}`);
          }
        }
      }
      written.push([one.element, tokens.join(" ")]);
    }

    for (const element of document.querySelectorAll(`[${NAME}]`)) element.removeAttribute(NAME);
    for (const [element, value] of written) element.setAttribute(NAME, value);
    return written.length;
  } catch (error) {
    return String(error);  // the page is then divided without boxes
  }
})()
