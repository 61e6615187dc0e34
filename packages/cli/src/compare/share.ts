// Shares as people type them: 2% or 0.02.
import { InvalidArgumentError } from "commander";

/** `2%` → 0.02. Throws an InvalidArgumentError for what is not from 0 to 1; whether it may be 0 is for whoever takes it. */
export function share(value: string): number {
  const text = value.trim();
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text) ?? [];
  const number = digits === undefined ? Number.NaN : Number(digits) / (percent === "%" ? 100 : 1);
  if (!(number >= 0 && number <= 1)) throw new InvalidArgumentError("it must be a share such as 2% or 0.02");
  return number;
}
