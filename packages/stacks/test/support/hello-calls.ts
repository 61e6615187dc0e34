// Calls of SayHello as bytes, for tests that send them without a client.

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const json = { "content-type": "application/json" };
const soap = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><m:SayHello xmlns:m="urn:protobuf:service:roundtrip:v1:HelloService"><name>x</name></m:SayHello></s:Body></s:Envelope>`;

/** A call of SayHello in each style, over HTTP/1.1. */
export const calls: Readonly<Record<string, Call>> = {
  rest: { method: "GET", path: "/v1/hello?name=x", headers: {}, body: "" },
  graphql: {
    method: "POST",
    path: "/graphql",
    headers: json,
    body: '{"query":"{ sayHello(name: \\"x\\") { message } }"}',
  },
  "json-rpc": {
    method: "POST",
    path: "/rpc",
    headers: json,
    body: '{"jsonrpc":"2.0","id":1,"method":"roundtrip.v1.HelloService.SayHello","params":{"name":"x"}}',
  },
  soap: { method: "POST", path: "/soap", headers: { "content-type": "text/xml" }, body: soap },
  connect: { method: "POST", path: "/roundtrip.v1.HelloService/SayHello", headers: json, body: '{"name":"x"}' },
};

/** A request of HTTP/1.1 after which the connection closes. */
export function bytesOf({ method, path, headers, body }: Call, host: string): string {
  const all = { host, connection: "close", ...headers, ...(body === "" ? {} : { "content-length": body.length }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
