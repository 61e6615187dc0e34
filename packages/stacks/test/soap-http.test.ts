// SOAP as other clients speak it: versions, actions, headers that must be understood, faults, and what HTTP itself has to say.
import { CallError } from "@roundtrip/contract";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { helloService, pairOf, soapStack } from "./support/pair.ts";
import {
  envelope,
  helloNamespace,
  sayHelloText,
  soap11Namespace,
  soap11Type,
  soap12Namespace,
  soap12Type,
  soapPost,
} from "./support/soap-post.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);
const helloAda = sayHelloText("<name>Ada</name>");
const action = `${helloNamespace}/SayHello`;

const failing = helloService(({ name }) => {
  if (name === "Eve") throw new TypeError("a secret");
  throw new CallError("NOT_FOUND", `no "${name}" & nobody <like> them`, {
    reason: "GONE",
    domain: "example.org",
    metadata: { shelf: "<1>" },
    violations: [{ field: "name", description: "is too \u0007 short", reason: "min" }],
  });
});

describe("a call", () => {
  test.each([
    ["SOAP 1.1", soap11Namespace, soap11Type],
    ["SOAP 1.2", soap12Namespace, soap12Type],
  ])("is answered in its own version: %s", async (_version, namespace, type) => {
    const { server } = await pairOf(soapStack, greeting);
    const { status, headers, text } = await soapPost(server, envelope(helloAda, "", namespace), {
      "content-type": type,
    });
    expect([status, headers.get("content-type")]).toEqual([200, type]);
    expect(text).toBe(
      `<s:Envelope xmlns:s="${namespace}"><s:Body><m:SayHelloResponse xmlns:m="${helloNamespace}">` +
        "<message>Hello, Ada!</message></m:SayHelloResponse></s:Body></s:Envelope>",
    );
  });

  test.each([
    ["a declaration and a byte order mark", `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n${envelope(helloAda)}\n`],
    ["comments and white space", envelope(`\n <!-- a --> ${sayHelloText("\n <name>Ada</name> <!-- b --> \n")}\n`)],
    ["CDATA and references", envelope(sayHelloText("<name>A<![CDATA[d]]>&#97;</name>"))],
    [
      "the namespace as the default, and taken back",
      envelope(`<SayHello xmlns="${helloNamespace}"><name xmlns="">Ada</name></SayHello>`),
    ],
    [
      "attributes of XML Schema",
      envelope(
        sayHelloText(
          '<name xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xsi:type="xsd:string">Ada</name>',
        ),
      ),
    ],
    [
      "a header that may be ignored",
      envelope(helloAda, '<e:Header><a:b xmlns:a="urn:a" e:mustUnderstand="0"/></e:Header>'),
    ],
    [
      "a header for somebody else",
      envelope(helloAda, '<e:Header><a:b xmlns:a="urn:a" e:mustUnderstand="1" e:actor="urn:somebody"/></e:Header>'),
    ],
  ])("may have %s", async (_what, body) => {
    const { server } = await pairOf(soapStack, greeting);
    const { status, text } = await soapPost(server, body);
    expect([status, text.includes("Hello, Ada!")]).toEqual([200, true]);
  });

  test.each([
    ["its action", { soapaction: `"${action}"` }],
    ["an empty action", { soapaction: '""' }],
    ["no action", {}],
  ])("may name %s", async (_what, headers) => {
    const { server } = await pairOf(soapStack, greeting);
    expect((await soapPost(server, envelope(helloAda), headers)).status).toBe(200);
  });

  test("may be compressed", async () => {
    const { server } = await pairOf(soapStack, greeting);
    const bytes = Uint8Array.from(gzipSync(envelope(helloAda)));
    expect((await soapPost(server, bytes, { "content-encoding": "gzip" })).status).toBe(200);
  });
});

describe("a call is INVALID_ARGUMENT", () => {
  test.each([
    ["with the action of another operation", envelope(helloAda), { soapaction: '"urn:other"' }],
    ["with a second element in the body", envelope(helloAda + helloAda), {}],
    ["without an element in the body", envelope(""), {}],
    ["without a body", `<e:Envelope xmlns:e="${soap11Namespace}"/>`, {}],
    ["with a header after its body", envelope(helloAda).replace("</e:Body>", "</e:Body><e:Header/>"), {}],
    ["with text between its elements", envelope(`x${helloAda}`), {}],
    ["with another root", "<a/>", {}],
    ["with an unknown element", envelope(sayHelloText("<nonsense>1</nonsense>")), {}],
    ["with an element in a namespace", envelope(sayHelloText("<h:name>Ada</h:name>")), {}],
    ["with an element that occurs twice", envelope(sayHelloText("<name>Ada</name><name>Bob</name>")), {}],
    ["with an element in a text", envelope(sayHelloText("<name>A<b/></name>")), {}],
    ["with an attribute that the schema does not have", envelope(sayHelloText('<name lang="en">Ada</name>')), {}],
    ["with text that is not UTF-8", Buffer.from(envelope(helloAda).replace("Ada", "\u00FF"), "latin1"), {}],
    ["in UTF-16", Buffer.from(`\uFEFF${envelope(helloAda)}`, "utf16le"), {}],
    ["in XML 1.1 with a control character", `<?xml version="1.1"?>${envelope(sayHelloText("<name>&#1;</name>"))}`, {}],
    ["with a name of a JavaScript object as an entity", envelope(sayHelloText("<name>&constructor;</name>")), {}],
  ])("%s", async (_what, body, headers) => {
    const { server } = await pairOf(soapStack, greeting);
    const { status, code, text } = await soapPost(server, Uint8Array.from(Buffer.from(body as string)), headers);
    expect([status, code]).toEqual([500, "INVALID_ARGUMENT"]);
    expect(text).toContain("<faultcode>s:Client</faultcode>");
  });
});

describe("a fault", () => {
  test("of SOAP 1.1 has code, text and a typed detail", async () => {
    const { server } = await pairOf(soapStack, failing);
    const { status, headers, text } = await soapPost(server, envelope(helloAda));
    expect([status, headers.get("content-type")]).toEqual([500, soap11Type]);
    expect(text).toBe(
      `<s:Envelope xmlns:s="${soap11Namespace}"><s:Body><s:Fault><faultcode>s:Client</faultcode>` +
        "<faultstring>no &quot;Ada&quot; &amp; nobody &lt;like&gt; them</faultstring><detail>" +
        '<e:Error xmlns:e="urn:roundtrip:error"><code>NOT_FOUND</code><reason>GONE</reason><domain>example.org</domain>' +
        "<metadata><key>shelf</key><value>&lt;1&gt;</value></metadata><violations><field>name</field>" +
        "<description>is too \uFFFD short</description><reason>min</reason></violations></e:Error>" +
        "</detail></s:Fault></s:Body></s:Envelope>",
    );
  });

  test("of SOAP 1.2 has the canonical code as its subcode, and 400 for the caller's", async () => {
    const { server } = await pairOf(soapStack, failing);
    const { status, headers, text } = await soapPost(server, envelope(helloAda, "", soap12Namespace), {
      "content-type": soap12Type,
    });
    expect([status, headers.get("content-type")]).toEqual([400, soap12Type]);
    expect(text).toContain(
      "<s:Code><s:Value>s:Sender</s:Value><s:Subcode>" +
        '<s:Value xmlns:e="urn:roundtrip:error">e:NOT_FOUND</s:Value></s:Subcode></s:Code>',
    );
    expect(text).toContain('<s:Reason><s:Text xml:lang="en">no &quot;Ada&quot;');
    expect(text).toContain('<s:Detail><e:Error xmlns:e="urn:roundtrip:error"><code>NOT_FOUND</code>');
  });

  test("of the server says nothing of what was thrown", async () => {
    const { server } = await pairOf(soapStack, failing);
    const { status, text } = await soapPost(server, envelope(sayHelloText("<name>Eve</name>")));
    expect(status).toBe(500);
    expect(text).toContain("<faultcode>s:Server</faultcode><faultstring>internal error</faultstring>");
    expect(text).not.toContain("secret");
  });

  test.each([
    [
      "a version that does not exist",
      envelope(helloAda, "", "urn:soap:7"),
      soap11Type,
      "VersionMismatch",
      "INVALID_ARGUMENT",
    ],
    [
      "the other version's type",
      envelope(helloAda, "", soap12Namespace),
      soap11Type,
      "VersionMismatch",
      "INVALID_ARGUMENT",
    ],
    [
      "a header that must be understood",
      envelope(helloAda, '<e:Header><a:b xmlns:a="urn:a" e:mustUnderstand="1"/></e:Header>'),
      soap11Type,
      "MustUnderstand",
      "UNIMPLEMENTED",
    ],
    [
      "a header that must be understood by whoever receives it last",
      envelope(
        helloAda,
        `<e:Header><a:b xmlns:a="urn:a" e:mustUnderstand="true" e:role="${soap12Namespace}/role/ultimateReceiver"/></e:Header>`,
        soap12Namespace,
      ),
      soap12Type,
      "MustUnderstand",
      "UNIMPLEMENTED",
    ],
  ])("answers %s", async (_what, body, type, faultCode, code) => {
    const { server } = await pairOf(soapStack, greeting);
    const answer = await soapPost(server, body, { "content-type": type });
    expect([answer.status, answer.code]).toEqual([500, code]);
    expect(answer.text).toMatch(new RegExp(`>s:${faultCode}<`));
  });
});

describe("HTTP itself refuses", () => {
  test.each([
    ["another verb with 405", "/soap", { method: "DELETE" }, 405, "UNIMPLEMENTED"],
    [
      "another path with 404",
      "/other",
      { method: "POST", body: "x", headers: { "content-type": soap11Type } },
      404,
      "UNIMPLEMENTED",
    ],
    ["a GET with another query with 404", "/soap?other", {}, 404, "UNIMPLEMENTED"],
    [
      "another type with 415",
      "/soap",
      { method: "POST", body: "{}", headers: { "content-type": "application/json" } },
      415,
      "INVALID_ARGUMENT",
    ],
    [
      "another charset with 415",
      "/soap",
      { method: "POST", body: envelope(helloAda), headers: { "content-type": "text/xml; charset=iso-8859-1" } },
      415,
      "INVALID_ARGUMENT",
    ],
    [
      "an answer in another type with 406",
      "/soap",
      { method: "POST", body: envelope(helloAda), headers: { "content-type": soap11Type, accept: "application/json" } },
      406,
      "INVALID_ARGUMENT",
    ],
  ])("%s", async (_what, path, init, status, code) => {
    const { server } = await pairOf(soapStack, greeting);
    const response = await fetch(new URL(path, server.url), init);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(`<code>${code}</code>`);
  });

  test("a body above the limit with 413", async () => {
    const { server } = await pairOf(soapStack, greeting, { serve: { maxMessageBytes: 1_000 } });
    const { status, code } = await soapPost(server, envelope(sayHelloText(`<name>${"x".repeat(1_000)}</name>`)));
    expect([status, code]).toEqual([413, "RESOURCE_EXHAUSTED"]);
  });

  test("nothing of OPTIONS, which names the verbs", async () => {
    const { server } = await pairOf(soapStack, greeting);
    const response = await fetch(server.url, { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, POST"]);
  });
});
