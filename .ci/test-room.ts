// A directory for all that tests write, gone when they are done: they need not tidy up after themselves, whatever ends them.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function setup(): () => void {
  const usual = tmpdir();
  const room = mkdtempSync(join(usual, "roundtrip-tests-"));
  // Node.js keeps compiled code there, which is meant to last.
  const compiled = join(usual, "node-compile-cache");
  mkdirSync(compiled, { recursive: true });
  symlinkSync(compiled, join(room, "node-compile-cache"));
  process.env["TMPDIR"] = room;
  // Tests start hundreds of processes: what one has compiled, the next that loads the same reads, whether or not it keeps such a place itself.
  process.env["NODE_COMPILE_CACHE"] = compiled;
  // Each process reads the additional certificate authorities of the machine, such as a proxy's, for each TLS context. No test needs them.
  for (const name of ["NODE_EXTRA_CA_CERTS", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"]) delete process.env[name];
  return () => rmSync(room, { recursive: true, force: true });
}
