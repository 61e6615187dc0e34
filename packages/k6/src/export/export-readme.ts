// The README of an exported directory: which servers to start, what to run, and how to import the results.
import { installCommand } from "../instances/find-k6.ts";
import { typesFile } from "../plan/called-types.ts";
import { contractFile } from "../plan/contract-image.ts";
import { callsIn, type K6Plan, type K6Server, lengthMs } from "../plan/k6-plan.ts";
import { equalSegments } from "../results/instance-of.ts";

function seconds(ms: number): string {
  return ms < 90_000 ? `${Math.ceil(ms / 1_000)} seconds` : `${Math.ceil(ms / 60_000)} minutes`;
}

function roundsOf(count: number): string {
  return count === 1 ? "One round" : `${count} rounds`;
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

/** The default port of k6's REST API. */
const firstPort = 6565;

/** Commands for two instances. */
function segmentCommands(): string {
  const { segments, sequence } = equalSegments(2);
  const commands = segments.map(
    (segment, index) =>
      `k6 run -e ROUND=$ROUND -e T0=$T0 --execution-segment ${segment} --execution-segment-sequence ${sequence} \\\n` +
      `  --address 127.0.0.1:${firstPort + index} --out json=results-$ROUND-${index + 1}.json script.js`,
  );
  // `wait` without a process would not give the exit status.
  return `${commands.join(" &\n")}\nwait $!`;
}

/** The seconds until all instances are ready, with time to type. The first one warms the servers up and sets their initial state. */
function secondsToBegin({ servers }: K6Plan): number {
  const setupCalls = servers.reduce((sum, { setup }) => sum + setup.length, 0);
  return 15 + Math.ceil(setupCalls / 50);
}

/** The section about several instances. */
function onSeveralMachines(plan: K6Plan): string {
  return `## On several machines

Each instance runs one segment. The clocks of all machines must agree (NTP). All instances begin at T0, in milliseconds since
1970. Give all of them the same T0, late enough for k6 to start and to warm up:

\`\`\`sh
T0=$((($(date +%s) + ${secondsToBegin(plan)}) * 1000))
${segmentCommands()}
\`\`\`

This runs two instances on one machine. On several machines, run one of the \`k6\` lines on each, with the same number as T0. Without \`T0\` each instance chooses the
first multiple of ten seconds that leaves enough time. Instances started a second apart choose the same one nine times in ten; the import refuses the others.
Only all segments together have the arrivals of the schedule. An arm with one caller runs on one instance.`;
}

export interface ReadmeOptions {
  /** One for each round. */
  readonly plans: readonly K6Plan[];
  readonly hasProtoFiles: boolean;
  readonly servedBy: ServedBy;
}

/** Markdown. */
export function exportReadme({ plans, hasProtoFiles, servedBy }: ReadmeOptions): string {
  const [plan] = plans as readonly [K6Plan];
  const { studies, seed, servers, cells } = plan;
  const names = studies.join(", ");
  const addresses = servers.map(({ variable, usual }) => `| \`${variable}\` | \`${usual}\` |`).join("\n");
  const contractRow = servedBy.isForeign
    ? `\n| \`${contractFile}\` | the contract as a descriptor set, to serve it |`
    : "";
  const protoRow = hasProtoFiles ? "\n| `proto/` | the contract's .proto files and what they import, to read |" : "";
  return `# ${names}, driven by k6

${roundsOf(plans.length)} of ${names}, with the seed ${seed}: each ${callsIn(plan).toLocaleString("en")} calls in ${cells.length} cells, about ${seconds(lengthMs(plan))}.

| file | content |
| --- | --- |
| \`script.js\`, \`calls.js\`, \`server-clock.js\` | the script for k6 1.x or 2.x, the same for every study |
| \`plan.json\` | requests, and the rounds with their cells and schedules; the import refuses results with another \`planHash\` |
| \`${typesFile}\` | the types of gRPC calls as a descriptor set; missing without gRPC |${contractRow}${protoRow}

Install k6 with \`${installCommand}\`, or as [its documentation](https://grafana.com/docs/k6/latest/set-up/install-k6/) says.
\`roundtrip\` is Roundtrip's program. To run it from a checkout at \`CHECKOUT\`:

\`\`\`sh
roundtrip() { CHECKOUT/node_modules/.bin/node CHECKOUT/packages/cli/bin/roundtrip.js "$@"; }
\`\`\`

## A round

${serveStep(plan, servedBy)}Variables (\`-e NAME=ADDRESS\`) set the addresses of the servers:

| variable | default |
| --- | --- |
${addresses}

${tokenStep(servers)}\`\`\`sh
export K6_VERSION=$(k6 version | awk 'NR == 1 { print $2 }')   # recorded with the results, because a script cannot read it
unset HTTP_PROXY HTTPS_PROXY http_proxy https_proxy            # k6 would call through them
ROUND=1
k6 run -e ROUND=$ROUND --out json=results-$ROUND.json script.js
\`\`\`

k6 first sets the servers' initial state and warms them up. \`-e PREPARED=1\` skips that, \`-e WARM_UP_MS=10000\` makes it longer.
Each call is a sample of \`roundtrip_call\`. The import ignores k6's own metrics. There are no thresholds, because the
verdict needs all samples.

${otherRounds(plans.length)}

${onSeveralMachines(plan)}

## Import the results

\`\`\`sh
roundtrip bench --import results-*.json . --out run
\`\`\`

\`run\` is a run directory like any other, with its report.
`;
}

function otherRounds(count: number): string {
  return count === 1
    ? "Intervals need at least six rounds: export again with `--rounds 6`."
    : `Repeat this with \`ROUND=2\` to \`ROUND=${count}\`, and restart the servers each time. Each round has its own order and arrivals. Intervals need
at least six rounds. Running a round twice gives two rounds with the same order and arrivals.`;
}
