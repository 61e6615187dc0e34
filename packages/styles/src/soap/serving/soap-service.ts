// Serves a service as SOAP 1.1 and 1.2 at one path, without a server library.
import { CallError, type Contract, type ExampleOf, type Service } from "@roundtrip/contract";
import type { WholeAnswer } from "../../shared/http/http-answer.ts";
import { HttpError } from "../../shared/http/http-error.ts";
import type { HttpService, ReceivedRequest, ServedExchange } from "../../shared/http/http-service.ts";
import { incomingCall } from "../../shared/http/incoming-call.ts";
import { metadataHeaders, textAnswer } from "../../shared/http/text-answer.ts";
import { SettledExchange } from "../../shared/http/settled-exchange.ts";
import { soap11 } from "../envelope/soap-version.ts";
import { soapPath } from "../schema/names.ts";
import { soapOperations } from "./operations.ts";
import { checkAccept, dialectNamed, dialectOf } from "./request-head.ts";
import { faultAnswer } from "./soap-answer.ts";
import { SoapExchange, type SoapServer } from "./soap-exchange.ts";

const allow = "GET, HEAD, OPTIONS, POST";
const absolute = /^https?:\/\/[^/?]*/i;

/** What descriptions need. */
interface Described {
  readonly service: Service;
  readonly scheme: "http" | "https";
  readonly examplesOf: (contract: Contract) => Promise<ExampleOf>;
}

type Describe = (about: Described, location: string) => Promise<WholeAnswer>;

const wsdl: Describe = async ({ service: { contract } }, location) => {
  const { wsdlOf } = await import("../schema/wsdl.ts");
  const headers = { "x-content-type-options": "nosniff" };
  return textAnswer(200, "text/xml; charset=utf-8", wsdlOf(contract, location), headers);
};

const page: Describe = async ({ service: { contract }, examplesOf }, location) => {
  const [{ pageHeaders }, { servicePage }, exampleOf] = await Promise.all([
    import("../../shared/pages/page-headers.ts"),
    import("../pages/service-page.ts"),
    examplesOf(contract),
  ]);
  const text = servicePage(contract, location, exampleOf);
  return textAnswer(200, "text/html; charset=utf-8", text, pageHeaders(text));
};

/** Descriptions show the service, so only callers that its interceptors accept may read them. */
async function described(describe: Describe, about: Described, request: ReceivedRequest): Promise<WholeAnswer> {
  let call: ReturnType<typeof incomingCall> | undefined;
  try {
    call = incomingCall(request);
    const { checkMayDescribe } = await import("../../shared/description-guard.ts");
    await checkMayDescribe(about.service, call);
    const answer = await describe(about, `${about.scheme}://${request.headers.host ?? "localhost"}${soapPath}`);
    return { ...answer, headers: { ...metadataHeaders(call), ...answer.headers } };
  } catch (thrown) {
    return faultAnswer(thrown, soap11, call);
  } finally {
    call?.finish();
  }
}

const nothing: WholeAnswer = { status: 204, headers: { allow }, body: undefined, cut: undefined };

/** The exchange of a request. Throws the error of a request that is refused before its call begins. */
function exchangeOf(server: SoapServer, about: Described, request: ReceivedRequest): ServedExchange {
  // A client that expects a proxy sends an absolute URL (RFC 9112, section 3.2.2).
  const [path, query = ""] = request.url.replace(absolute, "").split("?", 2);
  const { method } = request;
  if (method === "OPTIONS" && path === "*") return new SettledExchange(nothing);
  if (path !== soapPath) throw new HttpError(404, new CallError("UNIMPLEMENTED", `there is nothing at ${path}`));
  if (method === "POST") {
    const dialect = dialectOf(request.headers);
    checkAccept(request.headers, dialect);
    return new SoapExchange(server, request, dialect);
  }
  if (method === "OPTIONS") return new SettledExchange(nothing);
  if (method !== "GET" && method !== "HEAD") {
    throw new HttpError(405, new CallError("UNIMPLEMENTED", `${soapPath} does not answer ${method}, but ${allow}`), {
      allow,
    });
  }
  if (query.toLowerCase() === "wsdl") return new SettledExchange(described(wsdl, about, request));
  if (query === "") return new SettledExchange(described(page, about, request));
  throw new HttpError(404, new CallError("UNIMPLEMENTED", `the description is at ${soapPath}?wsdl`));
}

export interface SoapServiceOptions {
  /** Undefined without TLS. */
  readonly tls: object | undefined;
  /** Makes the requests that the page shows. Called when it is opened. */
  readonly examplesOf: (contract: Contract) => Promise<ExampleOf>;
}

/** Throws a StyleError for a contract that SOAP cannot serve. */
export function soapService(service: Service, { tls, examplesOf }: SoapServiceOptions): HttpService {
  const server: SoapServer = { service, operations: soapOperations(service.contract) };
  const about: Described = { service, scheme: tls === undefined ? "http" : "https", examplesOf };
  return {
    begin(request) {
      try {
        return exchangeOf(server, about, request);
      } catch (thrown) {
        const dialect = dialectNamed(request.headers["content-type"]) ?? soap11;
        return new SettledExchange(faultAnswer(thrown, dialect, undefined));
      }
    },
  };
}
