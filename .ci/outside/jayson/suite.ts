// The client of the package jayson: every method that service discovery lists, and the parts of the JSON-RPC 2.0 specification that it speaks.
import jayson, { type JSONRPCRequestLike } from "jayson";
import { createRequire } from "node:module";
import { demand, findingsOf, type Checks } from "../suite.ts";
import type { Suite } from "../suite.ts";

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly code?: string; readonly details?: readonly unknown[] };
}

interface Reply {
  readonly error?: RpcError | null;
  readonly result?: unknown;
}

interface Speaker {
  readonly call: (method: string, params: object) => Promise<Reply>;
  readonly notify: (method: string, params: object) => Promise<unknown>;
  readonly batch: (calls: readonly (readonly [method: string, params: object])[]) => Promise<readonly Reply[]>;
}

/** Resolves to what jayson calls back with. */
function sent(start: (done: (fault: unknown, reply: unknown) => void) => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    start((fault, reply) => {
      if (fault instanceof Error) reject(fault);
      else resolve(reply);
    });
  });
}

function speaker(url: string): Speaker {
  const { hostname, port, pathname } = new URL(url);
  const client = jayson.Client.http({ host: hostname, port, path: pathname });
  // Without a callback, jayson makes a request and does not send it.
  const requestOf = (method: string, params: object): JSONRPCRequestLike => client.request(method, params);
  return {
    call: (method, params) => sent((done) => client.request(method, params, done)) as Promise<Reply>,
    notify: (method, params) => sent((done) => client.request(method, params, null, done)),
    batch: (calls) =>
      sent((done) =>
        client.request(
          calls.map(([method, params]) => requestOf(method, params)),
          done,
        ),
      ) as Promise<readonly Reply[]>,
  };
}

const hello = "roundtrip.v1.HelloService.SayHello";
const customers = "roundtrip.v1.CustomerService";

/** Requests without which a method is refused; others are called with no params. */
const paramsOf: Readonly<Record<string, object>> = { [hello]: { name: "Ada" } };

const checks: Checks<Speaker> = {
  async "a call has a result"({ call }) {
    const { result } = await call(hello, { name: "Ada" });
    demand((result as { readonly message?: unknown }).message === "Hello, Ada!", result);
  },
  async "a value with accents and emoji comes back unchanged"({ call }) {
    const { result } = await call(hello, { name: "Ærøskøbing 🐐" });
    demand((result as { readonly message?: unknown }).message === "Hello, Ærøskøbing 🐐!", result);
  },
  async "a method that does not exist is -32601"({ call }) {
    const { error } = await call("foobar", {});
    demand(error?.code === -32_601 && error.data?.code === "UNIMPLEMENTED", error);
  },
  async "params by position are -32602"({ call }) {
    const { error } = await call(hello, ["Ada"]);
    demand(error?.code === -32_602 && error.data?.code === "INVALID_ARGUMENT", error);
  },
  async "params that break a rule are -32602, with the field"({ call }) {
    const { error } = await call(`${customers}.GetCustomer`, { id: -1 });
    demand(error?.code === -32_602 && JSON.stringify(error.data).includes('"field":"id"'), error);
  },
  async "what is not there is an error of the application, with details"({ call }) {
    const { error } = await call(`${customers}.GetCustomer`, { id: 123_456 });
    demand(error?.code === 5 && error.data?.details?.length === 1, error);
  },
  async "a notification has no response, and is carried out"({ call, notify }) {
    demand((await notify(`${customers}.SetCustomerName`, { id: 3, name: "by jayson" })) === undefined, "a response");
    const { result } = await call(`${customers}.GetCustomerName`, { id: 3 });
    demand((result as { readonly name?: unknown }).name === "by jayson", result);
  },
  async "a batch has a response for each call, errors among them"({ batch }) {
    const replies = await batch([
      [hello, { name: "Ada" }],
      ["foobar", {}],
      [hello, { name: "Grace" }],
    ]);
    const codes = replies.map(({ error }) => error?.code ?? 0).toSorted((a, b) => a - b);
    demand(JSON.stringify(codes) === "[-32601,0,0]", replies);
  },
  async "a batch of one call is answered by an array"({ batch }) {
    const replies: unknown = await batch([[hello, { name: "Ada" }]]);
    demand(Array.isArray(replies) && replies.length === 1, replies);
  },
  async "every method that rpc.discover lists exists, and takes params by name"({ call }) {
    const { result } = await call("rpc.discover", {});
    const { methods } = result as { readonly methods: readonly { readonly name: string }[] };
    demand(methods.length > 10, methods);
    const replies = await Promise.all(methods.map(({ name }) => call(name, paramsOf[name] ?? {})));
    const odd = replies.find(({ error }) => error !== undefined && error !== null && error.code !== -32_602);
    demand(odd === undefined, odd);
  },
};

const style = "json-rpc";
const { version } = createRequire(import.meta.url)("jayson/package.json") as { readonly version: string };
const size = Object.keys(checks).length;

export const suite: Suite = {
  about:
    "JSON-RPC 2.0 by another client for Node.js: calls, errors, notifications, batches, and every method that it discovers",
  styles: [style],
  tools: [],
  allowed: [],
  size,
  async run({ url }) {
    const findings = await findingsOf(checks, speaker(url(style)));
    return { program: `jayson ${version}`, unit: "checks", checked: size, passed: size - findings.length, findings };
  },
};
