// The SOAP server that a specialist would write for hello and customers on node:http: one parser, a switch over the levels of the document, and text.
// It listens like the stack, and reads SOAP 1.1. Errors, which are not timed, use the code of the stack.
import { CallError } from "@roundtrip/contract";
import type { Customer } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { deadlineHeader, deadlineOf, serveHttp } from "@roundtrip/stacks/parts";
import { faultText, soap11, writeFault } from "@roundtrip/styles/soap/parts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { SaxesParser } from "saxes";
import { checkId, checkPaths, customerOf, deadlineExceeded, greetingOf } from "./customers.ts";
import type { ServeHandWritten } from "./hand-written.ts";

const hello = "urn:protobuf:service:roundtrip:v1:HelloService";
const customers = "urn:protobuf:service:roundtrip:v1:CustomerService";
const type = soap11.contentType;
const begin = `<s:Envelope xmlns:s="${soap11.namespace}"><s:Body>`;
const end = "</s:Body></s:Envelope>";

function invalid(what: string): CallError {
  return new CallError("INVALID_ARGUMENT", what);
}

/** What a body asks for. */
interface Asked {
  operation: "SayHello" | "GetCustomer" | undefined;
  name: string;
  id: number;
  paths: string[];
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function refuse(): never {
  throw invalid("SOAP allows no document type and no processing instruction");
}

class RequestParser {
  readonly #parser = new SaxesParser({ xmlns: true, position: false, forceXMLVersion: true, defaultXMLVersion: "1.0" });
  #asked: Asked = { operation: undefined, name: "", id: 0, paths: [] };
  #open: string[] = [];
  #text = "";

  constructor() {
    this.#parser.on("doctype", refuse);
    this.#parser.on("processinginstruction", refuse);
    this.#parser.on("opentag", ({ local, uri }) => {
      this.#enter(local, uri);
      this.#open.push(local);
      this.#text = "";
    });
    this.#parser.on("text", (text) => (this.#text += text));
    this.#parser.on("cdata", (text) => (this.#text += text));
    this.#parser.on("closetag", () => this.#leave());
  }

  /** Reads a body. Throws INVALID_ARGUMENT. */
  read(body: Buffer): Asked {
    this.#asked = { operation: undefined, name: "", id: 0, paths: [] };
    this.#open = [];
    this.#parser.write(utf8.decode(body)).close();
    return this.#asked;
  }

  #enter(local: string, uri: string): void {
    const isFitting = this.#fits(local, uri);
    if (!isFitting) throw invalid(`${local} of ${uri} is not expected`);
    if (this.#open.length === 2) this.#asked.operation = local as Asked["operation"];
  }

  #fits(local: string, uri: string): boolean {
    const { operation } = this.#asked;
    switch (this.#open.length) {
      case 0:
        return local === "Envelope" && uri === soap11.namespace;
      case 1:
        return local === "Body" && uri === soap11.namespace;
      case 2:
        return (local === "SayHello" && uri === hello) || (local === "GetCustomer" && uri === customers);
      case 3:
        if (uri !== "") return false;
        return operation === "SayHello" ? local === "name" : local === "id" || local === "read_mask";
      default:
        return local === "paths" && uri === "" && this.#open.length === 4;
    }
  }

  #leave(): void {
    switch (this.#open.pop()) {
      case "name":
        this.#asked.name = this.#text;
        break;
      case "id":
        if (!/^-?\d+$/.test(this.#text)) throw invalid("id: must be an integer");
        this.#asked.id = Number(this.#text);
        break;
      case "paths":
        this.#asked.paths.push(this.#text);
        break;
      default:
    }
  }
}

const markup = /[&<>"\r]/;
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

function element(name: string, text: string): string {
  if (text === "") return "";
  const escaped = markup.test(text) ? text.replaceAll(/[&<>"\r]/g, (character) => escapes[character] ?? "") : text;
  return `<${name}>${escaped}</${name}>`;
}

const attributes: readonly (readonly [string, (customer: Readonly<Customer>) => string])[] = [
  ["id", ({ id }) => String(id)],
  ["name", ({ name }) => name],
  ["address", ({ address }) => address],
  ["vat_identification_number", (customer) => customer.vatIdentificationNumber],
  ["mail", ({ mail }) => mail],
  ["phone_number", ({ phoneNumber }) => phoneNumber],
];

function customerText({ id, paths }: Asked): string {
  checkId(id);
  const isWhole = paths.length === 0 || (paths.length === 1 && paths[0] === "*");
  if (!isWhole) checkPaths(paths);
  const customer = customerOf(id);
  let text = "";
  for (const [name, valueOf] of attributes) {
    if (isWhole || paths.includes(name)) text += element(name, valueOf(customer));
  }
  return `<m:GetCustomerResponse xmlns:m="${customers}">${text}</m:GetCustomerResponse>`;
}

function answerText(asked: Asked): string {
  if (asked.operation === "GetCustomer") return customerText(asked);
  const message = element("message", greetingOf(asked.name));
  return `<m:SayHelloResponse xmlns:m="${hello}">${message}</m:SayHelloResponse>`;
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) }).end(text);
}

export const serve: ServeHandWritten = (options) => {
  let parser = new RequestParser();
  const answer = ({ headers }: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    try {
      if (headers["content-type"] !== type) throw invalid("the body is not SOAP 1.1");
      const timeoutMs = deadlineOf(headers[deadlineHeader]);
      if (timeoutMs !== undefined && timeoutMs <= 0) throw deadlineExceeded();
      send(response, 200, begin + answerText(parser.read(body)) + end);
    } catch (thrown) {
      // The parser may be in the middle of the document.
      parser = new RequestParser();
      send(response, 500, faultText(CallError.from(thrown), soap11));
    }
  };
  return serveHttp(
    (request, response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      request.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > options.maxMessageBytes) request.destroy();
        else chunks.push(chunk);
      });
      request.on("end", () => answer(request, Buffer.concat(chunks), response));
    },
    options,
    writeFault,
  );
};
