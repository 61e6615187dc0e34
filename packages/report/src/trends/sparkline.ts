// A series in one line of text: each value as a block, the lowest one eighth high and the highest full.

const blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** The last so many values; all alike are a flat line. */
export function sparkline(values: readonly number[], columns: number): string {
  const shown = values.slice(-columns);
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  if (low === high) return blocks[3].repeat(shown.length);
  return shown
    .map((value) => blocks[Math.round(((value - low) / (high - low)) * (blocks.length - 1))] ?? blocks[0])
    .join("");
}
