// The format of text output: emphasis by Node.js's rules for NO_COLOR, FORCE_COLOR and terminals, and the width.
import { emphasised, type Style } from "@roundtrip/report/emphasis";
import { styleText } from "node:util";
import { ownIntroducer } from "./terminal.ts";

/** {@link ownIntroducer} if standard output supports emphasis, otherwise empty. */
function introducer(): string {
  return styleText("bold", "x", { stream: process.stdout }) === "x" ? "" : ownIntroducer;
}

/** Styles text if standard output supports it. */
export function styled(style: Style, text: string): string {
  return emphasised(style, text, introducer());
}

const columnsElsewhere = 100;
/** Tables and plots need as many. A narrower terminal breaks their lines. */
const leastColumns = 40;

export interface Page {
  readonly columns: number;
  readonly introducer: string;
}

export function page(): Page {
  const { isTTY, columns } = process.stdout;
  // A pseudo terminal may report zero columns.
  return {
    columns: Math.max(leastColumns, (isTTY && columns) || columnsElsewhere),
    introducer: introducer(),
  };
}
