// Emphasis on the terminal: node's own rules for NO_COLOR, FORCE_COLOR and streams that are no terminal.
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** The text in this style, as far as standard output wants it. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** True when standard output wants colours. */
export function wantsColour(): boolean {
  return paint("bold", "x") !== "x";
}
