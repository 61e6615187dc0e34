// gRPC served by grpc-js.
import type { ServerBinding } from "../../../stack.ts";
import { grpcJsServerSettings } from "../../grpc-js/grpc-js-settings.ts";

export const server: ServerBinding = { libraries: ["@grpc/grpc-js"], limitations: [], settings: grpcJsServerSettings };
