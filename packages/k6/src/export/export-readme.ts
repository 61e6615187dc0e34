// The README of an exported directory: what to start, what to run, and where the results go.
import { installCommand } from "../instances/find-k6.ts";
import type { K6Plan, K6Server } from "../plan/k6-plan.ts";
import { lengthMs } from "../plan/length-ms.ts";
import { equalSegments } from "../results/segments.ts";

function seconds(ms: number): string {
  return ms < 90_000 ? `${Math.ceil(ms / 1_000)} seconds` : `${Math.ceil(ms / 60_000)} minutes`;
}

function roundsOf(count: number): string {
  return count === 1 ? "One round" : `${count} rounds`;
}

/** A process for each server that does not run elsewhere: what is not measured is not in it. */
function serveCommands(servers: readonly K6Server[]): readonly string[] {
  return servers.flatMap(({ stack, usual, settings }) => {
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(usual) ?? [];
    const set = settings.map((setting) => ` --set ${setting}`).join("");
    return port === undefined ? [] : [`roundtrip serve ${stack} --port ${port}${set}`];
  });
}

function serveStep(servers: readonly K6Server[]): string {
  const commands = serveCommands(servers);
  if (commands.length === 0) return "";
  return `Start the servers, here or elsewhere, each in a terminal of its own, and wait until each has told its address:

\`\`\`sh
${commands.join("\n")}
\`\`\`

`;
}

function callsOf({ cells, arms }: K6Plan): number {
  const steps = new Map(arms.map((arm) => [arm.facts.id, arm.steps.length]));
  return cells.reduce((sum, { tasks, armId }) => sum + tasks * (steps.get(armId) ?? 0), 0);
}

/** Where k6's own interface is, unless it is told another place. */
const firstPort = 6565;

/** Two instances. */
function segmentCommands(): string {
  const { segments, sequence } = equalSegments(2);
  const commands = segments.map(
    (segment, index) =>
      `k6 run -e ROUND=$ROUND -e T0=$T0 --execution-segment ${segment} --execution-segment-sequence ${sequence} \\\n` +
      `  --address 127.0.0.1:${firstPort + index} --out json=results-$ROUND-${index + 1}.json script.js`,
  );
  // Which of them ends last is not known.
  return `${commands.join(" &\n")}\nwait $!`;
}

/** In how many seconds all instances are ready, with time to type: the first warms servers up, and brings them to where the studies begin. */
function secondsToBegin({ servers }: K6Plan): number {
  const setupCalls = servers.reduce((sum, { setup }) => sum + setup.length, 0);
  return 15 + Math.ceil(setupCalls / 50);
}

/** Markdown. @param plans one for each round */
export function exportReadme(plans: readonly K6Plan[], hasProtoFiles: boolean): string {
  const [plan] = plans as readonly [K6Plan];
  const { studies, seed, servers, cells } = plan;
  const names = studies.join(", ");
  const addresses = servers.map(({ variable, usual }) => `| \`${variable}\` | \`${usual}\` |`).join("\n");
  const protoRow = hasProtoFiles ? "\n| `proto/` | the contract's .proto files and what they import, to read |" : "";
  return `# ${names}, driven by k6

${roundsOf(plans.length)} of ${names}, with the seed ${seed}: each ${callsOf(plan).toLocaleString("en")} calls in ${cells.length} cells, about ${seconds(lengthMs(plan))}.

| file | what it is |
| --- | --- |
| \`script.js\`, \`calls.js\`, \`server-clock.js\` | what k6 runs, 1.x or 2.x; nothing in it depends on the study |
| \`plan.json\` | requests, and the rounds with their cells and schedules; each round's \`planHash\` seals it: results of another plan are refused |
| \`contract.binpb\` | the contract as a descriptor set: what gRPC calls are made with |${protoRow}

k6 comes by \`${installCommand}\`, or as [its own pages](https://grafana.com/docs/k6/latest/set-up/install-k6/) say.
\`roundtrip\` is Roundtrip's program; from a checkout, whose place is \`CHECKOUT\`:

\`\`\`sh
roundtrip() { CHECKOUT/node_modules/.bin/node CHECKOUT/packages/cli/bin/roundtrip.js "$@"; }
\`\`\`

## A round

${serveStep(servers)}Where servers are is told by variables (\`-e NAME=ADDRESS\`), each with the address that it has otherwise:

| variable | otherwise |
| --- | --- |
${addresses}

\`\`\`sh
export K6_VERSION=$(k6 version | awk 'NR == 1 { print $2 }')   # told with the results: k6 does not tell it to a script
unset HTTP_PROXY HTTPS_PROXY http_proxy https_proxy            # k6 would call through them
ROUND=1
k6 run -e ROUND=$ROUND --out json=results-$ROUND.json script.js
\`\`\`

k6 brings the servers to where the studies begin and warms them up first. \`-e PREPARED=1\` leaves that out, \`-e WARM_UP_MS=10000\` makes it longer.
Each call is a sample of \`roundtrip_call\`; everything else that k6 prints or writes is its own and is not needed. There are no thresholds: the
verdict is made of all samples together.

${otherRounds(plans.length)}

## On several machines

Each instance takes a segment, and needs nothing of the others but a clock that agrees with theirs (NTP). All begin at one moment, T0, in milliseconds since
1970. Give the same to all, and leave the time that k6 takes to start and to warm up:

\`\`\`sh
T0=$((($(date +%s) + ${secondsToBegin(plan)}) * 1000))
${segmentCommands()}
\`\`\`

That is two instances on one machine; on several, each has its line, with the number that the first line made. Without \`T0\` each instance finds it by itself, as the
first multiple of ten seconds that leaves time enough: those that are started a second apart find the same nine times in ten, and the import refuses the others.
Arrivals are those of the schedule only when all segments are merged. What one caller does falls to one instance.

## Bring the results home

\`\`\`sh
roundtrip bench --engine k6 --import results-*.json --plan . --out run
\`\`\`

\`run\` is a run directory like any other, with its report.
`;
}

function otherRounds(count: number): string {
  return count === 1
    ? "An export with more rounds gives intervals: six and more (`--rounds 6`)."
    : `Do the same with \`ROUND=2\` to \`ROUND=${count}\`, with the servers started anew each time: each round has its own order and its own arrivals. Intervals need
at least six rounds. A round that is done twice is two rounds, but the same order and the same arrivals again.`;
}
