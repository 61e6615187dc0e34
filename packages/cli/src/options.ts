// Flags that mean the same on every command, and how their values are read.
import { InvalidArgumentError, Option } from "commander";
import ms, { type StringValue } from "ms";

/** `a,b` → `["a", "b"]`; may be given several times. */
export function listOf(value: string, before: readonly string[] | undefined): readonly string[] {
  const names = value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new InvalidArgumentError("Give at least one name.");
  return [...(before ?? []), ...names];
}

/** A whole number from `min` on. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() === "" || !Number.isInteger(number) || number < min || number > max) {
      const upTo = max === Number.MAX_SAFE_INTEGER ? "" : ` and at most ${max}`;
      throw new InvalidArgumentError(`It must be a whole number, at least ${min}${upTo}.`);
    }
    return number;
  };
}

/** `60s`, `2m`, `500ms` → milliseconds. */
export function duration(value: string): number {
  const milliseconds = /^\d+(\.\d+)?\s*[a-z]+$/i.test(value.trim()) ? ms(value.trim() as StringValue) : undefined;
  if (milliseconds === undefined || !Number.isFinite(milliseconds) || milliseconds <= 0) {
    throw new InvalidArgumentError("It must be a duration with its unit, such as 60s, 2m or 500ms.");
  }
  return milliseconds;
}

export const stackOption = (): Option =>
  new Option("--stack <names>", "only these stacks, separated by commas").argParser(listOf);

export const contractOption = (): Option =>
  new Option(
    "--contract <path>",
    "a folder of .proto files, or a compiled descriptor set (default: Roundtrip's own contract)",
  );

export const jsonOption = (): Option => new Option("--json", "print one JSON document instead of text").default(false);

export const quietOption = (): Option =>
  new Option("--quiet", "print no progress and nothing but results").default(false);

export const tlsOption = (): Option =>
  new Option("--tls", "over TLS, with a certificate made for this run").default(false);

export const seedOption = (): Option =>
  new Option("--seed <number>", "of everything random: order of blocks, resampling").argParser(
    wholeNumber(0, 2 ** 31 - 1),
  );
