// The action of `roundtrip conform`: tests local stacks or targets.
import { defaultCaseLimitMs, runConformance, type CaseResult, serviceSpecificCases } from "@roundtrip/conformance";
import { conformanceSubjects, type TestedFlags } from "../conform/conformance-subjects.ts";
import { loadContractFrom, type ContractFlags } from "../contract/contract-source.ts";
import { exitStatus } from "../basics/cli-error.ts";
import { styled } from "../output/page.ts";

const beyond: ReadonlySet<string> = new Set(serviceSpecificCases.map(({ caseId }) => caseId));

/** A note if all failed cases depend on what no contract defines; otherwise empty. */
function beyondNote(results: readonly CaseResult[]): string {
  const failed = results.filter(({ status }) => status === "fail");
  if (failed.length === 0 || failed.some(({ caseId }) => !beyond.has(caseId))) return "";
  return 'All failed cases depend on what no contract defines, which a fake makes up: docs/fakes.md, "What no contract defines".\n';
}

interface ConformFlags extends ContractFlags, TestedFlags {
  readonly json: boolean;
  readonly quiet: boolean;
}

interface StackResults {
  readonly stack: string;
  readonly results: readonly CaseResult[];
}

const marks = {
  pass: () => styled("green", "pass"),
  fail: () => styled("red", "FAIL"),
  skip: () => styled("dim", "skip"),
} as const;

function line({ status, caseId, level, title, detail }: CaseResult): string {
  const why = detail === "" ? "" : styled("dim", `  ${detail}`);
  return `  ${marks[status]()}  ${caseId} ${level.padEnd(6)}  ${title}${why}\n`;
}

function count(results: readonly CaseResult[], status: CaseResult["status"]): number {
  return results.filter((result) => result.status === status).length;
}

export async function conform(names: readonly string[], flags: ConformFlags): Promise<void> {
  await using loaded = await loadContractFrom(flags.contract);
  const { contract } = loaded;
  const all = await conformanceSubjects(names, flags, contract);

  const done: StackResults[] = [];
  for (const { subject, cases } of all) {
    if (!flags.json) process.stdout.write(`${styled("bold", subject.name)}\n`);
    // One stack after another: cases exhaust limits and stop servers.
    const results = await runConformance({
      contract,
      subject,
      cases,
      caseLimitMs: defaultCaseLimitMs,
      onResult: (result) => {
        const shown = !flags.json && (!flags.quiet || result.status === "fail");
        if (shown) process.stdout.write(line(result));
      },
    });
    done.push({ stack: subject.name, results });
  }

  if (flags.json) process.stdout.write(`${JSON.stringify(done, null, 2)}\n`);
  else {
    const width = Math.max(...done.map(({ stack }) => stack.length));
    process.stdout.write("\n");
    for (const { stack, results } of done) {
      const counts = (["pass", "fail", "skip"] as const)
        .map((status) => `${count(results, status)} ${status}`)
        .join(", ");
      process.stdout.write(`${stack.padEnd(width)}  ${counts}\n`);
    }
    if (flags.target !== undefined) process.stdout.write(beyondNote(done.flatMap(({ results }) => results)));
  }
  const failed = done.some(({ results }) => results.some(({ status, level }) => status === "fail" && level === "MUST"));
  if (failed) process.exitCode = exitStatus.failed;
}
