// The form of a stream by the Accept header, or by the dialect.
import { notAcceptable, preferredType } from "../../shared/http/accept.ts";
import type { Route } from "../routing/routes.ts";
import { eventsType, type StreamForm } from "../streams/stream-form.ts";

interface StreamWish {
  readonly accept: string | undefined;
  readonly query: string;
}

/** Google's parameter for a stream of events. */
const asksForEvents = /(?:^|&)(?:\$|%24)?alt=sse(?:&|$)/;

/** The form of a stream that the caller prefers. Throws 406 if it accepts none. */
export function acceptedForm(
  { accept, query }: StreamWish,
  { forms, dialect }: Pick<Route, "forms" | "dialect">,
): StreamForm {
  if (forms[0].raw !== undefined) return forms[0];
  if (dialect.streams === "array" && asksForEvents.test(query)) {
    return forms.find(({ type }) => type === eventsType) ?? forms[0];
  }
  if (accept === undefined || accept === forms[0].type || !dialect.checksAccept) return forms[0];
  const types = forms.map(({ type }) => type);
  const best = preferredType(accept, types);
  const form = forms.find(({ type }) => type === best);
  if (form === undefined) throw notAcceptable(accept, types.join(" or "));
  return form;
}
