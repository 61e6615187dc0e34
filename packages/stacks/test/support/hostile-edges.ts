// Documents over the edges of the freight contract that cost a server far more than their size: made by number, the same in each run.
import { shipment } from "./freight.ts";

/** A selection of a Site. `page` is the arguments of lists, `leaf` what is read at the end. */
type InSite = (page: string, leaf: string) => string;

/** From a site to the sites of its shipper, this many times: two edges and a list each. */
function circles(times: number): InSite {
  return (page, leaf) =>
    Array.from({ length: times }).reduce<string>(
      (inside) => `shipperResource { sites${page} { sites { ${inside} } } }`,
      leaf,
    );
}

function aliased(count: number, field: string): string {
  return Array.from({ length: count }, (_, at) => `a${at}: ${field}`).join(" ");
}

function fromStops(selection: string): string {
  return shipment(`stopsResources { ${selection} }`);
}

/** The selection as it is, in an inline fragment, in a fragment, or in a fragment of a fragment. */
function spelled(selection: string, how: number): string {
  const inside = `title ${selection}`;
  switch (how % 4) {
    case 0:
      return fromStops(inside);
    case 1:
      return fromStops(`... on Site { ... { ${inside} } }`);
    case 2:
      return `${fromStops("...f")} fragment f on Site { ${inside} }`;
    default:
      return `${fromStops("...f")} fragment f on Site { ...g } fragment g on Site { ${inside} }`;
  }
}

/** What makes a document hostile, growing with its number from 0 to 49. */
const kinds: Readonly<Record<string, (number: number) => string>> = {
  depth: (number) => circles(4 + (number % 8))("(pageSize: 1)", "title"),
  width: (number) => circles(2)(`(pageSize: ${40 + 40 * number})`, "shipperResource { title }"),
  aliases: (number) =>
    aliased(
      2 + (number % 30),
      `shipperResource { ${aliased(2, `sites(pageSize: ${200 + number}) { sites { shipperResource { title } } }`)} }`,
    ),
  cycles: (number) =>
    circles(3 + (number % 10))(number % 2 === 0 ? "" : "(pageSize: $size)", "shipperResource { title }"),
};

export interface HostileDocument {
  readonly name: string;
  readonly query: string;
}

/** 200 documents that are too deep, too wide, ask under too many names or go round. */
export const hostileDocuments: readonly HostileDocument[] = Object.entries(kinds).flatMap(([kind, make]) =>
  Array.from({ length: 50 }, (_, number) => {
    const text = spelled(make(number), number);
    return { name: `${kind} ${number}`, query: text.includes("$size") ? `query ($size: Int) ${text}` : text };
  }),
);
