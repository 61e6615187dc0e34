// Shares as people type them: 2% or 0.02.
import { InvalidArgumentError } from "commander";

/** `2%` → 0.02. Throws an InvalidArgumentError for what is not above 0 and at most 1. */
export function share(value: string): number {
  const text = value.trim();
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text) ?? [];
  const number = digits === undefined ? Number.NaN : Number(digits) / (percent === "%" ? 100 : 1);
  if (!(number > 0 && number <= 1)) throw new InvalidArgumentError("it must be a share such as 2% or 0.02");
  return number;
}
