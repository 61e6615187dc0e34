// What can go wrong around a fake, apart from the calls that it answers: told in one line, with where it is and what helps.
import { CodedError } from "@roundtrip/contract/coded-error";

/**
 * `unknown-operation` and `unknown-field`: the contract, or the form of a file, has no such name. `wrong-type`: another kind of value is
 * wanted there. `too-large`: beyond a limit. `unreadable`, `unwritable`: a file, or what is in it. `unreachable`: nobody answers there.
 * `not-called`: an assertion about calls does not hold.
 * `call-failed`: a call that had to succeed did not.
 */
export type FakeErrorCode =
  | "unknown-operation"
  | "unknown-field"
  | "wrong-type"
  | "too-large"
  | "unreadable"
  | "unwritable"
  | "unreachable"
  | "not-called"
  | "call-failed";

/** A position in a file. Lines and columns count from 1. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The path to a nested value: names of members and indices of lists. */
export type ValuePath = readonly (string | number)[];

/** A path as people write it: `answers[0].response.labels["a.b"]`. */
function pathText(path: ValuePath): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\w@-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}

/** The position of an error, and its cause. */
export interface FakeErrorOptions extends ErrorOptions {
  readonly place?: SourcePosition | undefined;
  readonly path?: ValuePath;
}

export class FakeError extends CodedError<FakeErrorCode> {
  override readonly name = "FakeError";
  /** The message without its position, to show next to a text in an editor. */
  readonly what: string;
  /** Undefined for errors that are not in a file. */
  readonly place: SourcePosition | undefined;
  /** Empty for errors about the whole document. */
  readonly path: ValuePath;

  constructor(code: FakeErrorCode, what: string, { place, path = [], ...options }: FakeErrorOptions = {}) {
    const file = place === undefined ? "" : `${place.file}:${place.line}:${place.column}: `;
    super(code, `${file}${path.length === 0 ? "" : `${pathText(path)}: `}${what}`, options);
    this.what = what;
    this.place = place;
    this.path = path;
  }
}
