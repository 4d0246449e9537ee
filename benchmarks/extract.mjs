// Extracts the main content of pages with an extractor for Node: `node extract.mjs NODE_MODULES EXTRACTOR`.
//
// Reads a JSON object {html, url} a line, and writes for each {html} of the content, or {error}, a line. Pages are built by
// jsdom, which parses them as browsers do and knows what styles hide; no script of theirs runs and nothing is loaded.

import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, extractor] = process.argv.slice(2);
const require = createRequire(join(folder, "extract.mjs"));
const { JSDOM, VirtualConsole } = require("jsdom");

// Lines are for answers alone.
for (const name of ["debug", "error", "info", "log", "warn"]) console[name] = () => {};

const load = {
  defuddle: async () => {
    const { Defuddle } = await import(pathToFileURL(join(folder, "defuddle", "dist", "node.js")));
    // Without useAsync it would ask the services of third parties for what a page does not have.
    return async (document, url) => (await Defuddle(document, url, { useAsync: false })).content;
  },
  readability: async () => {
    const { Readability } = require("@mozilla/readability");
    return async (document) => new Readability(document).parse()?.content;
  },
};

async function answer(extract, line) {
  const { html, url } = JSON.parse(line);
  const page = new JSDOM(html, { url: url || "about:blank", virtualConsole: new VirtualConsole() });
  try {
    return { html: (await extract(page.window.document, url || undefined)) ?? "" };
  } finally {
    page.window.close();
  }
}

const extract = await load[extractor]();
for await (const line of createInterface({ input: process.stdin })) {
  const found = await answer(extract, line).catch((error) => ({ error: String(error) }));
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
