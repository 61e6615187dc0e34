// Serves a stack on a port that it shares with others.
import type { Service } from "@roundtrip/contract";
import type { ServedService, ServeOptions } from "./basics/stack.ts";
import { allStacks, type KnownStack, knownStack } from "./known-stacks.ts";
import { loadServe, loadStack } from "./registry.ts";
import type { OpenedPort } from "./shared/port/shared-port.ts";

/** Servers with connections of their own, and the server of their style that takes their place. */
const standIns: Readonly<Record<string, string>> = { "grpc-js": "node-http2" };

function sharingStack(name: string): KnownStack {
  const stack = knownStack(name);
  const server = standIns[stack.server];
  if (server === undefined) return stack;
  return allStacks().find((candidate) => candidate.style === stack.style && candidate.server === server) ?? stack;
}

/** Requests at the path of its address, and at that of its description, come to it; of REST, gRPC and Connect see `which-style.ts`. */
export async function serveOn(
  port: OpenedPort,
  name: string,
  service: Service,
  options: Omit<ServeOptions, "sharedPort">,
): Promise<ServedService> {
  const stack = sharingStack(name);
  const { style, health } = await loadStack(stack.name);
  const serve = await loadServe(stack.name);
  const part = port.part(style);
  const served = await serve(service, { ...options, sharedPort: part });
  const { pathname } = new URL(served.url);
  if (pathname === "/") return served;
  const [described = pathname] = health?.protocol === "http" ? health.path.split("?", 1) : [];
  part.paths = [pathname, described];
  return served;
}
