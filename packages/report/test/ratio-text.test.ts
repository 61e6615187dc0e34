import { expect, test } from "vitest";
import { undecidedText } from "../src/words/ratio-text.ts";

test.each([
  [0.95, 1.12, "cannot tell: anything from 5 % faster to 12 % slower"],
  [0.1, 4.5, "cannot tell: anything from 10 times faster to 4.5 times slower"],
  [0.000_25, 197_817, "cannot tell: anything, too noisy for so few rounds"],
  [0.9, 4_476_540, "cannot tell: anything, too noisy for so few rounds"],
])("a ratio between %d and %d that includes 1", (low, high, text) => {
  const ratio = { ratio: Math.sqrt(low * high), low, high, rounds: 6 } as Parameters<typeof undecidedText>[0];
  expect(undecidedText(ratio)).toBe(text);
});
