// A contract's comments, as people read them: lines that were broken for an editor flow again, and links lead somewhere.
import { element } from "./element.js";

const listItem = /^\s*(?:[-*•]|\d+\.)\s/;
const mark = /`([^`]+)`|\[([^\]]+)\]\[[^\]]*\]|\[([^\]]+)\]\s?\((https?:\/\/[^\s)]+)\)|\[([^\]]+)\]\([^)]*\)/g;

/** Text with code and links of Markdown; a link that leads nowhere outside is its words. */
function marked(text) {
  const parts = [];
  let at = 0;
  for (const { 0: whole, 1: code, 2: named, 3: linked, 4: url, 5: lost, index } of text.matchAll(mark)) {
    parts.push(text.slice(at, index));
    if (code !== undefined) parts.push(element("code", {}, code));
    else if (url !== undefined) parts.push(element("a", { href: url, target: "_blank", rel: "noreferrer" }, linked));
    else parts.push(named ?? lost);
    at = index + whole.length;
  }
  return [...parts, text.slice(at)];
}

/** Lines that belong together, each list item by itself. */
function flowing(paragraph) {
  const lines = [];
  for (const line of paragraph.split("\n")) {
    if (lines.length === 0 || listItem.test(line)) lines.push(line.trim());
    else lines.push(`${lines.pop()} ${line.trim()}`);
  }
  return lines.join("\n");
}

/** The first paragraph; the others are there for who wants to read on. */
export function proseView(comment) {
  const paragraphs = comment.split(/\n\s*\n/).filter((text) => text.trim() !== "");
  const [first, ...others] = paragraphs.map((text) => element("p", {}, ...marked(flowing(text))));
  const more = element("details", { class: "more-prose" }, element("summary", {}, "Read on"), ...others);
  return element("div", { class: "comment" }, first, others.length > 0 && more);
}
