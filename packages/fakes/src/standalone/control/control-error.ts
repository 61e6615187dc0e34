// Errors in requests to the control server, and the answers to them: a status, and one line that says what is wrong.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Request } from "express";
import { CallError } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { HttpError } from "@roundtrip/styles/http/server";
import { FakeError } from "../../basics/fake-error.ts";
import { checkSentText } from "../../files/located-documents.ts";

export type Body = Readonly<Record<string, JsonValue>>;

/** The body as an object with known members only, of a request without a query. Throws a ControlError otherwise. */
export function bodyOf(request: Request, known: readonly string[]): Body {
  queryOf(request);
  if (request.is("application/json") !== "application/json") {
    throw new ControlError(415, "send JSON, with the content type application/json");
  }
  const body = request.body as JsonValue | undefined;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ControlError(400, `send a JSON object with ${known.join(", ")}`);
  }
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown === undefined) return body;
  const hint = `${suggestion(unknown, known)} (valid: ${known.join(", ")})`;
  throw new ControlError(400, `unknown member ${JSON.stringify(unknown)}${hint}`);
}

export function textIn(body: Body, name: string): string {
  const value = body[name];
  if (typeof value === "string") return value;
  throw new ControlError(400, `${name} must be a string`);
}

export function maybeTextIn(body: Body, name: string): string | undefined {
  return body[name] === undefined ? undefined : textIn(body, name);
}

/** A text of YAML or JSON. Throws a FakeError for one that would take too long to read. */
export function documentIn(body: Body, name: string, document: string): string {
  const text = textIn(body, name);
  checkSentText(text, document);
  return text;
}

export function listIn(body: Body, name: string): readonly JsonValue[] {
  const value = body[name] ?? [];
  if (Array.isArray(value)) return value;
  throw new ControlError(400, `${name} must be a list`);
}

type Query<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/**
 * The query parameters of a request. Throws a ControlError for a parameter that is not known, so that a misspelt one does not act on everything, for one
 * that is given twice, and for one without a value. An empty `session` names the session of calls that name none.
 */
export function queryOf<Name extends string = never>(
  { query }: Request,
  known: readonly (Name | "session")[] = [],
): Query<Name | "session"> {
  for (const [name, value] of Object.entries(query)) {
    if (!(known as readonly string[]).includes(name)) {
      const hint = `${suggestion(name, known)} (valid: ${known.length === 0 ? "no parameters" : known.join(", ")})`;
      throw new ControlError(400, `unknown parameter ${JSON.stringify(name)}${hint}`);
    }
    if (typeof value !== "string") throw new ControlError(400, `give ${name} once`);
    if (value === "" && name !== "session" && name !== "summary")
      throw new ControlError(400, `${name} must have a value; leave it out for all`);
  }
  return query as Query<Name | "session">;
}

export function flagIn(text: string | undefined, name: string): boolean {
  if (text === undefined || text === "false") return false;
  if (text === "" || text === "true") return true;
  throw new ControlError(400, `${name} must be true or false, got ${JSON.stringify(text)}`);
}

/** A whole number within the limits; undefined for a parameter that is not given. */
export function numberIn(text: string | undefined, name: string, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new ControlError(400, `${name} must be a whole number, ${least} to ${most}`);
}

export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The answer to a failed request. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: {
    readonly error: {
      /** The kind of error, for programs. */
      readonly code: string;
      readonly message: string;
      /** The position in the text of the request, from 1. */
      readonly line?: number;
      readonly column?: number;
    };
  };
}

function controlAnswer(status: number, code: string, message: string, position = {}): ErrorAnswer {
  return { status, body: { error: { code, message, ...position } } };
}

/** Express's own errors, such as for a body that is too large, have a status and a text for users. */
function isHttpError(thrown: unknown): thrown is Error & { readonly status: number } {
  return thrown instanceof Error && "status" in thrown && typeof thrown.status === "number" && "expose" in thrown;
}

/** The answer to any thrown error. An unexpected error shows no details. */
export function errorAnswer(thrown: unknown): ErrorAnswer {
  if (thrown instanceof ControlError) return controlAnswer(thrown.status, "bad-request", thrown.message);
  if (thrown instanceof FakeError) {
    const { position } = thrown;
    return controlAnswer(
      400,
      thrown.code,
      thrown.message,
      position && { line: position.line, column: position.column },
    );
  }
  if (thrown instanceof HttpError) return controlAnswer(thrown.status, "bad-request", thrown.message);
  if (thrown instanceof CallError) return controlAnswer(400, thrown.code, thrown.message);
  if (isHttpError(thrown) && thrown.status < 500) return controlAnswer(thrown.status, "bad-request", thrown.message);
  return controlAnswer(500, "internal", "internal error");
}
