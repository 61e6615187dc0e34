// The README of an exported directory: what to start, what to run, and where the results go.
import type { K6Plan, K6Server } from "../plan/k6-plan.ts";
import { lengthMs } from "../plan/length-ms.ts";

function seconds(ms: number): string {
  return ms < 90_000 ? `${Math.ceil(ms / 1_000)} seconds` : `${Math.ceil(ms / 60_000)} minutes`;
}

/** One command for servers that are set alike: they take ports one after the other. */
function serveCommands(servers: readonly K6Server[]): readonly string[] {
  const alike = Map.groupBy(servers, ({ settings }) => settings.join(" "));
  return [...alike].map(([settings, some]) => {
    const port = /:(\d+)/.exec(some[0]?.usual.replace(/^https?:/, "") ?? "")?.[1] ?? "0";
    const set = settings === "" ? "" : settings.replaceAll(/(^| )(?=.)/g, " --set ");
    return `roundtrip serve ${some.map(({ stack }) => stack).join(" ")} --port ${port}${set}`;
  });
}

/** Markdown. */
export function exportReadme(plan: K6Plan, hasProtoFiles: boolean): string {
  const { studies, seed, servers, cells, arms } = plan;
  const calls = cells.reduce((sum, { tasks, armId }) => {
    const arm = arms.find(({ facts }) => facts.id === armId);
    return sum + tasks * (arm?.steps.length ?? 0);
  }, 0);
  const addresses = servers.map(({ variable, usual }) => `| \`${variable}\` | \`${usual}\` |`).join("\n");
  const protoRow = hasProtoFiles ? "\n| `proto/` | the contract's .proto files and what they import, to read |" : "";
  return `# ${studies.join(", ")}, driven by k6

One round of ${studies.join(", ")}: ${calls.toLocaleString("en")} calls in ${cells.length} cells, about ${seconds(lengthMs(plan))}, with the seed ${seed}.

| file | what it is |
| --- | --- |
| \`script.js\`, \`calls.js\` | what k6 runs, 1.x or 2.x; nothing in it depends on the study |
| \`plan.json\` | requests, schedules and cells; its \`planHash\` seals it: results of another plan are refused |
| \`contract.binpb\` | the contract as a descriptor set: what gRPC calls are made with |${protoRow}

## Run it

Start the servers, here or elsewhere:

\`\`\`sh
${serveCommands(servers).join("\n")}
\`\`\`

Where they are is told by variables, each with the address that it has otherwise:

| variable | otherwise |
| --- | --- |
${addresses}

\`\`\`sh
k6 run --out json=results.json ${servers
    .slice(0, 1)
    .map(({ variable, usual }) => `-e ${variable}=${usual} `)
    .join("")}script.js
\`\`\`

k6 brings the servers to where the studies begin and warms them up first. \`-e PREPARED=1\` leaves that out, \`-e WARM_UP_MS=10000\` makes it longer.
Each call is a sample of \`roundtrip_call\`; everything else that k6 prints or writes is its own and is not needed. There are no thresholds: the
verdict is made of all samples together.

## On several machines

Each instance takes a segment, and needs nothing of the others but a clock that agrees with theirs (NTP). All begin at one moment, T0: the next
full ten seconds after all that has to be done before. Start them within the same ten seconds, or give all of them the same
\`-e T0=<milliseconds since 1970>\`.

\`\`\`sh
k6 run --execution-segment 0:1/2 --execution-segment-sequence 0,1/2,1 --address 127.0.0.1:6565 --out json=results-1.json script.js
k6 run --execution-segment 1/2:1 --execution-segment-sequence 0,1/2,1 --address 127.0.0.1:6566 --out json=results-2.json script.js
\`\`\`

Arrivals are those of the schedule only when all segments are merged. What one caller does falls to one instance.

## Bring the results home

\`\`\`sh
roundtrip bench --engine k6 --import results-1.json results-2.json --plan . --out run
\`\`\`

Run it several times, with the servers started anew each time: each run is a round, and intervals need at least six. Name all files at once, then.
`;
}
