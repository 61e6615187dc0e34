// Whether a caller can read what would be answered: asked before anything is done for it.
import { CallError } from "@roundtrip/contract";
import { HttpError } from "../../http/http-error.ts";
import { jsonMediaType } from "../../http/json-body.ts";
import type { StreamForm } from "../streams/stream-form.ts";

/** The media type that an Accept header prefers among some; undefined when it accepts none of them. */
export type PreferredType = (accept: string, types: readonly string[]) => string | undefined;

function notAcceptable(accept: string, offered: string): HttpError {
  return new HttpError(406, new CallError("INVALID_ARGUMENT", `the answer is ${offered}, not ${accept}`));
}

/**
 * The media type that the caller likes best of some; undefined when it can read none. Callers who ask for a charset get it: all that
 * is sent is UTF-8, although JSON has no such parameter (RFC 8259, section 11).
 */
function liked<T extends string>(accept: string, types: readonly T[], preferred: PreferredType): T | undefined {
  const found = preferred(
    accept,
    types.flatMap((type) => [type, `${type};charset=utf-8`]),
  );
  return types.find((type) => found === type || found === `${type};charset=utf-8`);
}

/** Throws 406 for a caller who cannot read JSON. */
export function checkAccept(accept: string | undefined, preferred: PreferredType): void {
  if (accept === undefined || accept === "*/*" || accept === jsonMediaType) return;
  if (liked(accept, [jsonMediaType], preferred) === undefined) throw notAcceptable(accept, jsonMediaType);
}

/** The form of a stream that a caller likes best. Throws 406 when it can read none. */
export function acceptedForm(
  accept: string | undefined,
  forms: readonly [StreamForm, ...StreamForm[]],
  preferred: PreferredType,
): StreamForm {
  if (accept === undefined || accept === forms[0].type) return forms[0];
  const types = forms.map(({ type }) => type);
  const best = liked(accept, types, preferred);
  const form = forms.find(({ type }) => type === best);
  if (form === undefined) throw notAcceptable(accept, types.join(" or "));
  return form;
}
