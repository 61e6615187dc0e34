// The error of a call, the same on every style: a canonical code, a message for people and details for programs.
import { channel } from "node:diagnostics_channel";
import { type CanonicalCode } from "./canonical-code.ts";
import { CodedError } from "./coded-error.ts";

/** One field that broke a rule: its path as written in the contract (`customer.name`), what was wrong, and the rule's id. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
  readonly reason: string;
}

/** Machine-readable details of an error: google.rpc.ErrorInfo and google.rpc.BadRequest in one value. */
export interface ErrorDetails {
  readonly reason: string;
  readonly domain: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];
}

// The texts of an error often repeat what a caller sent, which may be megabytes: cut here, they are short in every style, client and log.

/** Longer texts are cut, in UTF-16 code units. */
export const maxErrorText = 1_000;
/** Further violations and metadata are left out. */
export const maxViolations = 1_000;
/** The texts of all violations and metadata together. */
export const maxDetailsText = 64 * 1024;

/** The text, or its first `most` characters and an ellipsis. Never half a surrogate pair more than the text had. Keeps no memory of the rest. */
export function shortText(text: string, most: number = maxErrorText): string {
  if (text.length <= most) return text;
  const isWithinPair = (text.codePointAt(most - 1) as number) > 0xff_ff;
  // A slice would refer to the whole text.
  return `${Buffer.from(text.slice(0, isWithinPair ? most - 1 : most), "utf16le").toString("utf16le")}…`;
}

/** @param fits whether so many characters more are not too many */
function shortViolations(violations: ErrorDetails["violations"], fits: (length: number) => boolean): FieldViolation[] {
  const short: FieldViolation[] = [];
  for (const violation of violations.slice(0, maxViolations)) {
    const field = shortText(violation.field);
    const description = shortText(violation.description);
    const reason = shortText(violation.reason);
    if (!fits(field.length + description.length + reason.length)) break;
    short.push({ field, description, reason });
  }
  return short;
}

function shortDetails({
  reason = "",
  domain = "",
  metadata = {},
  violations = [],
}: Partial<ErrorDetails>): ErrorDetails {
  let left = maxDetailsText;
  const fits = (length: number): boolean => (left -= length) >= 0;
  const entries = Object.entries(metadata).map(([name, value]) => [shortText(name), shortText(value)] as const);
  return {
    reason: shortText(reason),
    domain: shortText(domain),
    metadata: Object.fromEntries(entries.filter(([name, value]) => fits(name.length + value.length))),
    violations: shortViolations(violations, fits),
  };
}

/** An error of the server itself, whose text its caller does not see. */
export interface InternalError {
  readonly cause: unknown;
  /** The id of the operation that was called; empty if it is unknown. */
  readonly operation: string;
}

const internalErrors = channel("roundtrip:internal-error");

/** Calls the listener with each error of the server itself, in this process. Returns a function that removes the listener. */
export function onInternalError(listener: (error: InternalError) => void): () => void {
  const heard = (message: unknown): void => listener(message as InternalError);
  internalErrors.subscribe(heard);
  return () => {
    internalErrors.unsubscribe(heard);
  };
}

/** Thrown by handlers, carried by stacks, and thrown again by clients with the same code, message and details. Long texts are cut. */
export class CallError extends CodedError<CanonicalCode> {
  override readonly name = "CallError";
  readonly details: ErrorDetails;

  constructor(code: CanonicalCode, message: string, details: Partial<ErrorDetails> = {}, options?: ErrorOptions) {
    super(code, shortText(message), options);
    this.details = shortDetails(details);
  }

  /**
   * Any thrown value as a CallError. Other values are errors of the server: see {@link CallError.internal}.
   * @param operation the id of the operation that was called
   */
  static from(thrown: unknown, operation = ""): CallError {
    return thrown instanceof CallError ? thrown : CallError.internal(thrown, operation);
  }

  /** An error of the server itself: INTERNAL. Its text stays in `cause`, which listeners of {@link onInternalError} get. */
  static internal(cause: unknown, operation = ""): CallError {
    if (internalErrors.hasSubscribers) internalErrors.publish({ cause, operation } satisfies InternalError);
    return new CallError("INTERNAL", "internal error", {}, { cause });
  }
}

/** An error that the client found: no server sent its code. The request could not be sent, or the answer is not of the contract. */
export class ClientSideError extends CallError {
  /** The same error, unless it is one of the client already. */
  static of(thrown: unknown): ClientSideError {
    if (thrown instanceof ClientSideError) return thrown;
    const { code, message, details } = CallError.from(thrown);
    return new ClientSideError(code, message, details, { cause: thrown });
  }
}
