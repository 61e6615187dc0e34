// What measures share: the built-in contract and service, and programs of `processes/` in fresh processes.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { atExit } from "@roundtrip/runner/lifetime";
import type { ServerStart } from "@roundtrip/runner/parts";
import type { ContractSource, ServiceSource } from "@roundtrip/runner";
import { serveDefaults } from "@roundtrip/stacks";

const contract: ContractSource = { kind: "built-in" };

export const realContractAndService = {
  contract,
  service: { module: import.meta.resolve("@roundtrip/service"), factory: "realService" },
} as const satisfies { readonly contract: ContractSource; readonly service: ServiceSource };

/** Asks a server process to serve a stack. @param service the real one by default. */
export function serverStart(stack: string, service: ServiceSource = realContractAndService.service): ServerStart {
  return {
    ask: "start",
    stack,
    host: serveDefaults.host,
    settings: {},
    contract,
    service,
    services: {},
    tls: undefined,
  };
}

const run = promisify(execFile);

/** The output of the program, parsed as JSON. Rejects if it fails. */
export async function runProbe<T>(name: string): Promise<T> {
  const file = join(import.meta.dirname, "processes", `${name}.ts`);
  const running = run(process.execPath, [file]);
  using _ = atExit(() => running.child.kill());
  const { stdout } = await running;
  return JSON.parse(stdout) as T;
}
