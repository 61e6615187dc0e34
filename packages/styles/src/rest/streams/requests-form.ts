// How a client writes a stream of requests into a body: as lines of JSON, or as the bytes of a field.
import type { DescField, Message } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import { badRequest } from "../requests/bad-request.ts";
import type { CalledPlace } from "../calling/called-place.ts";
import { linesType } from "./lines.ts";
import { octetsOf, octetsType, requestOctets, withoutOctets } from "./octets.ts";

/** Writes the requests of a stream. */
export interface RequestsForm {
  readonly type: string;
  /** Where a request belongs. */
  readonly urlOf: (request: Message) => string;
  /** The request's part of the body. Throws when it does not belong to this place. */
  readonly piece: (request: Message, url: string) => Uint8Array;
}

function checkPlace(url: string, other: string): void {
  if (other !== url) throw badRequest(`the requests of one stream are all for one place: ${url}, ${other}`);
}

function linesForm({ write }: CalledPlace): RequestsForm {
  return {
    type: linesType,
    urlOf: (request) => write(request).url,
    piece(request, url) {
      const written = write(request);
      checkPlace(url, written.url);
      return Buffer.from(`${written.body ?? "null"}\n`);
    },
  };
}

function octetsForm({ write }: CalledPlace, field: DescField): RequestsForm {
  const urlOf = (request: Message): string => write(withoutOctets(request, field)).url;
  const isBytesAlone = field.parent.fields.length === 1;
  return {
    type: octetsType,
    urlOf,
    piece(request, url) {
      if (!isBytesAlone) checkPlace(url, urlOf(request));
      return octetsOf(request, field);
    },
  };
}

/** The form of an operation's requests. */
export function requestsForm(operation: Operation, place: CalledPlace): RequestsForm {
  const octets = requestOctets(operation, place.binding);
  return octets === undefined ? linesForm(place) : octetsForm(place, octets);
}

/** The pieces of a body: each request's, as long as all of them belong to one place. */
export async function* piecesOf(requests: AsyncIterable<Message>, { piece }: RequestsForm, url: string) {
  for await (const request of requests) yield piece(request, url);
}
