// The form of a stream by the Accept header.
import { notAcceptable, preferredType } from "../../shared/http/accept.ts";
import type { StreamForm } from "../streams/stream-form.ts";

/** The form of a stream that the caller prefers. Throws 406 if it accepts none. */
export function acceptedForm(accept: string | undefined, forms: readonly [StreamForm, ...StreamForm[]]): StreamForm {
  if (accept === undefined || accept === forms[0].type) return forms[0];
  const types = forms.map(({ type }) => type);
  const best = preferredType(accept, types);
  const form = forms.find(({ type }) => type === best);
  if (form === undefined) throw notAcceptable(accept, types.join(" or "));
  return form;
}
