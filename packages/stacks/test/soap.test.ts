// SOAP as other clients and servers speak it: versions, actions, headers that must be understood, faults, and what HTTP itself has to say.
import { CallError } from "@roundtrip/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  caught,
  clientOf,
  contract,
  hello,
  helloService,
  pairOf,
  soapStack,
  greeting,
  silent,
} from "./support/pair.ts";
import type { IncomingHttpHeaders } from "node:http";
import { connectTo, type RunningServer } from "../src/index.ts";
import { answeringServer } from "./support/wire.ts";

const soap11Namespace = "http://schemas.xmlsoap.org/soap/envelope/";
const soap12Namespace = "http://www.w3.org/2003/05/soap-envelope";

const soap11Type = "text/xml; charset=utf-8";
const soap12Type = "application/soap+xml; charset=utf-8";

const helloNamespace = "urn:protobuf:service:roundtrip:v1:HelloService";

/** An envelope of SOAP 1.1 around the content of a body. */
function envelope(body: string, header = "", namespace = soap11Namespace): string {
  return `<e:Envelope xmlns:e="${namespace}">${header}<e:Body>${body}</e:Body></e:Envelope>`;
}

/** The body of a call of SayHello. */
function sayHelloText(content: string): string {
  return `<h:SayHello xmlns:h="${helloNamespace}">${content}</h:SayHello>`;
}

interface SoapAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The canonical code in the fault; undefined without one. */
  readonly code: string | undefined;
}

/** Posts a body to the endpoint, as SOAP 1.1 unless the headers say otherwise. */
async function soapPost(
  { url }: Pick<RunningServer, "url">,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<SoapAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": soap11Type, ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, code: /<code>(\w+)<\/code>/.exec(text)?.[1] };
}

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

const unprefixed = `<SayHello xmlns="${helloNamespace}"><name xmlns="">Ada</name></SayHello>`;
const schemas = ["-instance", ""].map((end, at) => `xmlns:xs${"id"[at]}="http://www.w3.org/2001/XMLSchema${end}"`);
const typedName = `<name ${schemas.join(" ")} xsi:type="xsd:string">Ada</name>`;
const headerFor = (attributes: string) => `<e:Header><a:b xmlns:a="urn:a" ${attributes}/></e:Header>`;

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
    ["the namespace as the default, and taken back", envelope(unprefixed)],
    ["attributes of XML Schema", envelope(sayHelloText(typedName))],
    ["a header that may be ignored", envelope(helloAda, headerFor('e:mustUnderstand="0"'))],
    ["a header for somebody else", envelope(helloAda, headerFor('e:mustUnderstand="1" e:actor="urn:somebody"'))],
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

  const needed = headerFor('e:mustUnderstand="1"');
  const last = headerFor(`e:mustUnderstand="true" e:role="${soap12Namespace}/role/ultimateReceiver"`);
  test.each([
    ["a version that does not exist", envelope(helloAda, "", "urn:soap:7"), soap11Type, "VersionMismatch"],
    ["the other version's type", envelope(helloAda, "", soap12Namespace), soap11Type, "VersionMismatch"],
    ["a header that must be understood", envelope(helloAda, needed), soap11Type, "MustUnderstand"],
    ["one for whoever receives it last", envelope(helloAda, last, soap12Namespace), soap12Type, "MustUnderstand"],
  ])("answers %s", async (_what, body, type, faultCode) => {
    const { server } = await pairOf(soapStack, greeting);
    const { status, text, code: given } = await soapPost(server, body, { "content-type": type });
    const code = faultCode === "MustUnderstand" ? "UNIMPLEMENTED" : "INVALID_ARGUMENT";
    expect([status, given]).toEqual([500, code]);
    expect(text).toMatch(new RegExp(`>s:${faultCode}<`));
  });
});

test("OPTIONS names the verbs", async () => {
  const { server } = await pairOf(soapStack, greeting);
  const response = await fetch(server.url, { method: "OPTIONS" });
  expect([response.status, response.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, POST"]);
});

// What the SOAP client makes of answers, also of those that another server wrote.

interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that answers every request in the same way, and the requests that it has received. */
async function answering(
  status: number,
  type: string,
  body: string,
): Promise<{ readonly url: string; readonly sent: Sent[] }> {
  const sent: Sent[] = [];
  const url = await answeringServer((response, text, request) => {
    sent.push({ headers: request.headers, body: text });
    response.writeHead(status, { "content-type": type }).end(body);
  });
  return { url, sent };
}

async function asked(status: number, body: string): Promise<string> {
  const { url } = await answering(status, "text/xml", body);
  return hello(await clientOf(soapStack, silent, { url }), "Ada");
}

function answer(content: string): string {
  return `<r:SayHelloResponse xmlns:r="${helloNamespace}">${content}</r:SayHelloResponse>`;
}

describe("a request", () => {
  test("of SOAP 1.1 has the type text/xml, and its action in a header", async () => {
    const { url, sent } = await answering(200, "text/xml", envelope(answer("<message>hi</message>")));
    const client = await clientOf(soapStack, silent, { url });
    expect(await hello(client, "<Ada>\r\n")).toBe("hi");
    expect(sent[0]?.headers).toMatchObject({
      "content-type": "text/xml; charset=utf-8",
      soapaction: `"${helloNamespace}/SayHello"`,
    });
    expect(sent[0]?.body).toBe(
      `<s:Envelope xmlns:s="${soap11Namespace}"><s:Body><m:SayHello xmlns:m="${helloNamespace}">` +
        "<name>&lt;Ada&gt;&#13;\n</name></m:SayHello></s:Body></s:Envelope>",
    );
  });

  test("of SOAP 1.2 has a type of its own, with the action in it", async () => {
    const { url, sent } = await answering(200, "application/soap+xml", envelope(answer(""), "", soap12Namespace));
    const client = await connectTo(soapStack, contract, { url, settings: { soapVersion: "1.2" } });
    onTestFinished(() => client.close());
    expect(await hello(client, "Ada")).toBe("");
    expect(sent[0]?.headers["content-type"]).toBe(
      `application/soap+xml; charset=utf-8; action="${helloNamespace}/SayHello"`,
    );
    expect(sent[0]?.headers).not.toHaveProperty("soapaction");
    expect(sent[0]?.body).toContain(soap12Namespace);
  });

  test("with what XML cannot carry is INVALID_ARGUMENT, and is not sent", async () => {
    const { url, sent } = await answering(200, "text/xml", "");
    const client = await clientOf(soapStack, silent, { url });
    for (const name of ["\u0000", "\u001B[1m", "\uFFFE", "\uD800"]) {
      expect((await caught(hello(client, name))).code).toBe("INVALID_ARGUMENT");
    }
    expect(sent).toEqual([]);
  });
});

test("an answer may have elements that only a newer contract knows, headers and comments", async () => {
  const header = '<e:Header><n:trace xmlns:n="urn:n">1</n:trace></e:Header>';
  const body = answer(
    '<newer a="b"><message>no</message></newer><!-- c --><message>hi</message><n:x xmlns:n="urn:n"/>',
  );
  expect(await asked(200, `<?xml version="1.0"?>${envelope(body, header)}`)).toBe("hi");
});

describe("an answer that is not of the contract is UNKNOWN", () => {
  test.each([
    ["another element", envelope("<other/>")],
    ["no XML", "hello"],
    ["a document type", `<!DOCTYPE a>${envelope(answer(""))}`],
    ["an element of another type", envelope(answer("<message><a/></message>"))],
    ["nothing", ""],
  ])("%s", async (_what, body) => {
    expect(await caught(asked(200, body))).toMatchObject({
      code: "UNKNOWN",
      message: expect.stringContaining("SayHello answered 200"),
    });
  });
});

function fault11(code: string, detail = ""): string {
  return envelope(`<e:Fault><faultcode>${code}</faultcode><faultstring>it broke</faultstring>${detail}</e:Fault>`);
}

const fault12 = envelope(
  '<e:Fault><e:Code><e:Value>e:Sender</e:Value></e:Code><e:Reason><e:Text xml:lang="en">it broke</e:Text></e:Reason></e:Fault>',
  "",
  soap12Namespace,
);

describe("a fault of another server", () => {
  test.each([
    ["of the caller", 500, fault11("e:Client.Authentication"), "INVALID_ARGUMENT"],
    ["of the server", 500, fault11("e:Server"), "UNKNOWN"],
    ["about a header", 500, fault11("e:MustUnderstand"), "UNIMPLEMENTED"],
    ["with a detail of its own", 500, fault11("e:Server", "<detail><code>NOT_FOUND</code></detail>"), "UNKNOWN"],
    ["with status 200", 200, fault11("e:Client"), "INVALID_ARGUMENT"],
    ["of SOAP 1.2", 400, fault12, "INVALID_ARGUMENT"],
  ])("%s has a canonical code", async (_what, status, body, code) => {
    expect(await caught(asked(status, body))).toMatchObject({ code, message: "SOAP fault: it broke" });
  });
});
