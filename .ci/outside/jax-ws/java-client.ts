// A SOAP client in Java, which generates its classes from a server's WSDL. Maven fetches its libraries into its own cache.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { atExit } from "../../../packages/runner/src/lifetime/ends-with-us.ts";
import type { FaultDetail, SoapVersion, Values } from "../soap-checks.ts";

/** The outcome of a call: one of these. */
export interface Outcome {
  /** Elements by their names in the WSDL. */
  readonly answer?: Values;
  readonly fault?: FaultDetail;
  readonly error?: string;
}

export interface JavaClient extends AsyncDisposable {
  /** The operations in the WSDL, such as `package.Service.Operation`. */
  readonly operations: readonly string[];
  readonly call: (version: SoapVersion, operation: string, request: Values) => Promise<Outcome>;
}

const longestFetchMs = 300_000;
const longestRunMs = 120_000;
const here = (name: string): string => join(import.meta.dirname, name);

/** The class path of the libraries in `pom.xml`. @param directory for a temporary file */
export function classPath(directory: string): string {
  const path = join(directory, "class-path");
  const goal = ["dependency:build-classpath", `-Dmdep.outputFile=${path}`];
  execFileSync("mvn", ["-q", "-B", "-f", here("pom.xml"), ...goal], {
    timeout: longestFetchMs,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return readFileSync(path, "utf8").trim();
}

/** Integers that JavaScript would round become their digits. Null, as nil elements are in Java, is absent. */
function exactly(_name: string, value: unknown, { source }: { readonly source: string }): unknown {
  if (value === null) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value;
}

/** Starts the program, and resolves once it has read the WSDL. */
export async function javaClient(libraries: string, url: string, directory: string): Promise<JavaClient> {
  const generated = mkdtempSync(join(directory, "java-"));
  const args = ["-cp", libraries, here("CallOperations.java"), `${url}?wsdl`, here("bindings.xml"), generated];
  const java = spawn("java", args, { stdio: ["pipe", "pipe", "inherit"], timeout: longestRunMs });
  const running = atExit(() => java.kill());
  const lines = createInterface(java.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const line = await lines.next();
    if (line.done === true) throw new Error("the program in Java ended");
    return JSON.parse(line.value, exactly as (name: string, value: unknown) => unknown);
  };
  return {
    operations: (await next()) as readonly string[],
    async call(version, name, request) {
      const [service = "", operation = ""] = name.split(/\.(?=\w+$)/);
      java.stdin.write(`${JSON.stringify({ service, version, operation, request })}\n`);
      return (await next()) as Outcome;
    },
    async [Symbol.asyncDispose]() {
      running[Symbol.dispose]();
      java.kill();
      await lines.return?.();
    },
  };
}
