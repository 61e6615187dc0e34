// Titles of styles, from those of their stacks.
import type { Arm } from "@roundtrip/runs";

/** Gives a style's title by its id: a stack's title without the libraries that it names in brackets. */
export function styleTitles(arms: readonly Pick<Arm, "style" | "stackTitle">[]): (style: string) => string {
  const titles = new Map(arms.map(({ style, stackTitle }) => [style, stackTitle.replace(/ \(.*\)$/, "")]));
  return (style) => titles.get(style) ?? style;
}
