// How text output looks: emphasis by Node's rules for NO_COLOR, FORCE_COLOR and streams that are not a terminal, and the width.
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** The text in this style, if standard output supports it. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

const columnsElsewhere = 100;

export interface Page {
  readonly columns: number;
  readonly colour: boolean;
}

export function page(): Page {
  const { isTTY, columns } = process.stdout;
  // A pseudo terminal may claim to have no columns.
  return { columns: (isTTY && columns) || columnsElsewhere, colour: styled("bold", "x") !== "x" };
}
