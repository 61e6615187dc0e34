// What people see who open a server's address in a browser: the API as a page, without anything from elsewhere.
import { create } from "@bufbuild/protobuf";
import { serviceOf } from "@roundtrip/contract/service";
import { bearerAuthentication, requestId } from "@roundtrip/service";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { apiPage } from "../../styles/src/rest/pages/api-page.ts";
import { openApi, openApiDocument } from "../../styles/src/rest/openapi/openapi.ts";
import { conformanceContract } from "@roundtrip/conformance";
import { compileContract } from "./support/compile-contract.ts";
import { contract, helloService } from "./support/hello.ts";
import { library } from "./support/library.ts";
import { pairOf } from "./support/pair.ts";
import { restStack } from "./support/stacks-under-test.ts";

const greeting = helloService(() => "x");

test("/docs shows every operation, and /openapi.yaml is the document", async () => {
  const { server } = await pairOf(restStack, greeting);
  const page = await fetch(`${server.url}/docs`);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const text = await page.text();
  for (const path of Object.keys(openApiDocument(contract)["paths"] as object)) expect(text).toContain(`>${path}<`);
  expect(text).toContain(`curl &#39;${server.url}/v1/hello?name=…&#39;`);
  const yaml = await fetch(`${server.url}/openapi.yaml`);
  expect([yaml.headers.get("content-type"), await yaml.text()]).toEqual([
    "application/yaml; charset=utf-8",
    openApi(contract),
  ]);
});

test("the page runs no script and loads nothing, and a policy says so", async () => {
  const { server } = await pairOf(restStack, greeting);
  const page = await fetch(`${server.url}/docs`);
  const text = await page.text();
  expect(text).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
  const [, style = ""] = /<style>([^]*)<\/style>/.exec(text) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = page.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
});

test("every link within the page leads somewhere, for any contract", () => {
  for (const each of [contract, library, conformanceContract()]) {
    const text = apiPage(openApiDocument(each), "http://localhost", new Map());
    for (const [, id] of text.matchAll(/href="#([^"]*)"/g)) expect(text).toContain(`id="${id}"`);
    expect(text).not.toMatch(/\[object|undefined/);
  }
});

test("what a contract says in its comments is text, whatever is in it", () => {
  const hostile = compileContract(`
    syntax = "proto3";
    package hostile.v1;
    // <script>alert(1)</script> & "more".
    service Hostile {
      // Does <img src=x onerror=alert(1)> things.
      rpc Do(Thing) returns (Thing);
    }
    message Thing { string text = 1; }
  `);
  const text = apiPage(openApiDocument(hostile), 'http://"><script>', new Map());
  expect(text).not.toMatch(/<script|<img/);
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
});

test("pages answer HEAD and OPTIONS, and 405 for anything else", async () => {
  const { server } = await pairOf(restStack, greeting);
  const ask = (method: string) => fetch(`${server.url}/docs`, { method });
  expect([(await ask("HEAD")).status, await (await ask("HEAD")).text()]).toEqual([200, ""]);
  const options = await ask("OPTIONS");
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  const post = await ask("POST");
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

test("a contract that has something at such a path keeps it", async () => {
  const own = compileContract(`
    syntax = "proto3";
    package own.v1;
    import "google/api/annotations.proto";
    service Own {
      rpc Docs(Thing) returns (Thing) {
        option (google.api.http) = {get: "/docs"};
      }
      rpc Write(Thing) returns (Thing) {
        option (google.api.http) = {post: "/openapi.yaml"};
      }
    }
    message Thing { string text = 1; }
  `);
  const docs = own.operation("own.v1.Own.Docs");
  const { server } = await pairOf(restStack, serviceOf(own, new Map([[docs.id, () => create(docs.output)]])));
  expect(await (await fetch(`${server.url}/docs`)).text()).toBe("{}");
  const other = await fetch(`${server.url}/openapi.yaml`);
  expect([other.status, other.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
});

test("where a token is asked for, pages ask for it too, as a call does; verifiers are asked about reflection", async () => {
  const asked: string[] = [];
  const verify = (token: string, { id }: { readonly id: string }) => {
    asked.push(id);
    return token === "good" ? "allowed" : token === "poor" ? "forbidden" : "unknown";
  };
  const { server } = await pairOf(restStack, requestId()(bearerAuthentication(verify)(greeting)));
  const ask = async (path: string, token: string) => {
    const headers = { ...(token === "" ? {} : { authorization: `Bearer ${token}` }), "x-request-id": "mine" };
    const response = await fetch(`${server.url}${path}`, { headers });
    await response.arrayBuffer();
    return [response.status, response.headers.get("www-authenticate"), response.headers.get("x-request-id")];
  };
  for (const path of ["/docs", "/openapi.yaml"]) {
    expect(await ask(path, "")).toEqual([401, "Bearer", "mine"]);
    expect(await ask(path, "bad")).toEqual([401, "Bearer", "mine"]);
    expect(await ask(path, "poor")).toEqual([403, null, "mine"]);
    expect(await ask(path, "good")).toEqual([200, null, "mine"]);
  }
  expect(new Set(asked)).toEqual(new Set(["grpc.reflection.v1.ServerReflection.ServerReflectionInfo"]));
});
