// Whether a caller can read what would be answered: asked before anything is done for it.
import { CallError } from "@roundtrip/contract";
import type { Request } from "express";
import { problemType } from "./errors.ts";
import { HttpError } from "../http-error.ts";
import type { StreamForm } from "./stream-form.ts";

function notAcceptable(accept: string, offered: string): HttpError {
  return new HttpError(406, new CallError("INVALID_ARGUMENT", `the answer is ${offered}, not ${accept}`));
}

/** Throws 406 for a caller who cannot read JSON. */
export function checkAccept(request: Request): void {
  const { accept } = request.headers;
  if (accept === undefined || accept === "*/*" || accept === "application/json") return;
  if (request.accepts("json", problemType) === false) throw notAcceptable(accept, "application/json");
}

/** The form of a stream that a caller likes best. Throws 406 when it can read none. */
export function acceptedForm(request: Request, forms: readonly [StreamForm, ...StreamForm[]]): StreamForm {
  const { accept } = request.headers;
  if (accept === undefined || accept === forms[0].type) return forms[0];
  const types = forms.map(({ type }) => type);
  const liked = request.accepts(types);
  const form = forms.find(({ type }) => type === liked);
  if (form === undefined) throw notAcceptable(accept, types.join(" or "));
  return form;
}
