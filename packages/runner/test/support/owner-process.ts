// Has a folder and two programs of its own, and another that it has released; prints where they are and waits to be ended.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endsWithUs, guard, temporaryFolder } from "../../src/lifetime/ends-with-us.ts";

const { path } = temporaryFolder("owner's folder");
writeFileSync(join(path, "file"), "text");

const sleeper = () => spawn("sh", ["-c", "sleep 1000; true"], { detached: true, stdio: "ignore" });
const session = sleeper();
endsWithUs(session);
const single = sleeper();
guard("process", single.pid ?? 0);
const kept = sleeper();
guard("session", kept.pid ?? 0)();

process.stdout.write(`${JSON.stringify({ folder: path, pids: [session.pid, single.pid], kept: kept.pid })}\n`);
setInterval(() => undefined, 60_000);
