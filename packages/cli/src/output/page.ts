// The format of text output: emphasis by Node.js's rules for NO_COLOR, FORCE_COLOR and terminals, and the width.
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Styles text if standard output supports it. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

const columnsElsewhere = 100;
/** Tables and plots need as many. A narrower terminal breaks their lines. */
const leastColumns = 40;

export interface Page {
  readonly columns: number;
  readonly colour: boolean;
}

export function page(): Page {
  const { isTTY, columns } = process.stdout;
  // A pseudo terminal may report zero columns.
  return {
    columns: Math.max(leastColumns, (isTTY && columns) || columnsElsewhere),
    colour: styled("bold", "x") !== "x",
  };
}
