// Mends links of the built book: those to pairs and scenes open the page, those to files of the repository a copy beside the book.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { addressOf } from "./address.mjs";

const root = join(import.meta.dirname, "../..");
const book = join(root, "target/book");
const source = join(root, "docs/book/src");

/** Where a link of a web page of the book leads instead. */
function mended(link, page) {
  if (/^(#|[a-z]+:)/.test(link)) {
    return link;
  }
  const [path] = link.split("#");
  const file = join(source, dirname(page), path);
  const home = relative(join(book, dirname(page)), book) || ".";
  if (file.startsWith(join(source, "files"))) {
    return `${home}/page/#${addressOf(readFileSync(file, "utf8"))}`;
  }
  if (file.startsWith(source)) {
    return link;
  }
  // mdBook takes every document for a chapter.
  const found = existsSync(file) ? file : file.replace(/\.html$/, ".md");
  const copy = `repository/${relative(root, found)}.txt`;
  mkdirSync(dirname(join(book, copy)), { recursive: true });
  cpSync(found, join(book, copy));
  return `${home}/${copy}`;
}

const pages = readdirSync(book, { recursive: true }).filter((name) => name.endsWith(".html") && !name.startsWith("page/"));
for (const page of pages) {
  const path = join(book, page);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/(<a [^>]*href=")([^"]*)"/g, (_, start, link) => `${start}${mended(link, page)}"`));
}
