// Errors in the inputs of a fake: one line with the position, what is wrong and what to do.
import { CodedError } from "@roundtrip/contract/coded-error";

/**
 * `unknown-operation` and `unknown-field`: the contract, or the form of a file, has no such name. `wrong-type`: a value of another type is
 * expected. `too-large`: a limit is exceeded. `unreadable`, `unwritable`: a file or its content. `unreachable`: a server does not answer.
 * `not-called`: an assertion about calls failed.
 * `call-failed`: a call that had to succeed failed.
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

/** The path to a nested value: member names and list indices. */
export type ValuePath = readonly (string | number)[];

/** A path as text: `answers[0].response.labels["a.b"]`. */
export function pathText(path: ValuePath): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\w@-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}

/** The position of an error, its path in the document, and its cause. */
export interface FakeErrorOptions extends ErrorOptions {
  readonly position?: SourcePosition | undefined;
  readonly path?: ValuePath;
}

export class FakeError extends CodedError<FakeErrorCode> {
  override readonly name = "FakeError";
  /** The message without its position, to show next to a text in an editor. */
  readonly what: string;
  /** Undefined for errors that are not in a file. */
  readonly position: SourcePosition | undefined;
  /** Empty for errors about the whole document. */
  readonly path: ValuePath;

  constructor(code: FakeErrorCode, what: string, { position, path = [], ...options }: FakeErrorOptions = {}) {
    const file = position === undefined ? "" : `${position.file}:${position.line}:${position.column}: `;
    super(code, `${file}${path.length === 0 ? "" : `${pathText(path)}: `}${what}`, options);
    this.what = what;
    this.position = position;
    this.path = path;
  }
}
