// SOAP requests as any client would send them, without ours.
import type { RunningServer } from "../../src/index.ts";

export const soap11Namespace = "http://schemas.xmlsoap.org/soap/envelope/";
export const soap12Namespace = "http://www.w3.org/2003/05/soap-envelope";

export const soap11Type = "text/xml; charset=utf-8";
export const soap12Type = "application/soap+xml; charset=utf-8";

export const helloNamespace = "urn:protobuf:service:roundtrip:v1:HelloService";

/** An envelope of SOAP 1.1 around the content of a body. */
export function envelope(body: string, header = "", namespace = soap11Namespace): string {
  return `<e:Envelope xmlns:e="${namespace}">${header}<e:Body>${body}</e:Body></e:Envelope>`;
}

/** The body of a call of SayHello. */
export function sayHelloText(content: string): string {
  return `<h:SayHello xmlns:h="${helloNamespace}">${content}</h:SayHello>`;
}

export interface SoapAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The canonical code in the fault; undefined without one. */
  readonly code: string | undefined;
}

/** Posts a body to the endpoint, as SOAP 1.1 unless the headers say otherwise. */
export async function soapPost(
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
