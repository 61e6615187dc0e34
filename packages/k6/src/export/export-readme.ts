// The README of an exported directory: which servers to start, what to run, and how to import the results.
import { readFileSync } from "node:fs";
import { installCommand } from "../instances/find-k6.ts";
import { contractFile } from "../plan/contract-image.ts";
import { callsIn, type K6Plan, type K6Server, lengthMs } from "../plan/k6-plan.ts";

export type TemplateValues = Readonly<Record<string, string | number>>;

/** Replaces `{{key}}`. Lines of a value are indented as its placeholder is. Throws an Error for a placeholder without a value. */
export function fillTemplate(template: URL, values: TemplateValues): string {
  const text = readFileSync(template, "utf8");
  return text.replaceAll(/(^ *)?\{\{(\w+)\}\}/gm, (_, indent: string | undefined, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`${template.pathname} has a placeholder without a value: ${key}`);
    return String(value)
      .split("\n")
      .map((line) => `${indent ?? ""}${line}`)
      .join("\n");
  });
}

function seconds(ms: number): string {
  return ms < 90_000 ? `${Math.ceil(ms / 1_000)} seconds` : `${Math.ceil(ms / 60_000)} minutes`;
}

/** What answers the calls of a plan where no server runs already. */
export interface ServedBy {
  /** Roundtrip's command: a service with code, or the fake of a contract. */
  readonly command: "serve" | "fake";
  /** Whether the contract is a user's, which the command reads from this directory. */
  readonly isForeign: boolean;
}

/** The servers that do not run already. */
function serversToStart({ servers, arms }: K6Plan): readonly K6Server[] {
  const targets = new Set(arms.filter(({ facts }) => facts.target !== undefined).map(({ server }) => server));
  return servers.filter(({ id }) => !targets.has(id));
}

/** One command for each server that does not run already, so that each process contains only what is measured. */
function serveCommands(plan: K6Plan, { command, isForeign }: ServedBy): readonly string[] {
  const contract = isForeign ? ` --contract ${contractFile}` : "";
  return serversToStart(plan).flatMap(({ stack, usual, settings }) => {
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(usual) ?? [];
    const set = settings.map((setting) => ` --set ${setting}`).join("");
    return port === undefined ? [] : [`roundtrip ${command} ${stack}${contract} --port ${port}${set}`];
  });
}

const aboutFakes = `These are fakes of the contract. The requests have names and ids of their answers; an export with \`--target\` has those of your servers.

`;

function serveStep(plan: K6Plan, servedBy: ServedBy): string {
  const commands = serveCommands(plan, servedBy);
  if (commands.length === 0) return "";
  const where = servedBy.isForeign ? "in this directory" : "here or elsewhere";
  return `Start the servers, ${where}, each in its own terminal. Wait until each prints its address:

\`\`\`sh
${commands.join("\n")}
\`\`\`

${servedBy.command === "fake" ? aboutFakes : ""}`;
}

/** The variables with bearer tokens; empty if no server asks for one. */
function tokenStep(servers: readonly K6Server[]): string {
  const tokens = [...new Set(servers.flatMap(({ token }) => token ?? []))];
  if (tokens.length === 0) return "";
  const names = tokens.map((token) => `\`${token}\``).join(", ");
  return `The environment of k6 must have ${names}, with the bearer token of the servers. No file here has it.

`;
}

/** The seconds until all instances are ready, with time to type. The first one warms the servers up and sets their initial state. */
function secondsToBegin({ servers }: K6Plan): number {
  const setupCalls = servers.reduce((sum, { setup }) => sum + setup.length, 0);
  return 15 + Math.ceil(setupCalls / 50);
}

function otherRounds(count: number): string {
  return count === 1
    ? "Intervals need at least six rounds: export again with `--rounds 6`."
    : `Repeat this with \`ROUND=2\` to \`ROUND=${count}\`, and restart the servers each time. Each round has its own order and arrivals. Intervals need
at least six rounds. Running a round twice gives two rounds with the same order and arrivals.`;
}

/** Markdown. @param plans one for each round */
export function exportReadme(plans: readonly K6Plan[], servedBy: ServedBy): string {
  const [plan] = plans as readonly [K6Plan];
  const { studies, seed, servers, cells } = plan;
  return fillTemplate(new URL("templates/README.md", import.meta.url), {
    names: studies.join(", "),
    rounds: plans.length === 1 ? "One round" : `${plans.length} rounds`,
    seed,
    calls: callsIn(plan).toLocaleString("en"),
    cells: cells.length,
    duration: seconds(lengthMs(plan)),
    contractRow: servedBy.isForeign ? `\n| \`${contractFile}\` | the contract as a descriptor set, to serve it |` : "",
    installCommand,
    serveStep: serveStep(plan, servedBy),
    addresses: servers.map(({ variable, usual }) => `| \`${variable}\` | \`${usual}\` |`).join("\n"),
    tokenStep: tokenStep(servers),
    otherRounds: otherRounds(plans.length),
    secondsToBegin: secondsToBegin(plan),
  });
}
