// The pages and documents that servers show to browsers: their content, who may read them, and that they load nothing.
import { create } from "@bufbuild/protobuf";
import { serviceOf } from "@roundtrip/contract/service";
import { bearerAuthentication, realService, requestId } from "@roundtrip/service";
import { loadStyle } from "@roundtrip/styles";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { compileContract } from "./support/compile-contract.ts";
import { contract, graphqlStack, helloService, jsonRpcStack, pairOf, restStack, soapStack } from "./support/pair.ts";

const greeting = helloService(() => "x");
const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

describe.each([
  { style: "rest", stack: restStack, path: "/docs" },
  { style: "json-rpc", stack: jsonRpcStack, path: "" },
  { style: "soap", stack: soapStack, path: "" },
  { style: "graphql", stack: graphqlStack, path: "" },
])("the page of $style", ({ style: name, stack, path }) => {
  test("shows every operation in the style's notation, runs no script, and loads nothing", async () => {
    const { server } = await pairOf(stack, greeting);
    const response = await fetch(`${server.url}${path}`, { headers: browser });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const text = await response.text();
    const style = await loadStyle(name);
    for (const operation of contract.operations) {
      const { signature } = style.view(operation, contract);
      expect(text).toContain(`<details id="${operation.id}">`);
      expect(text).toContain(signature.replaceAll("&", "&amp;").replaceAll(">", "&gt;"));
    }
    expect(text).not.toMatch(/<script|<link|<img|src=|@import|url\(|\[object|undefined/);
    const [, sheet = ""] = /<style>([^]*)<\/style>/.exec(text) ?? [];
    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(sheet).digest("base64")}'`);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("escapes comments of the contract", async () => {
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
    const { server } = await pairOf(stack, serviceOf(hostile, new Map()));
    const text = await (await fetch(`${server.url}${path}`, { headers: browser })).text();
    expect(text).not.toMatch(/<script|<img/);
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });
});

describe("REST", () => {
  test("pages answer HEAD and OPTIONS, and 405 for anything else", async () => {
    const { server } = await pairOf(restStack, greeting);
    const ask = (method: string) => fetch(`${server.url}/docs`, { method });
    expect([(await ask("HEAD")).status, await (await ask("HEAD")).text()]).toEqual([200, ""]);
    const options = await ask("OPTIONS");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    const post = await ask("POST");
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("/openapi.yaml is the document of the style", async () => {
    const { server } = await pairOf(restStack, greeting);
    const yaml = await fetch(`${server.url}/openapi.yaml`);
    const [document] = await (await loadStyle("rest")).documents(contract);
    expect([yaml.headers.get("content-type"), await yaml.text()]).toEqual([
      "application/yaml; charset=utf-8",
      document?.text,
    ]);
  });

  test("routes of the contract take precedence over pages", async () => {
    const own = compileContract(`
      syntax = "proto3";
      package own.v1;
      import "google/api/annotations.proto";
      service Own {
        rpc Docs(Thing) returns (Thing) { option (google.api.http) = {get: "/docs"}; }
        rpc Write(Thing) returns (Thing) { option (google.api.http) = {post: "/openapi.yaml"}; }
      }
      message Thing { string text = 1; }
    `);
    const docs = own.operation("own.v1.Own.Docs");
    const { server } = await pairOf(restStack, serviceOf(own, new Map([[docs.id, () => create(docs.output)]])));
    expect(await (await fetch(`${server.url}/docs`)).text()).toBe("{}");
    const write = await fetch(`${server.url}/openapi.yaml`);
    expect([write.status, write.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
  });

  test("pages need the token that calls need; verifiers are asked about reflection", async () => {
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
});

describe("SOAP", () => {
  test("the WSDL is at ?wsdl, and has the address that it was fetched from", async () => {
    const { server } = await pairOf(soapStack, greeting);
    const response = await fetch(`${server.url}?wsdl`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/xml; charset=utf-8"]);
    const text = await response.text();
    expect(text).toContain(`<soap11:address location="${server.url}"/>`);
    expect(text).toContain(`<soap12:address location="${server.url}"/>`);
    const head = await fetch(`${server.url}?WSDL`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(Buffer.byteLength(text))]);
  });
});

test.each([
  { who: "a program that asks for JSON", url: "", headers: { accept: "application/json" }, status: 400 },
  { who: "a browser with a query", url: "?query={__typename}", headers: browser, status: 200 },
])("$who gets JSON from GraphQL", async ({ url, headers, status }) => {
  const { server } = await pairOf(graphqlStack, realService(contract));
  const response = await fetch(`${server.url}${url}`, { headers });
  expect([response.status, response.headers.get("content-type")]).toEqual([status, expect.stringContaining("json")]);
});
