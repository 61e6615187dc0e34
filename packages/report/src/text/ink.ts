// Emphasis for text: escape codes with colours, otherwise nothing. No meaning depends on it alone.
import { styleText } from "node:util";

export type Ink = (text: string) => string;

export interface Inks {
  readonly heading: Ink;
  readonly quiet: Ink;
  readonly good: Ink;
  readonly careful: Ink;
  readonly bad: Ink;
}

type Style = Parameters<typeof styleText>[0];

/** `colour` is set by the caller: neither the stream nor the environment is inspected. */
export function inks(colour: boolean): Inks {
  const ink =
    (style: Style): Ink =>
    (text) =>
      colour && text !== "" ? styleText(style, text, { validateStream: false }) : text;
  return {
    heading: ink("bold"),
    quiet: ink("dim"),
    good: ink("green"),
    careful: ink("yellow"),
    bad: ink("red"),
  };
}
