// Rows of pictures: with a heading for each style where some style has several libraries, and the libraries below.
import { styleTitles, type Arm } from "@roundtrip/analysis";
import { text, type Markish } from "@observablehq/plot";

interface ArmRow {
  readonly id: string;
  readonly label: string;
}

interface StyleRows {
  /** The given rows, and an empty one for each heading. */
  readonly rows: readonly ArmRow[];
  readonly headings: readonly Markish[];
}

/** The label of an arm below the heading of its style: server, client, and what follows the stack's title. */
function libraryLabel({ server, client, stackTitle }: Arm, label: string): string {
  if (!label.startsWith(stackTitle)) return label;
  const named = / \((.*)\)$/.exec(stackTitle)?.[1] ?? server;
  return (named === server ? `${server}, ${client}` : named) + label.slice(stackTitle.length);
}

/** @param arms in the order of the picture: by style */
export function styleRows(arms: readonly (ArmRow & { readonly arm: Arm })[]): StyleRows {
  const librariesOf = Map.groupBy(arms, ({ arm }) => arm.style);
  const isGrouped = [...librariesOf.values()].some(
    (ofStyle) => new Set(ofStyle.map(({ arm }) => `${arm.server} ${arm.client}`)).size > 1,
  );
  if (!isGrouped) return { rows: arms, headings: [] };

  const titleOf = styleTitles(arms.map(({ arm }) => arm));
  const headed = [...librariesOf].flatMap(([style, ofStyle]) => {
    if (ofStyle[0]?.arm.role !== "style") return ofStyle.map(({ id, label }) => ({ id, label, heading: "" }));
    return [
      { id: `heading/${style}`, label: "", heading: titleOf(style) },
      ...ofStyle.map(({ id, label, arm }) => ({ id, label: libraryLabel(arm, label), heading: "" })),
    ];
  });
  const position = { y: "id", frameAnchor: "left", textAnchor: "end", dx: -9 } as const;
  return {
    rows: headed,
    headings: [
      text(
        headed.filter(({ heading }) => heading !== ""),
        { ...position, text: "heading", fontWeight: 600 },
      ),
    ],
  };
}
