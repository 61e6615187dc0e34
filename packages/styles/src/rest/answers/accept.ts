// Judges the Accept header, before the call runs.
import { CallError } from "@roundtrip/contract";
import Negotiator from "negotiator";
import { HttpError } from "../../shared/http/http-error.ts";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import type { StreamForm } from "../streams/stream-form.ts";

function notAcceptable(accept: string, offered: string): HttpError {
  return new HttpError(406, new CallError("INVALID_ARGUMENT", `the answer is ${offered}, not ${accept}`));
}

/** The caller's preferred media type; undefined if it accepts none. Ignores a UTF-8 charset, which JSON does not define (RFC 8259, section 11). */
function liked<T extends string>(accept: string, types: readonly T[]): T | undefined {
  // An empty header means no header.
  if (accept === "") return types[0];
  const offered = types.flatMap((type) => [type, `${type};charset=utf-8`]);
  const [found] = new Negotiator({ headers: { accept } }).mediaTypes(offered);
  return types.find((type) => found === type || found === `${type};charset=utf-8`);
}

/** Throws 406 if the caller does not accept JSON. */
export function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === "*/*" || accept === jsonMediaType) return;
  if (liked(accept, [jsonMediaType]) === undefined) throw notAcceptable(accept, jsonMediaType);
}

/** The form of a stream that the caller prefers. Throws 406 if it accepts none. */
export function acceptedForm(accept: string | undefined, forms: readonly [StreamForm, ...StreamForm[]]): StreamForm {
  if (accept === undefined || accept === forms[0].type) return forms[0];
  const types = forms.map(({ type }) => type);
  const best = liked(accept, types);
  const form = forms.find(({ type }) => type === best);
  if (form === undefined) throw notAcceptable(accept, types.join(" or "));
  return form;
}
