// What the SOAP client makes of answers, also of those that another server wrote.
import { createServer, type IncomingHttpHeaders } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectTo } from "../src/index.ts";
import { caught, clientOf, contract, hello, helloService, pairOf, soapStack } from "./support/pair.ts";
import { envelope, helloNamespace, soap11Namespace, soap12Namespace } from "./support/soap-post.ts";

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
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      sent.push({ headers: request.headers, body: text });
      response.writeHead(status, { "content-type": type }).end(body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

async function asked(status: number, body: string): Promise<string> {
  const { url } = await answering(status, "text/xml", body);
  const client = await clientOf(
    soapStack,
    helloService(() => ""),
    { url },
  );
  return hello(client, "Ada");
}

function answer(content: string): string {
  return `<r:SayHelloResponse xmlns:r="${helloNamespace}">${content}</r:SayHelloResponse>`;
}

describe("a request", () => {
  test("of SOAP 1.1 has the type text/xml, and its action in a header", async () => {
    const { url, sent } = await answering(200, "text/xml", envelope(answer("<message>hi</message>")));
    const client = await clientOf(
      soapStack,
      helloService(() => ""),
      { url },
    );
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
    const client = await clientOf(
      soapStack,
      helloService(() => ""),
      { url },
    );
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

describe("a fault of another server", () => {
  test.each([
    ["of the caller", 500, fault11("e:Client.Authentication"), "INVALID_ARGUMENT"],
    ["of the server", 500, fault11("e:Server"), "UNKNOWN"],
    ["about a header", 500, fault11("e:MustUnderstand"), "UNIMPLEMENTED"],
    ["with a detail of its own", 500, fault11("e:Server", "<detail><code>NOT_FOUND</code></detail>"), "UNKNOWN"],
    ["with status 200", 200, fault11("e:Client"), "INVALID_ARGUMENT"],
    [
      "of SOAP 1.2",
      400,
      envelope(
        '<e:Fault><e:Code><e:Value>e:Sender</e:Value></e:Code><e:Reason><e:Text xml:lang="en">it broke</e:Text></e:Reason></e:Fault>',
        "",
        soap12Namespace,
      ),
      "INVALID_ARGUMENT",
    ],
  ])("%s has a canonical code", async (_what, status, body, code) => {
    expect(await caught(asked(status, body))).toMatchObject({ code, message: "SOAP fault: it broke" });
  });
});

test.each([
  [502, "<html><body>Bad Gateway</body></html>", "UNAVAILABLE", "HTTP 502: Bad Gateway"],
  [404, "", "NOT_FOUND", "HTTP 404: Not Found"],
  [500, envelope("<other/>"), "UNKNOWN", "HTTP 500: Internal Server Error"],
])("an error without a fault has the code of its status: %i", async (status, body, code, message) => {
  expect(await caught(asked(status, body))).toMatchObject({ code, message });
});

test("the whole contract of a call goes over SOAP 1.2 as over SOAP 1.1: metadata, deadline, error", async () => {
  const service = helloService(({ name }, { metadata, answerMetadata }) => {
    answerMetadata.set("x-said", metadata.get("x-say") ?? "");
    return name === "slow" ? new Promise(() => {}) : name;
  });
  const { client } = await pairOf(soapStack, service, { connect: { settings: { soapVersion: "1.2" } } });
  const heard: (string | undefined)[] = [];
  const onMetadata = (metadata: ReadonlyMap<string, string>) => void heard.push(metadata.get("x-said"));
  expect(await hello(client, "Ada", { metadata: new Map([["x-say", "yes"]]), onMetadata })).toBe("Ada");
  expect(heard).toEqual(["yes"]);
  expect((await caught(hello(client, "slow", { timeoutMs: 50 }))).code).toBe("DEADLINE_EXCEEDED");
});
