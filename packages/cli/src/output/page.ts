// What text is laid out for: as wide as the terminal, or as a page where there is none.
import { wantsColour } from "./paint.ts";

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
