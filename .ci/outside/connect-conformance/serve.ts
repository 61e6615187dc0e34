// The server under test: reads a ServerCompatRequest, serves the ConformanceService by the stack in its arguments, and writes a
// ServerCompatResponse. Ends on SIGTERM. Arguments: the stack, and the file with the contract as a descriptor set.
import { create, fromBinary, toBinary, type DescMessage } from "@bufbuild/protobuf";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { contractFromImage } from "../../../packages/contract/src/index.ts";
import { serviceOf } from "../../../packages/contract/src/calls/service-of.ts";
import { loadServe, loadStack, serveDefaults } from "../../../packages/stacks/src/index.ts";
import { conformanceHandlers } from "./handlers.ts";

interface Credentials {
  readonly cert: Uint8Array;
  readonly key: Uint8Array;
}

interface Asked {
  /** 1 or 2. */
  readonly httpVersion: number;
  readonly useTls: boolean;
  readonly messageReceiveLimit: number;
  readonly serverCreds?: Credentials;
}

/** A message on standard input and output comes after its length in four bytes. */
const lengthBytes = 4;

const [stack = "", image = ""] = process.argv.slice(2);
const contract = contractFromImage(readFileSync(image));
const message = (name: string): DescMessage => {
  const schema = contract.registry.getMessage(`connectrpc.conformance.v1.${name}`);
  if (schema === undefined) throw new Error(`${image} has no message ${name}`);
  return schema;
};

const input = await buffer(process.stdin);
const asked = fromBinary(message("ServerCompatRequest"), input.subarray(lengthBytes)) as unknown as Asked;
const { httpVersion, useTls, messageReceiveLimit, serverCreds } = asked;
const pem = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();

/** Stacks over either version of HTTP have a setting for it. */
const { settings: declared } = await loadStack(stack);
const settings = declared.some(({ name }) => name === "http") ? { http: httpVersion === 1 ? "1.1" : "2" } : {};

const serve = await loadServe(stack);
const server = await serve(serviceOf(contract, conformanceHandlers(contract)), {
  ...serveDefaults,
  settings,
  tls: useTls ? { key: pem(serverCreds?.key), cert: pem(serverCreds?.cert) } : undefined,
  maxMessageBytes: messageReceiveLimit === 0 ? serveDefaults.maxMessageBytes : messageReceiveLimit,
  shutdownGraceMs: 100,
});
process.once("SIGTERM", () => void server.close());

const { hostname, port } = new URL(server.url);
const found = { host: hostname, port: Number(port), ...(useTls ? { pemCert: serverCreds?.cert } : {}) };
const schema = message("ServerCompatResponse");
const output = toBinary(schema, create(schema, found));
const length = Buffer.alloc(lengthBytes);
length.writeUInt32BE(output.length);
process.stdout.write(Buffer.concat([length, output]));
