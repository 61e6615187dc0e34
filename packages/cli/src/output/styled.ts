// Emphasis on the terminal, by Node's rules for NO_COLOR, FORCE_COLOR and streams that are not a terminal.
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** The text in this style, if standard output supports it. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Whether standard output supports colors. */
export function wantsColour(): boolean {
  return styled("bold", "x") !== "x";
}
