// gRPC by curl: HTTP/2 without TLS, with hand-written messages and frames. The wire format needs no library.
import type { CurlCall } from "./call.ts";

const type = /application\/grpc(\+proto)?/;
const wire = ["--http2-prior-knowledge", "--header", "content-type: application/grpc", "--header", "te: trailers"];
// HealthCheckResponse { status: SERVING } in its frame.
const serving = Buffer.from("00 00000002 0801".replaceAll(" ", ""), "hex").toString("latin1");

interface Grpc extends Omit<CurlCall, "style" | "status"> {}

const grpc: readonly Grpc[] = [
  {
    id: "grpc-unary",
    about: "a framed message is answered with a framed message and status 0 in the trailers",
    arguments: [...wire, "--data-binary", "@-", "$URL/roundtrip.v1.HelloService/SayHello"],
    // SayHelloRequest { name: "Ada" }
    input: "00 00000005 0a03416461".replaceAll(" ", ""),
    headers: { "content-type": type, "grpc-status": /0/ },
    // SayHelloResponse { message: "Hello, Ada!" }
    body: /^\0\0\0\0\r\n\vHello, Ada!$/,
  },
  {
    id: "grpc-not-found",
    about: "an error has a status and a message only",
    arguments: [...wire, "--data-binary", "@-", "$URL/roundtrip.v1.CustomerService/GetCustomer"],
    // GetCustomerRequest { id: 99999 }
    input: "00 00000004 089f8d06".replaceAll(" ", ""),
    headers: { "content-type": type, "grpc-status": /5/ },
    body: /^$/,
  },
  {
    id: "grpc-unknown-method",
    about: "a method that is not there is UNIMPLEMENTED",
    arguments: [...wire, "--data-binary", "@-", "$URL/roundtrip.v1.HelloService/Nothing"],
    // Empty: grpc-js answers after the headers, and curl before 8 reports an error if an answer precedes the end of its request body.
    input: "",
    headers: { "grpc-status": /12/ },
    body: /^$/,
  },
  {
    id: "grpc-health",
    about: "gRPC's health service says that the server serves",
    arguments: [...wire, "--data-binary", "@-", "$URL/grpc.health.v1.Health/Check"],
    // HealthCheckRequest {}
    input: "0000000000",
    headers: { "content-type": type, "grpc-status": /0/ },
    body: new RegExp(`^${serving}$`),
  },
];

export const grpcCalls: readonly CurlCall[] = grpc.map((call) => ({ ...call, style: "grpc", status: 200 }));
