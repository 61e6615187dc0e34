// A line of small print below a picture, wrapped to its width: a file that is shown without its page must explain its own signs.
import { wrap } from "../text/fit.ts";
import type { Picture } from "./legend.ts";

const lineHeightPx = 15;
// A generous mean width of an 11 px letter: there is no font to measure here.
const letterWidthPx = 6;

function linesOf(text: string, widthPx: number): readonly string[] {
  return text === "" ? [] : wrap(text, Math.floor(widthPx / letterWidthPx));
}

/** The height to leave below a picture of this width; 0 for an empty text. */
export function footnoteHeightPx(text: string, widthPx: number): number {
  return linesOf(text, widthPx).length * lineHeightPx;
}

/** Puts the text at the very bottom of a picture of this size that left space for it. */
export function addFootnote(
  svg: Picture,
  text: string,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
): void {
  const lines = linesOf(text, widthPx);
  lines.forEach((line, index) => {
    const element = svg.ownerDocument.createElementNS("http://www.w3.org/2000/svg", "text");
    element.setAttribute("x", "1");
    element.setAttribute("y", String(heightPx - (lines.length - index - 1) * lineHeightPx - 5));
    element.setAttribute("text-anchor", "start");
    element.setAttribute("font-size", "11");
    element.setAttribute("fill", "var(--quiet)");
    element.textContent = line;
    svg.append(element);
  });
}
