// What the headers of a SOAP request say: its version, its action, and what its caller accepts.
import { notAcceptable, preferredType } from "../../shared/http/accept.ts";
import type { ReceivedRequest } from "../../shared/http/http-service.ts";
import { checkCharset, unsupported } from "../../shared/http/json-body.ts";
import type { SoapOperation } from "./operations.ts";
import { dialects, soap11, soap12, type SoapDialect } from "../envelope/soap-version.ts";

type Headers = ReceivedRequest["headers"];

const both = dialects.map(({ mediaType }) => mediaType).join(" or ");

function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** The dialect that the type of a body names; undefined for other types. */
export function dialectNamed(contentType: string | undefined): SoapDialect | undefined {
  if (contentType === undefined) return undefined;
  const mediaType = mediaTypeOf(contentType);
  return dialects.find((dialect) => dialect.mediaType === mediaType);
}

/** The dialect of a request. Throws 415 for a body that is not declared as SOAP in UTF-8. */
export function dialectOf({ "content-type": contentType }: Headers): SoapDialect {
  const usual = dialects.find((one) => one.contentType === contentType);
  if (usual !== undefined) return usual;
  const dialect = dialectNamed(contentType);
  if (contentType === undefined || dialect === undefined) {
    throw unsupported(`the body is ${contentType ?? "of no stated type"}`, both, {
      accept: `${soap11.mediaType}, ${soap12.mediaType}`,
    });
  }
  checkCharset(contentType, dialect.mediaType);
  return dialect;
}

/** Throws 406 if the caller does not accept the dialect. Some callers of SOAP 1.2 accept text/xml only by habit: both types are XML. */
export function checkAccept({ accept }: Headers, { mediaType }: SoapDialect): void {
  if (accept === undefined || accept === "*/*" || accept === mediaType) return;
  const types = [...dialects.map((dialect) => dialect.mediaType), "application/xml"];
  if (preferredType(accept, types) === undefined) throw notAcceptable(accept, mediaType);
}

const actionParameter = /;\s*action\s*=\s*(?:"([^"]*)"|([^\s";]+))/i;

/** The action that a request names; empty for none. */
function actionIn(headers: Headers, { version }: SoapDialect): string {
  if (version === "1.2") {
    const [, quoted, bare] = actionParameter.exec(headers["content-type"] ?? "") ?? [];
    return quoted ?? bare ?? "";
  }
  const header = headers["soapaction"];
  return typeof header === "string" ? header.trim().replace(/^"(.*)"$/, "$1") : "";
}

/** The action that a request names and an operation does not have; undefined if it names none, or that of the operation. */
export function otherAction(
  headers: Headers,
  dialect: SoapDialect,
  { action, quotedAction }: Pick<SoapOperation, "action" | "quotedAction">,
): string | undefined {
  if (dialect.version === "1.1" && headers["soapaction"] === quotedAction) return undefined;
  const named = actionIn(headers, dialect);
  return named === "" || named === action ? undefined : named;
}
