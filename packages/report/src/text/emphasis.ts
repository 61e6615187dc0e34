// Emphasis by control sequences: `@roundtrip/report/emphasis` loads nothing else.
import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** What begins a control sequence on a terminal. */
export const plainIntroducer = "\u001B[";

/** The text between control sequences with this introducer, which tells them from any in the text itself; unchanged if that is empty. */
export function emphasised(style: Style, text: string, introducer: string): string {
  if (introducer === "" || text === "") return text;
  const [before = "", after = ""] = styleText(style, " ", { validateStream: false })
    .replaceAll(plainIntroducer, introducer)
    .split(" ");
  return `${before}${text}${after}`;
}
