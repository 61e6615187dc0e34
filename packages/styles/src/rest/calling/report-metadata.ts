// The metadata of an answer, which grpc-gateway sends under other names.
import type { CallOptions } from "@roundtrip/contract";
import { reportMetadata } from "../../shared/http/call-headers.ts";
import type { HttpResponse } from "../../shared/http/http-message.ts";
import { withGatewayMetadata } from "../dialects/gateway-metadata.ts";

/** Reports the metadata of an answer in any dialect. */
export function reportGatewayMetadata(
  options: CallOptions | undefined,
  { headers }: Pick<HttpResponse, "headers">,
): void {
  if (options?.onMetadata !== undefined) reportMetadata(options, { headers: withGatewayMetadata(headers) });
}
