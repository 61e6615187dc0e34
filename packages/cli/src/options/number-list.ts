// Parses one or several numbers: `80`, `10,20,50`, `10..200..10`.
import { InvalidArgumentError } from "commander";

const mostNumbers = 200;

export interface NumberRange {
  /** Describes valid numbers: `numbers above 0`. */
  readonly what: string;
  readonly example: string;
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
}

function numberOf(text: string, { least, most, whole }: NumberRange): number | undefined {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most && (!whole || Number.isInteger(number)) ? number : undefined;
}

/** Parses `10..200..10`: first, last, and step (1 by default). Undefined for an invalid or endless range. */
function numbersOf(text: string, range: NumberRange): readonly number[] | undefined {
  const [from, to, by, ...more] = text.split("..");
  const first = numberOf((from ?? "").trim(), range);
  if (to === undefined) return first === undefined ? undefined : [first];
  const last = numberOf(to.trim(), range);
  const step = numberOf((by ?? "1").trim(), { ...range, least: Number.MIN_VALUE });
  if (first === undefined || last === undefined || step === undefined || last < first || more.length > 0)
    return undefined;
  // The margin of half a billionth of a step absorbs rounding: 0.1 + 0.2 counts as 0.3.
  const steps = Math.floor((last - first) / step + 5e-10);
  if (steps >= mostNumbers) return undefined;
  return Array.from({ length: steps + 1 }, (_, index) => Number((first + index * step).toPrecision(12)));
}

export function numberList(range: NumberRange): (value: string) => readonly number[] {
  return (value) => {
    const parts = value.split(",").map((text) => numbersOf(text.trim(), range));
    const numbers = [...new Set(parts.flatMap((part) => part ?? []))].toSorted((a, b) => a - b);
    if (parts.every((part) => part !== undefined) && numbers.length <= mostNumbers) return numbers;
    throw new InvalidArgumentError(`must be up to ${mostNumbers} ${range.what}, such as ${range.example}`);
  };
}

export function oneNumber(range: NumberRange): (value: string) => number {
  return (value) => {
    const number = numberOf(value.trim(), range);
    if (number !== undefined) return number;
    throw new InvalidArgumentError(`must be ${range.what}, such as ${range.example}`);
  };
}
