// A client over HTTP/1.1 that compresses requests and asks for compressed answers. Streams are sent as they are.
import { CallError } from "@roundtrip/contract";
import {
  type HttpRequest,
  type HttpResponse,
  type HttpTransport,
  responseTooLarge,
} from "@roundtrip/styles/http/client";
import type { ConnectOptions } from "../basics/stack.ts";
import { codecOf, leastCompressedBytes } from "./codings.ts";
import { clientCompression, splitSettings, undiciSettings } from "./settings.ts";

/** A request with a compressed body, or as it is. */
export async function encodedRequest<Request extends Pick<HttpRequest, "headers" | "body">>(
  request: Request,
  coding: string,
): Promise<Request> {
  const { headers, body } = request;
  const codec = codecOf(coding);
  if (codec === undefined || body === undefined || body.length < leastCompressedBytes) return request;
  return { ...request, headers: { ...headers, "content-encoding": coding }, body: await codec.compress(body) };
}

/** Decodes what the library has not decoded itself. Rejects with RESOURCE_EXHAUSTED for an answer that is too large then. */
async function decodedResponse(response: HttpResponse, maxBytes: number): Promise<HttpResponse> {
  const coding = String(response.headers["content-encoding"] ?? "identity");
  const codec = codecOf(coding);
  if (codec === undefined) return response;
  try {
    return { ...response, body: await codec.decompress(response.body, maxBytes) };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw responseTooLarge(maxBytes);
    throw new CallError("INTERNAL", `the answer is no valid ${coding}`, {}, { cause });
  }
}

/** The same client, which compresses requests and asks for compressed answers as its settings say. */
export function compressing(
  open: (options: ConnectOptions) => HttpTransport,
): (options: ConnectOptions) => HttpTransport {
  return (options) => {
    const { own, others } = splitSettings(clientCompression, undiciSettings, options.settings);
    const http = open({ ...options, settings: others });
    const { requestCompression: sent, responseCompression: asked } = own;
    if (sent === "identity" && asked === "identity") return http;
    return {
      ...http,
      async send(request) {
        const encoded = await encodedRequest(request, sent);
        const headers = asked === "identity" ? encoded.headers : { ...encoded.headers, "accept-encoding": asked };
        return decodedResponse(await http.send({ ...encoded, headers }), options.maxMessageBytes);
      },
    };
  };
}
