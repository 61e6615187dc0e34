// Requests of a HAR file (HTTP Archive 1.2), as browsers and proxies export them: with their bodies.
import { isObject } from "@roundtrip/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isAnsweredBy, plainMediaType, targetOf, type HttpEntry } from "./log-entry.ts";
import { momentOf } from "./log-time.ts";

function objectOf(json: JsonValue | undefined): JsonObject {
  return isObject(json) ? json : {};
}

function textOf(json: JsonValue | undefined): string {
  return typeof json === "string" ? json : "";
}

/** A body in base64 is no part of HAR 1.2 for requests, but several programs write it with the comment or encoding that responses have. */
function bodyOf({ text, encoding }: JsonObject): Uint8Array | undefined {
  return typeof text === "string" ? Buffer.from(text, encoding === "base64" ? "base64" : "utf8") : undefined;
}

/** Undefined for an entry without a method or a URL. */
function entryOf(entry: JsonValue): HttpEntry | undefined {
  const { request, response, startedDateTime } = objectOf(entry);
  const { method, url, postData } = objectOf(request);
  if (textOf(method) === "" || textOf(url) === "") return undefined;
  const { status } = objectOf(response);
  const sent = objectOf(postData);
  return {
    kind: "http",
    atMs: momentOf(startedDateTime),
    request: {
      method: textOf(method).toUpperCase(),
      target: targetOf(textOf(url)),
      mediaType: plainMediaType(textOf(sent["mimeType"])),
      body: bodyOf(sent),
    },
    isAnswered: isAnsweredBy(typeof status === "number" ? status : undefined),
  };
}

export function isHar(json: JsonValue): boolean {
  return Array.isArray(objectOf(objectOf(json)["log"])["entries"]);
}

/** The entries of a HAR file; undefined for each that is no request. */
export function harEntries(json: JsonValue): readonly (HttpEntry | undefined)[] {
  const { entries } = objectOf(objectOf(json)["log"]);
  return Array.isArray(entries) ? entries.map(entryOf) : [];
}
