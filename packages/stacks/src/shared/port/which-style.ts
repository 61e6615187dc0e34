// Which server of a shared port answers a request: by its path and content type.
import { methodPath, type Contract } from "@roundtrip/contract";
import { standardMethods } from "@roundtrip/styles/grpc/server";
import { Router } from "@roundtrip/styles/rest/router";

/** What a server of a shared port answers. */
export interface PortPart {
  /** Empty for one that serves no operations. */
  readonly style: string;
  /** Those of its endpoints, such as `/graphql`. */
  readonly paths: readonly string[];
}

export interface AskedFor {
  readonly path: string;
  readonly query: string;
  readonly contentType: string;
  /** Whether the headers have Connect's version of its protocol. */
  readonly isConnect: boolean;
  readonly isHttp2: boolean;
}

interface ContractPaths {
  readonly methods: ReadonlySet<string>;
  /** The paths of streams: without a mark of Connect, they are REST's. */
  readonly streams: ReadonlySet<string>;
  readonly rest: Router<true>;
}

const pathsOf = new WeakMap<Contract, ContractPaths>();

/** Of a contract: what Connect answers, and what REST does. Made with the first request. */
function contractPaths(contract: Contract): ContractPaths {
  const known = pathsOf.get(contract);
  if (known !== undefined) return known;
  const { operations } = contract;
  const methods = new Set([
    ...operations.map(({ method }) => methodPath(method)),
    ...standardMethods(contract).map(({ path }) => path),
  ]);
  const rest = new Router<true>();
  for (const binding of operations.flatMap(({ bindings }) => bindings)) {
    // One that begins with a variable would take the paths of everything else.
    if (binding.path.segments[0]?.kind === "literal") rest.add(binding, true);
  }
  const streaming = operations.filter(({ method }) => method.methodKind !== "unary");
  const made = { methods, streams: new Set(streaming.map(({ method }) => methodPath(method))), rest };
  pathsOf.set(contract, made);
  return made;
}

const grpcType = /^application\/grpc(?:\+|;|$)/;
const connectTypes = /^application\/(?:grpc-web|connect\+)/;

/** Whether only gRPC can have sent it. */
export function isGrpcCall({ contentType }: AskedFor): boolean {
  return grpcType.test(contentType);
}

/**
 * Whether it is a call of Connect or gRPC-Web. Calls without a mark of Connect have the path of a method, as those of REST do without a binding: both
 * answer them alike, but for streams, which Connect marks.
 */
export function isConnectCall({ path, query, contentType, isConnect }: AskedFor, contract: Contract): boolean {
  if (isConnect || connectTypes.test(contentType) || /(?:^|&)connect=v1(?:&|$)/.test(query)) return true;
  const { methods, streams, rest } = contractPaths(contract);
  return methods.has(path) && !(streams.has(path) && rest.methodsOf(path).length > 0);
}

function isAt(path: string, endpoint: string): boolean {
  return path === endpoint || path.startsWith(`${endpoint}/`);
}

/**
 * The server that answers over HTTP/1.1. The contract's own paths come before those of other styles and of pages, and REST answers what nothing else does:
 * its errors name what is nearest.
 */
export function choosePart<P extends PortPart>(
  asked: AskedFor,
  contract: Contract,
  parts: readonly P[],
): P | undefined {
  const partOf = (style: string): P | undefined => parts.find((part) => part.style === style);
  const connect = partOf("connect");
  if (connect !== undefined && isConnectCall(asked, contract)) return connect;
  const rest = partOf("rest");
  if (rest !== undefined && contractPaths(contract).rest.methodsOf(asked.path).length > 0) return rest;
  return parts.find(({ paths }) => paths.some((endpoint) => isAt(asked.path, endpoint))) ?? rest ?? parts[0];
}
