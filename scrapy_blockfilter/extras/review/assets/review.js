
(() => {
  // Previews of corrections, and the buttons that make them, on pages of the command review.
  const bar = document.querySelector(".review");
  if (!bar) return;
  const made = (name, className, ...children) => {
    const node = document.createElement(name);
    node.className = className;
    node.append(...children);
    return node;
  };
  const count = (number) => number.toLocaleString("en");

  const ask = async (path, correction) => {
    let answer;
    try {
      answer = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ...correction, page: Number(bar.dataset.page) }),
      });
    } catch {
      throw new Error("The command has ended: start scrapy blockfilter review again.");
    }
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.error);
    return said;
  };

  const change = (label, [before, after]) => {
    const difference = after - before;
    const sign = difference > 0 ? "+" : "−";
    const text = difference ? `${count(before)} → ${count(after)} (${sign}${count(Math.abs(difference))})` : `${count(before)}, as before`;
    return made("div", "", made("dt", "", label), made("dd", "", text));
  };

  const texts = (label, className, all) => {
    const items = all.map((text) => {
      const item = made("li", "", text);
      item.dir = "auto";
      return item;
    });
    return items.length ? [made("h4", "", label), made("ul", className, ...items)] : [];
  };

  const told = (page) => {
    const isSame = !page.added.length && !page.removed.length;
    const name = made("h3", "", page.page);
    name.dir = "auto";
    return made(
      "section",
      "",
      name,
      made("dl", "", change("Blocks kept", page.blocks), change("Characters kept", page.characters)),
      ...texts("Kept from now on", "added", page.added),
      ...texts("Stripped from now on", "removed", page.removed),
      ...(page.more ? [made("p", "hint", `and ${count(page.more)} more`)] : []),
      ...(isSame ? [made("p", "hint", "Nothing changes on this page.")] : []),
      ...(page.unchanged ? [made("p", "hint", `The page stays as it is: ${page.unchanged}.`)] : []),
    );
  };

  const dialog = made("dialog", "preview");
  document.body.append(dialog);

  const show = (title, parts, buttons) => {
    const heading = made("h2", "", title);
    heading.id = "preview-title";
    dialog.setAttribute("aria-labelledby", heading.id);
    const status = made("p", "status");
    status.setAttribute("role", "status");
    const cancel = made("button", "", "Cancel");
    cancel.addEventListener("click", () => dialog.close());
    const pages = made("div", "pages", ...parts);
    pages.tabIndex = 0;
    dialog.replaceChildren(heading, pages, status, made("div", "buttons", ...buttons, cancel));
    for (const button of dialog.querySelectorAll("button")) button.type = "button";
    if (!dialog.open) dialog.showModal();
    return status;
  };

  const preview = async (correction) => {
    const title = `${correction.action} ${correction.selector}`;
    try {
      const { pages } = await ask("/preview", correction);
      const apply = made("button", "apply", "Apply");
      const status = show(title, pages.map(told), [apply]);
      apply.addEventListener("click", async () => {
        apply.disabled = true;
        try {
          await ask("/apply", correction);
          location.reload();
        } catch (error) {
          apply.disabled = false;
          status.textContent = error.message;
        }
      });
      apply.focus();
    } catch (error) {
      show(title, [made("p", "", error.message)], []);
    }
  };

  document.addEventListener("blockmenu", ({ detail }) =>
    detail.add("Preview…", (chosen, close) => {
      close();
      preview({ action: chosen.action, selector: chosen.selector });
    }),
  );
  bar.addEventListener("click", ({ target }) => {
    if (target.dataset.undo !== undefined) preview({ action: "undo", selector: target.dataset.undo });
  });
})();
