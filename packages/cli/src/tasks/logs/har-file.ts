// Requests of a HAR file (HTTP Archive 1.2), as browsers and proxies export them: with their bodies.
import { isObject } from "@roundtrip/contract";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { plainMediaType, targetOf, type HttpEntry } from "./log-entry.ts";
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

function entryOf(entry: JsonValue): readonly HttpEntry[] {
  const { request, response, startedDateTime } = objectOf(entry);
  const { method, url, postData } = objectOf(request);
  if (textOf(method) === "" || textOf(url) === "") return [];
  const { status } = objectOf(response);
  const sent = objectOf(postData);
  return [
    {
      kind: "http",
      atMs: momentOf(startedDateTime),
      request: {
        method: textOf(method).toUpperCase(),
        target: targetOf(textOf(url)),
        mediaType: plainMediaType(textOf(sent["mimeType"])),
        body: bodyOf(sent),
      },
      status: typeof status === "number" && status > 0 ? status : undefined,
    },
  ];
}

export function isHar(json: JsonValue): boolean {
  return Array.isArray(objectOf(objectOf(json)["log"])["entries"]);
}

export function harEntries(json: JsonValue): readonly HttpEntry[] {
  const { entries } = objectOf(objectOf(json)["log"]);
  return Array.isArray(entries) ? entries.flatMap(entryOf) : [];
}
