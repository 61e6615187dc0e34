// Routes that a server library's own router matches like ours.
import type { HttpBinding } from "@roundtrip/contract";
import { expect, test } from "vitest";
import { parsePathTemplate } from "../../contract/src/descriptors/path-template.ts";
import { Router } from "../src/rest/router.ts";
import { arePlain, plainSegments } from "../src/rest/server.ts";

function bindingsOf(...routes: readonly string[]): readonly HttpBinding[] {
  return routes.map((route) => {
    const [method = "", path = ""] = route.split(" ");
    return { method, path: parsePathTemplate(path), body: "", responseBody: "" };
  });
}

const bindings = bindingsOf(
  "GET /v1/customers",
  "GET /v1/customers/{id}",
  "DELETE /v1/customers/{id}",
  "GET /v1/customers/me",
  "GET /v1/customers/{id}/name",
  "GET /v1/{name=shelves/*/books/*}",
  "POST /v1/customers/{id}:publish",
  "GET /v1/files/{name}/meta",
  "GET /v1/files/odd.name/{x}",
  "GET /v2/{parent=documents/**}",
  "GET /v2/{a}",
  "GET /v2/{a}/{b}",
  "GET /v3/{a}/{b}",
  "* /v1/any",
);
const plain = plainSegments(bindings);

function nameOf({ method, path }: HttpBinding): string {
  return `${method} ${path.source}`;
}

test("are those of literal and whole segments, unless another route takes some of their paths", () => {
  expect(
    [...plain].map(([binding, segments]) => [nameOf(binding), segments.map((text) => text ?? "?").join("/")]),
  ).toEqual([
    ["GET /v1/customers", "v1/customers"],
    ["GET /v1/customers/{id}", "v1/customers/?"],
    ["DELETE /v1/customers/{id}", "v1/customers/?"],
    ["GET /v1/customers/me", "v1/customers/me"],
    ["GET /v1/customers/{id}/name", "v1/customers/?/name"],
    ["GET /v1/{name=shelves/*/books/*}", "v1/shelves/?/books/?"],
    ["GET /v3/{a}/{b}", "v3/?/?"],
  ]);
});

/** What a router of a library finds: literals before anything else, of one method. */
function foundByLibrary(method: string, segments: readonly string[]): HttpBinding | undefined {
  const fitting = [...plain].filter(
    ([binding, pattern]) =>
      binding.method === method &&
      pattern.length === segments.length &&
      pattern.every((text, index) => text === undefined || text === segments[index]),
  );
  return fitting.toSorted(([, a], [, b]) => {
    const first = a.findIndex((text, index) => (text === undefined) !== (b[index] === undefined));
    return first === -1 ? 0 : a[first] === undefined ? 1 : -1;
  })[0]?.[0];
}

test("a library matches a plain path like our router", () => {
  const router = new Router<HttpBinding>();
  for (const binding of bindings) router.add(binding, binding);
  const texts = [
    "v1",
    "v2",
    "v3",
    "customers",
    "me",
    "files",
    "odd.name",
    "meta",
    "documents",
    "any",
    "1:publish",
    "%6de",
    "",
  ];
  const paths = texts.flatMap((a) => [[a], ...texts.flatMap((b) => [[a, b], ...texts.map((c) => [a, b, c])])]);
  const found = paths.flatMap((segments) =>
    ["GET", "DELETE", "POST"].flatMap((method) => {
      const binding = arePlain(segments) ? foundByLibrary(method, segments) : undefined;
      return binding === undefined ? [] : [{ method, path: `/${segments.join("/")}`, name: nameOf(binding) }];
    }),
  );
  expect(found.length).toBeGreaterThan(20);
  for (const { method, path, name } of found) {
    const ours = router.match(method, path);
    expect(`${path}: ${name}`).toBe(`${path}: ${ours === undefined ? "" : nameOf(ours.target)}`);
  }
});
