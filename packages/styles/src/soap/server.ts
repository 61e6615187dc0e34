// Serves a service as SOAP 1.1 and 1.2 at one path, without a server library.
import { CallError, type Service } from "@roundtrip/contract";
import {
  type Describe,
  type DescribedServer,
  descriptionAnswer,
  type DescriptionOptions,
  nothingAt,
} from "../shared/http/description-answer.ts";
import {
  HttpError,
  type HttpService,
  httpService,
  originForm,
  otherMethodAnswer,
  readMethods,
  type ReceivedRequest,
  type ServedExchange,
  SettledExchange,
  textAnswer,
} from "../shared/http/http-service.ts";
import { soap11 } from "./envelope.ts";
import {
  checkAccept,
  dialectNamed,
  dialectOf,
  faultAnswer,
  SoapExchange,
  soapOperations,
  type SoapServer,
} from "./exchange.ts";
import { style } from "./index.ts";
import { soapPath } from "./schema/names.ts";
export { writeFault } from "./errors.ts";
export { fieldsOf, particlesOf, soapPath } from "./schema/names.ts";

const methods = [...readMethods, "POST"];

const wsdl: Describe = async ({ service: { contract } }, origin, metadata) => {
  const { wsdlOf } = await import("./schema/wsdl.ts");
  const headers = { ...metadata, "x-content-type-options": "nosniff" };
  return textAnswer(200, "text/xml; charset=utf-8", wsdlOf(contract, `${origin}${soapPath}`), headers);
};

const page: Describe = async (...about) => (await import("./page.ts")).soapPage(...about);

function described(describe: Describe, about: DescribedServer, request: ReceivedRequest): SettledExchange {
  return new SettledExchange(
    descriptionAnswer(about, request, { describe, refuse: (thrown, call) => faultAnswer(thrown, soap11, call) }),
  );
}

/** The exchange of a request. Throws the error of a request that is refused before its call begins. */
function exchangeOf(server: SoapServer, about: DescribedServer, request: ReceivedRequest): ServedExchange {
  const { method, url } = request;
  const [path = "", query = ""] = url === soapPath ? [url] : originForm(url).split("?", 2);
  if (method === "OPTIONS" && path === "*") return new SettledExchange(otherMethodAnswer(path, method, methods));
  if (path !== soapPath) throw nothingAt(path, style, about);
  if (method === "POST") {
    const dialect = dialectOf(request.headers);
    checkAccept(request.headers, dialect);
    return new SoapExchange(server, request, dialect);
  }
  if (method !== "GET" && method !== "HEAD") return new SettledExchange(otherMethodAnswer(path, method, methods));
  if (query.toLowerCase() === "wsdl") return described(wsdl, about, request);
  if (query === "") return described(page, about, request);
  throw new HttpError(404, new CallError("UNIMPLEMENTED", `the description is at ${soapPath}?wsdl`));
}

/** Throws a StyleError for a contract that SOAP cannot serve. */
export function soapService(service: Service, options: DescriptionOptions): HttpService {
  const server: SoapServer = { service, operations: soapOperations(service.contract) };
  const about: DescribedServer = { service, ...options };
  return httpService(
    (request) => exchangeOf(server, about, request),
    (thrown, { headers }) => faultAnswer(thrown, dialectNamed(headers["content-type"]) ?? soap11, undefined),
  );
}
