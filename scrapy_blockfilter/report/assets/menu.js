
(() => {
  // The menu of a block: the corrections that would change its verdict, each with its command.
  const made = (name, className, attributes = {}, ...children) => {
    const node = document.createElement(name);
    node.className = className;
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const counted = (number) => (number === 1 ? "1 block of this page" : `${number} blocks of this page`);
  const VERBS = { keep: "Keep on all pages of the site", drop: "Drop on all pages of the site", undo: "Undo" };
  const MARGIN = 8;

  const start = (viewer, place) => {
    const selectors = [...viewer.querySelectorAll(".selectors > li")];
    if (!selectors.length) return;
    const title = made("p", "title", { id: `menu-${place}`, dir: "auto" });
    const menu = made("div", "", { role: "menu", "aria-labelledby": title.id });
    const command = made("code", "command");
    const status = made("p", "status", { role: "status" });
    const box = made("div", "menu", {}, title, menu, command, status);
    box.hidden = true;
    viewer.append(box);
    viewer.classList.add("correctable");
    for (const button of viewer.querySelectorAll(".correct")) button.hidden = false;
    let opener = null;
    let chosen = null;

    const items = () => [...menu.querySelectorAll("button")];

    const choose = (button, choice) => {
      for (const each of menu.querySelectorAll("[role=menuitemradio]")) each.setAttribute("aria-checked", each === button);
      chosen = choice;
      command.textContent = choice.command;
      status.textContent = "";
    };

    const copy = async () => {
      getSelection().selectAllChildren(command);
      let isDone = false;
      try {
        await navigator.clipboard.writeText(command.textContent);
        isDone = true;
      } catch {
        isDone = document.execCommand("copy"); // a page from a file, or in a frame, may have no clipboard
      }
      status.textContent = isDone ? "Copied. Run it where the crawl runs." : "The command is selected: copy it with Ctrl+C.";
    };

    const group = (action, choices) => {
      const radios = choices.map((choice) => {
        const button = made("button", choice.label === choice.selector ? "code" : "", { type: "button", role: "menuitemradio" }, choice.label);
        button.append(made("small", "", {}, counted(choice.blocks)));
        button.addEventListener("focus", () => choose(button, choice));
        button.addEventListener("click", () => choose(button, choice));
        return button;
      });
      return made("div", "group", { role: "group", "aria-label": VERBS[action] }, made("span", "verb", { "aria-hidden": "true" }, VERBS[action]), ...radios);
    };

    const add = (label, act) => {
      const button = made("button", "act", { type: "button", role: "menuitem" }, label);
      button.addEventListener("click", () => act(chosen, close));
      menu.append(button);
    };

    const close = () => {
      if (box.hidden) return;
      const hadFocus = box.contains(document.activeElement);
      box.hidden = true;
      if (hadFocus && opener) opener.focus({ preventScroll: true });
    };

    const put = (x, y) => {
      box.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - box.offsetWidth - MARGIN))}px`;
      box.style.top = `${Math.max(MARGIN, Math.min(y, innerHeight - box.offsetHeight - MARGIN))}px`;
    };

    const open = (item, from, x, y) => {
      const choices = item.dataset.choices.split(" ").map((each) => {
        const [action, number] = each.split(":");
        const { label, blocks, arguments: rest } = selectors[number].dataset;
        const selector = selectors[number].textContent;
        return { action, selector, label, blocks: Number(blocks), command: `scrapy blockfilter ${action} ${rest}` };
      });
      opener = from;
      title.textContent = `${item.querySelector(".verdict").textContent}: “${item.querySelector(".text").textContent.slice(0, 80)}”`;
      const actions = [...new Set(choices.map((choice) => choice.action))];
      menu.replaceChildren(...actions.map((action) => group(action, choices.filter((choice) => choice.action === action))));
      viewer.dispatchEvent(new CustomEvent("blockmenu", { bubbles: true, detail: { add } }));
      add("Copy command", copy);
      box.hidden = false;
      choose(items()[0], choices[0]); // a window in the background tells of no focus
      items()[0].focus({ preventScroll: true });
      put(x, y);
    };

    const openAt = (event) => {
      const shade = event.target.closest(".shade");
      const at = shade || event.target.closest(".correct") || (event.type === "contextmenu" && event.target.closest(".blocks button"));
      const item = at && viewer.querySelector(`.blocks [data-block="${at.closest("[data-block]").dataset.block}"]`);
      if (!item || !item.dataset.choices) return;
      event.preventDefault();
      const edges = at.getBoundingClientRect();
      const isByPointer = event.clientX > 0 && event.clientY > 0 && event.detail + event.button > 0;
      const from = at.matches("button") ? at : viewer.querySelector(".stage");
      open(item, from, ...(isByPointer ? [event.clientX, event.clientY] : [edges.left, edges.bottom]));
    };

    viewer.addEventListener("click", openAt);
    viewer.addEventListener("contextmenu", openAt);
    menu.addEventListener("keydown", (event) => {
      const all = items();
      const at = all.indexOf(document.activeElement);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
      if (event.key === "Tab") close();
      if (to === undefined) return;
      event.preventDefault();
      all[to % all.length].focus();
    });
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    });
    addEventListener("pointerdown", (event) => box.contains(event.target) || close());
    addEventListener("resize", close);
    addEventListener("keydown", (event) => event.key === "Escape" && close());
  };

  document.querySelectorAll(".viewer").forEach(start);
})();
