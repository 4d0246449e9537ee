"use strict";
(() => {
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";

  const made = (name, className, attributes = {}) => {
    const node = document.createElement(name);
    node.className = className;
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };

  const start = (viewer, place) => {
    const stage = viewer.querySelector(".stage");
    const list = viewer.querySelector(".blocks");
    const items = new Map([...list.querySelectorAll("[data-block]")].map((item) => [item.dataset.block, item]));
    if (!stage) return;
    const minimap = viewer.querySelector(".minimap");
    const view = minimap.querySelector(".window");
    const note = made("div", "note", { id: `note-${place}`, role: "tooltip" });
    note.hidden = true;
    stage.append(note);

    const isPair = viewer.classList.contains("pair");
    const original = viewer.querySelector("[data-view=original]");
    const sheets = () => [...viewer.querySelectorAll(".sheet:not([hidden])")];
    const parts = (number) => sheets().flatMap((sheet) => [...sheet.querySelectorAll(`.shade[data-block="${number}"]`)]);

    // Where an element of the page is; one without a box of its own (display: contents) is where its text is.
    const boxOf = (element) => {
      const box = element.getBoundingClientRect();
      if (box.width && box.height) return box;
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect();
    };

    // Whether what is behind an element is dark, so that light shades are seen on it. Where a picture is behind, the
    // colour of the text tells it.
    const isLight = (colour) => {
      const [red, green, blue, alpha = 1] = /^rgb/.test(colour) ? colour.match(/[\d.]+/g).map(Number) : [0, 0, 0, 0];
      return alpha < 0.5 ? null : 0.299 * red + 0.587 * green + 0.114 * blue > 127;
    };
    const isOnDark = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const style = at.ownerDocument.defaultView.getComputedStyle(at);
        const light = isLight(style.backgroundColor);
        if (light !== null) return !light;
        if (style.backgroundImage !== "none") return isLight(style.color) === true;
      }
      return false;
    };

    // The frames are made as large as their pages, and what lies over a page is put where it has its blocks.
    const measure = () => {
      const top = stage.scrollTop;
      for (const sheet of sheets()) {
        const frame = sheet.querySelector("iframe");
        const root = frame.contentDocument && frame.contentDocument.documentElement;
        if (!root || !stage.clientWidth) continue;
        const own = viewer.querySelector(".check");
        if (own) own.hidden = !root.querySelector("style[data-own]");
        const room = isPair ? Math.max(stage.clientWidth / 2, 240) : stage.clientWidth;
        frame.style.width = `${room}px`;
        frame.style.height = "600px";
        frame.style.width = `${Math.max(room, root.scrollWidth)}px`;
        frame.style.height = `${Math.max(stage.clientHeight, root.scrollHeight)}px`;
        draw(sheet, frame);
      }
      stage.scrollTop = top;
      follow();
    };

    const draw = (sheet, frame) => {
      const shades = document.createDocumentFragment();
      const marks = document.createDocumentFragment();
      const width = frame.clientWidth;
      const height = frame.clientHeight;
      const seen = new Set();
      for (const part of frame.contentDocument.querySelectorAll("[data-block]")) {
        const number = part.dataset.block;
        const item = items.get(number);
        const box = boxOf(part);
        if (!item || !box.width || !box.height || box.bottom < 0 || box.right < 0) continue;
        const kind = item.dataset.kind;
        const isFirst = kind !== "kept" && !seen.has(number);
        seen.add(number);
        const shade = made(isFirst ? "button" : "div", "shade", { "data-block": number, "data-kind": kind });
        if (isFirst) {
          const said = [".verdict", ".text", ".reason"].map((name) => item.querySelector(name).textContent);
          shade.type = "button";
          shade.tabIndex = -1;
          shade.setAttribute("aria-label", said.join(". "));
        }
        if (kind !== "kept" && isOnDark(part)) shade.classList.add("on-dark");
        const mark = made("i", "", { "data-kind": kind });
        const edges = { left: box.left / width, top: box.top / height, width: box.width / width, height: box.height / height };
        for (const [edge, share] of Object.entries(edges)) {
          shade.style[edge] = `${box[edge]}px`;
          mark.style[edge] = `${100 * share}%`;
        }
        mark.style.minHeight = "1px";
        shades.append(shade);
        marks.append(mark);
      }
      sheet.querySelector(".shades").replaceChildren(shades);
      if (sheet === sheets()[0]) minimap.replaceChildren(marks, view);
      const first = sheet.querySelector("button.shade");
      if (first) first.tabIndex = 0;
      if (sheet === original) {
        for (const [number, item] of items) item.classList.toggle("unseen", !seen.has(number));
        sort(seen);
      }
    };

    // What nobody sees comes last in the list.
    const sort = (seen) => {
      const rest = list.querySelector(".rest");
      const [shown, unseen] = [true, false].map((is) => [...items].filter(([number]) => seen.has(number) === is));
      const sorted = [...shown, ...unseen].map(([, item]) => item);
      if (sorted.some((item, at) => item !== list.children[at])) list.replaceChildren(...sorted, ...(rest ? [rest] : []));
    };

    const follow = () => {
      view.style.top = `${(100 * stage.scrollTop) / stage.scrollHeight}%`;
      view.style.height = `${(100 * stage.clientHeight) / stage.scrollHeight}%`;
    };

    const light = (number) => {
      for (const lit of viewer.querySelectorAll(".lit")) lit.classList.remove("lit");
      if (number === undefined) return;
      for (const shade of parts(number)) shade.classList.add("lit");
      items.get(number).classList.add("lit");
    };

    const tell = (shade) => {
      note.replaceChildren(...[...items.get(shade.dataset.block).firstChild.children].map((part) => part.cloneNode(true)));
      note.hidden = false;
      shade.setAttribute("aria-describedby", note.id);
      const left = Math.min(shade.offsetLeft, stage.scrollLeft + stage.clientWidth - note.offsetWidth - 8);
      const below = shade.offsetTop + shade.offsetHeight + 6;
      const fits = below + note.offsetHeight < stage.scrollTop + stage.clientHeight;
      const above = shade.offsetTop - note.offsetHeight - 6;
      note.style.left = `${Math.max(stage.scrollLeft + 8, left)}px`;
      note.style.top = `${Math.max(stage.scrollTop + 4, fits ? below : above)}px`;
      light(shade.dataset.block);
    };

    const hush = () => {
      note.hidden = true;
      light();
    };

    const show = (name) => {
      for (const each of viewer.querySelectorAll(".sheet")) each.hidden = each.dataset.view !== name;
      for (const choice of viewer.querySelectorAll("[name$=-view]")) choice.checked = choice.value === name;
      hush();
      stage.scrollTop = 0;
      measure();
    };

    const go = (number) => {
      if (items.get(number).dataset.kind !== "kept" && original.hidden) show("original");
      light(number);
      const shade = parts(number)[0];
      if (!shade) return;
      stage.scrollTo({ top: shade.offsetTop - stage.clientHeight / 3, left: shade.offsetLeft - 24, behavior });
      if (stage.getBoundingClientRect().bottom < 80) stage.scrollIntoView({ block: "nearest", behavior });
    };

    for (const frame of viewer.querySelectorAll("iframe")) {
      frame.addEventListener("load", measure);
    }
    new ResizeObserver(measure).observe(stage);
    stage.addEventListener("scroll", follow, { passive: true });
    for (const each of viewer.querySelectorAll(".shades")) {
      const shadeOf = (event) => event.target.closest(".shade");
      each.addEventListener("pointerover", (event) => shadeOf(event) && tell(shadeOf(event)));
      each.addEventListener("pointerout", hush);
      each.addEventListener("focusin", (event) => tell(event.target));
      each.addEventListener("focusout", hush);
      each.addEventListener("click", (event) => {
        const item = shadeOf(event) && items.get(shadeOf(event).dataset.block);
        if (item) list.scrollTo({ top: item.offsetTop - list.clientHeight / 3, behavior });
      });
      each.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (event.key === "Escape") hush();
        if (!step) return;
        const all = [...each.querySelectorAll("button.shade")];
        const next = all[all.indexOf(event.target) + step];
        event.preventDefault();
        if (!next) return;
        event.target.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      });
    }
    list.addEventListener("click", (event) => {
      const item = event.target.closest("[data-block]");
      if (item && !event.target.closest(".correct")) go(item.dataset.block);
    });
    minimap.addEventListener("pointerdown", (event) => {
      const jump = (at) => {
        const box = minimap.getBoundingClientRect();
        stage.scrollTop = ((at.clientY - box.top) / box.height) * stage.scrollHeight - stage.clientHeight / 2;
      };
      jump(event);
      minimap.setPointerCapture(event.pointerId);
      minimap.onpointermove = jump;
      minimap.onpointerup = () => (minimap.onpointermove = null);
    });
    viewer.addEventListener("change", ({ target }) => {
      if (target.name.endsWith("-view")) show(target.value);
      if (target.classList.contains("own-styles")) {
        for (const frame of viewer.querySelectorAll("iframe")) {
          const sheets = frame.contentDocument ? frame.contentDocument.querySelectorAll("style[data-own]") : [];
          for (const style of sheets) style.sheet.disabled = !target.checked;
        }
        measure();
      }
    });
    measure();
  };

  document.querySelectorAll(".viewer").forEach(start);
})();
