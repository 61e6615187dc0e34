// The width of text output: the terminal's, or a page's without a terminal.
import { wantsColour } from "./styled.ts";

const columnsElsewhere = 100;

export interface Page {
  readonly columns: number;
  readonly colour: boolean;
}

export function page(): Page {
  const { isTTY, columns } = process.stdout;
  // A pseudo terminal may claim to have no columns.
  return { columns: (isTTY && columns) || columnsElsewhere, colour: wantsColour() };
}
