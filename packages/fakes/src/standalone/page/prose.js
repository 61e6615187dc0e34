// Shows a contract's comments as prose: joins lines that were wrapped, and makes links.
import { element } from "./element.js";

const listItem = /^\s*(?:[-*•]|\d+\.)\s/;
const mark = /`([^`]+)`|\[([^\]]+)\]\[[^\]]*\]|\[([^\]]+)\]\s?\((https?:\/\/[^\s)]+)\)|\[([^\]]+)\]\([^)]*\)/g;

/** Text with Markdown code and links; links to unsafe addresses become plain text. */
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

/** Groups lines into paragraphs; each list item is its own. */
function flowing(paragraph) {
  const lines = [];
  for (const line of paragraph.split("\n")) {
    if (lines.length === 0 || listItem.test(line)) lines.push(line.trim());
    else lines.push(`${lines.pop()} ${line.trim()}`);
  }
  return lines.join("\n");
}

/** The first paragraph; the others are collapsed. */
export function proseView(comment) {
  const paragraphs = comment.split(/\n\s*\n/).filter((text) => text.trim() !== "");
  const [first, ...others] = paragraphs.map((text) => element("p", {}, ...marked(flowing(text))));
  const more = element("details", { class: "more-prose" }, element("summary", {}, "Read on"), ...others);
  return element("div", { class: "comment" }, first, others.length > 0 && more);
}
