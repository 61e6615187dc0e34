// What a SOAP server says of itself: the WSDL for programs, and a page for people.
import { serviceOf } from "@roundtrip/contract/service";
import { conformanceContract } from "@roundtrip/conformance";
import { bearerAuthentication, staticTokens } from "@roundtrip/service";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { soap11 } from "../../styles/src/soap/envelope/soap-version.ts";
import { sampleEnvelope } from "../../styles/src/soap/pages/service-page.ts";
import { contract, helloService } from "./support/hello.ts";
import { library } from "./support/library.ts";
import { pairOf } from "./support/pair.ts";
import { soapPost } from "./support/soap-post.ts";
import { soapStack } from "./support/stacks-under-test.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);

describe("the description", () => {
  test("is at ?wsdl, and names the address that it was fetched from", async () => {
    const { server } = await pairOf(soapStack, greeting);
    const response = await fetch(`${server.url}?wsdl`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/xml; charset=utf-8"]);
    const text = await response.text();
    expect(text).toContain(`<soap11:address location="${server.url}"/>`);
    expect(text).toContain(`<soap12:address location="${server.url}"/>`);
    const head = await fetch(`${server.url}?WSDL`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(Buffer.byteLength(text))]);
  });

  test("is for callers who may call", async () => {
    const { server } = await pairOf(soapStack, bearerAuthentication(staticTokens(["token"]))(greeting));
    const refused = await fetch(`${server.url}?wsdl`);
    expect(await refused.text()).toContain("<code>UNAUTHENTICATED</code>");
    const answered = await fetch(`${server.url}?wsdl`, { headers: { authorization: "Bearer token" } });
    expect(answered.status).toBe(200);
  });
});

describe("the page", () => {
  test("shows each operation with a request to copy, runs no script, and loads nothing", async () => {
    const { server } = await pairOf(soapStack, greeting);
    const response = await fetch(server.url);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const text = await response.text();
    const shown = contract.operations.filter(({ method }) => text.includes(`<code>${method.name}</code>`));
    expect(shown).toEqual(contract.operations.filter(({ kind }) => kind === "unary"));
    expect(text).toContain(`curl &#39;${server.url}&#39;`);
    expect(text).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
    const [, sheet = ""] = /<style>([^]*)<\/style>/.exec(text) ?? [];
    const hash = createHash("sha256").update(sheet).digest("base64");
    expect(response.headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}'`);
  });

  test.each([contract, conformanceContract(), library])(
    "has requests that the schema allows, for any contract",
    async (any) => {
      const { server } = await pairOf(soapStack, serviceOf(any, new Map()));
      for (const operation of any.operations.filter(({ kind }) => kind === "unary")) {
        const sample = sampleEnvelope(operation, operation.method.name, soap11);
        const { text } = await soapPost(server, sample);
        // A rule of the contract may refuse a sample, and nobody handles it.
        expect(text).toMatch(/<code>UNIMPLEMENTED<|<violations>/);
        expect(text).not.toContain("<reason>xml</reason>");
      }
    },
  );

  test("shows an empty message as an empty element: its schema allows no white space", async () => {
    const { server } = await pairOf(soapStack, greeting);
    const text = await (await fetch(server.url)).text();
    expect(text).toMatch(/&lt;m:DeleteCustomerResponse xmlns:m=&quot;[^&]*&quot;\/&gt;/);
  });
});
