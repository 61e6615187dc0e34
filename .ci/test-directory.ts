// The environment of all tests: a temporary directory that is removed at the end, so that tests need no clean-up, and what makes programs cheap.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Vitest calls this for each project; all share the environment of the first. */
export function setup(): (() => void) | undefined {
  if (process.env["ROUNDTRIP_TEST_DIRECTORY"] !== undefined) return undefined;
  const usual = tmpdir();
  const workspace = mkdtempSync(join(usual, "roundtrip-tests-"));
  // Node.js keeps compiled code there, which should persist.
  const compiled = join(usual, "node-compile-cache");
  mkdirSync(compiled, { recursive: true });
  symlinkSync(compiled, join(workspace, "node-compile-cache"));
  process.env["TMPDIR"] = workspace;
  process.env["ROUNDTRIP_TEST_DIRECTORY"] = workspace;
  // Tests start hundreds of processes. They share compiled code, whether or not a process sets this variable itself.
  process.env["NODE_COMPILE_CACHE"] = compiled;
  // Otherwise every process reads the machine's additional certificate authorities for each TLS context. No test needs them.
  for (const name of ["NODE_EXTRA_CA_CERTS", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"]) delete process.env[name];
  // Hundreds of short programs in Go, above all buf: most collect garbage that would be gone by their end anyway.
  process.env["GOGC"] ??= "400";
  return () => {
    process.env["TMPDIR"] = usual;
    delete process.env["ROUNDTRIP_TEST_DIRECTORY"];
    rmSync(workspace, { recursive: true, force: true });
  };
}
