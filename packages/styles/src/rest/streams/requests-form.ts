// How a client writes a request stream: as JSON lines, or as the bytes of a field.
import type { DescField, Message } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import { badRequest } from "../../shared/proto-json/bad-request.ts";
import type { ClientRoute } from "../calling/client-route.ts";
import { rawBodyOf, requestHttpBody, type HttpBodyPlace } from "../http-body.ts";
import { linesType } from "./lines.ts";
import { octetsOf, octetsType, requestOctets, withoutOctets } from "./octets.ts";

export interface RequestsForm {
  /** The media type of the stream, by its first request; undefined for none. */
  readonly typeOf: (first: Message) => string | undefined;
  readonly urlOf: (request: Message) => string;
  /** The request's part of the body. Throws if the request has another URL. */
  readonly piece: (request: Message, url: string) => Uint8Array;
}

function checkRoute(url: string, other: string): void {
  if (other !== url) throw badRequest(`the requests of one stream must have the same URL: ${url}, ${other}`);
}

function linesForm({ write }: ClientRoute): RequestsForm {
  return {
    typeOf: () => linesType,
    urlOf: (request) => write(request).url,
    piece(request, url) {
      const written = write(request);
      checkRoute(url, written.url);
      return Buffer.from(`${(written.body as string | undefined) ?? "null"}\n`);
    },
  };
}

function octetsForm({ write }: ClientRoute, field: DescField): RequestsForm {
  const urlOf = (request: Message): string => write(withoutOctets(request, field)).url;
  const isBytesAlone = field.parent.fields.length === 1;
  return {
    typeOf: () => octetsType,
    urlOf,
    piece(request, url) {
      if (!isBytesAlone) checkRoute(url, urlOf(request));
      return octetsOf(request, field);
    },
  };
}

function rawForm({ write }: ClientRoute, place: HttpBodyPlace): RequestsForm {
  return {
    typeOf: (first) => write(first).type,
    urlOf: (request) => write(request).url,
    piece(request, url) {
      checkRoute(url, write(request).url);
      return rawBodyOf(request, place).bytes;
    },
  };
}

export function requestsForm(operation: Operation, route: ClientRoute): RequestsForm {
  const raw = requestHttpBody(operation, route.binding);
  if (raw !== undefined) return rawForm(route, raw);
  const octets = requestOctets(operation, route.binding);
  return octets === undefined ? linesForm(route) : octetsForm(route, octets);
}

/** The pieces of a body. Throws if a request belongs to another URL. */
export async function* piecesOf(requests: AsyncIterable<Message>, { piece }: RequestsForm, url: string) {
  for await (const request of requests) yield piece(request, url);
}
