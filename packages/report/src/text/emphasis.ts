// Emphasis by control sequences: `@roundtrip/report/emphasis` loads nothing else.
import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** What begins a control sequence on a terminal. */
export const plainIntroducer = "\u001B[";

/**
 * The text between control sequences that begin with `introducer`; unchanged if that is empty. Control sequences in the text itself stay as they are, so
 * that a caller with an introducer of its own can tell them apart.
 */
export function emphasised(style: Style, text: string, introducer: string): string {
  if (introducer === "" || text === "") return text;
  const [before = "", after = ""] = styleText(style, " ", { validateStream: false })
    .replaceAll(plainIntroducer, introducer)
    .split(" ");
  return `${before}${text}${after}`;
}
