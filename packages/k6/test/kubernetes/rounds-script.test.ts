// The program that does the rounds, with a kubectl that says what a cluster would.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { kubernetesFiles } from "../../src/kubernetes/kubernetes.ts";
import { sample } from "./sample.ts";

const folder = mkdtempSync(join(tmpdir(), "rounds-"));
const log = join(folder, "log");
const stages = join(folder, "stages");
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** Gives the next stage each time that it is asked, the last one for ever. */
const kubectl = `#!/bin/sh
echo "$*" >> ${log}
case "$*" in
  *"get testrun"*)
    sed -n 1p ${stages}
    [ "$(wc -l < ${stages})" -eq 1 ] || sed -i 1d ${stages} ;;
  *"get jobs"*) printf %s "$FAILED" ;;
  *"apply"*) sed -n 's/.*\\(ROUND=[0-9]*\\).*/\\1/p' >> ${log} ;;
esac
`;

/** What the program says and does where the cluster goes through these stages. */
function rounds(args: readonly string[], reported: readonly string[], { failed = "", options = sample } = {}) {
  for (const { path, content } of kubernetesFiles(options)) write(path, content);
  write("bin/kubectl", kubectl);
  write("bin/sleep", "#!/bin/sh\n");
  for (const name of ["kubectl", "sleep"]) chmodSync(join(folder, "bin", name), 0o755);
  write("stages", `${reported.join("\n")}\n`);
  write("log", "");
  const env = { PATH: `${join(folder, "bin")}:/usr/bin:/bin`, FAILED: failed };
  const { status, stdout, stderr } = spawnSync("sh", [join(folder, "kubernetes/rounds.sh"), ...args], {
    encoding: "utf8",
    env,
  });
  const did = readFileSync(log, "utf8").split("\n");
  return { status, said: stdout, fault: stderr, did, rounds: did.filter((line) => line.startsWith("ROUND=")) };
}

const labels = "app.kubernetes.io/instance=load,app.kubernetes.io/part-of=roundtrip,app.kubernetes.io/component=server";

test("all rounds are done, each on servers that were started anew and without what is left of the one before", () => {
  const {
    status,
    said,
    fault,
    did,
    rounds: done,
  } = rounds([], ["", "initialization", "created", "started", "stopped", "finished"]);
  expect({ status, fault }).toEqual({ status: 0, fault: "" });
  expect(said.trim().split("\n")).toEqual([1, 2, 3, 4, 5, 6].map((round) => `round ${round}: finished`));
  expect(done).toEqual(["ROUND=1", "ROUND=2", "ROUND=3", "ROUND=4", "ROUND=5", "ROUND=6"]);
  expect(did.slice(0, 5)).toEqual([
    `-n roundtrip rollout restart deployment -l ${labels}`,
    `-n roundtrip rollout status --timeout=2m deployment -l ${labels}`,
    "-n roundtrip delete testrun load --ignore-not-found --cascade=foreground",
    "apply --server-side -f -",
    "ROUND=1",
  ]);
});

test("waits for pods that cannot be scheduled, but not for ever", () => {
  const { status, fault, did } = rounds(["2"], ["initialization", "created"]);
  expect(status).toBe(1);
  expect(fault).toBe(
    "round 2: k6 has not started, the TestRun's stage is 'created'; see kubectl -n roundtrip get pods\n",
  );
  expect(did.filter((line) => line.includes("get testrun"))).toHaveLength(61);
});

test("a round in which k6 failed is reported, with the first instance that did", () => {
  const { status, fault, rounds: done } = rounds([], ["started", "finished"], { failed: "load-2 load-3" });
  expect({ status, done }).toEqual({ status: 1, done: ["ROUND=1"] });
  expect(fault).toBe("round 1: k6 failed; see kubectl -n roundtrip logs job/load-2\n");
});
