// The topics of `roundtrip help`: what several flags have in common.
import { paperGroups, studyGroups, studyNames } from "@roundtrip/bench";
import { allStacks, defaultStackNames } from "@roundtrip/stacks/names";

function stylesText(): string {
  const styles = [...Map.groupBy(allStacks(), ({ style }) => style)];
  return styles
    .map(([style, stacks]) => {
      const servers = new Set(stacks.map(({ server }) => server));
      const clients = new Set(stacks.map(({ client }) => client));
      return `  ${style.padEnd(10)}${[...servers].join(", ")} (${[...clients].join(", ")})`;
    })
    .join("\n");
}

function studiesText(): string {
  const papers = paperGroups();
  const groups = [...studyGroups().keys()].filter((group) => !papers.has(group));
  const ofPapers = new Set([...papers.values()].flat());
  const alone = studyNames().filter(
    (name) => !groups.some((group) => name.startsWith(`${group}-`)) && !ofPapers.has(name),
  );
  const grouped = groups.map((group) => {
    const members = studyNames().filter((name) => name.startsWith(`${group}-`));
    return `  ${group.padEnd(11)}${members.map((name) => name.slice(group.length + 1)).join(", ")}`;
  });
  const published = [...papers].map(([paper, members]) => `  ${paper.padEnd(11)}${members.join(", ")}`);
  const lines = alone.join(", ").replaceAll(/(.{60,90}), /g, "$1,\n  ");
  return `  ${lines}\n\nGroups; load is all of its studies, load-rates one:\n${grouped.join("\n")}\n\nPublications, each with the studies that repeat it:\n${published.join("\n")}`;
}

const texts = {
  arrivals: () => `
Tasks begin on a schedule, the same for every stack; latency counts from the planned moment. Not
for studies with a load of their own.
  --arrivals poisson:200        200 a second, at random
  --arrivals constant:200       200 a second, evenly
  --arrivals ramp:50..400/10s   at random, from 50 to 400 a second within 10 s
  --arrivals FILE               a moment in ms on each line, ascending; # begins a comment
A round replays a whole ramp or recording, unless --calls says fewer.`,
  config: () => `
A typed flag wins over the environment, and that over roundtrip.config.ts in the working directory:
  --rounds 10        ROUNDTRIP_ROUNDS=10        export default { rounds: 10 };
The file is code, which --no-config does not run.
Through pnpm, -s leaves only what the program prints: pnpm -s bench --json.`,
  contract: () => `
--contract takes a folder of .proto files, one of them, or a descriptor set; then folders of
imports, and service configs (google.api.Service) with HTTP rules that lie elsewhere:
--contract proto,third-party,rules.yaml. It also takes grpc://HOST:PORT, a server with reflection
(grpcs:// with TLS), the URL of a descriptor set, and npm:PACKAGE/FOLDER, an installed package.

Then bench without a study, compare and export take your unary operations, each with a request that
is answered, and with a read mask also field by field. The fake answers, unless --target or --serve
names your servers. --tasks FILE (YAML or JSON) has your own steps, loops over answers and sets of
calls at once. What may write is called on your servers if --operations or --tasks names it, on
targets only with --disposable.`,
  engines: () => `
  node   this program's own clients, one process for each stack
  k6     k6 1.x or 2.x, after the usual start and warm-up; k6=2 are two processes
What k6 cannot do is left out, with a note. "roundtrip export k6" writes what k6 runs elsewhere,
with --kubernetes manifests too; bench --import brings the results home. More: docs/k6.md.`,
  load: () => `
Three studies take your tasks (--contract, --tasks or --operations) and levels:
  load-calls    the rate that each style carries within --load p99=20ms
  load-rates    response times at --load rate=50,100 arrivals a second, beside models
  concurrency   --load callers=1,3,9,think=0,2,12: callers who pause so many ms, beside a model
Without --operations, the first 3 that can be measured. "load" is load-calls, and load-rates with
rates. "roundtrip predict --from RUN" predicts other loads from such a run.`,
  logs: () => `
Logs are recognised by their content; .gz is unpacked.
  access logs       Common and Combined Log Format (Apache, nginx, Traefik), Envoy's default
  JSON lines        time, method, path (url, uri), status, grpc_status, content_type, request_body
  HAR file          from browsers and proxies, with bodies
  a fake's own      its calls (GET /calls), and its recordings
Failed requests are left out. Secrets, debug_redact fields, page tokens and headers are not written.
Other names in JSON lines, for --fields:
  Caddy     time=ts,method=request.method,target=request.uri
  nginx     time=time_iso8601,method=request_method,target=request_uri
  Envoy     time=start_time,status=response_code
  Traefik   time=StartUTC,method=RequestMethod,target=RequestPath,status=DownstreamStatus`,
  models: () => `
  mm1   random (Poisson) arrivals at one server, exponential service times
  mmc   the same, with several servers and one queue
  mva   callers who wait and think, in a network of stations, from a file:
          { "population": 6, "thinkMs": 9,
            "stations": [{ "name": "server CPU", "demandMs": 3.6, "service": "constant" },
                         { "name": "network", "kind": "delay", "demandMs": 1.5 }] }
        service is exponential unless constant; phaseTwoMs is the part of demandMs after the answer
--from RUN takes the demands of each task from one caller of a run of bench, and predicts by mva
what --load callers would see, and after a change --what-if. --service-ms is the server's CPU time
of a task where the run has none. Assumptions: docs/models.md.`,
  network: () => `
--link takes a kind and keys; every combination of values is one network:
--link kernel,rtt=1,50,window=64k,1m makes four.
  rtt                     round-trip time in ms
  bandwidth               Mbit/s in each direction
  loss                    percent of packets lost in each direction
  congestion              the kernel's congestion control: cubic, reno, bbr
  window                  largest TCP receive window: 64k, 1m
  window-at               the receivers with that window: both, client, server
  initial-window          segments of a connection's first window: 10, 200
  saved-metrics           on or off: the kernel saves metrics for the next connection
  window-scaling          on or off: TCP windows above 64 KB
  slow-start-after-idle   on or off: a pause takes TCP back to a small window
Kinds; auto takes the first that can:
  loopback   the machine's own network
  kernel     two network namespaces (Linux; netem, or rattan: cargo install rattan --locked)
  relay      delays what crosses it, for small calls`,
  settings: () => `
"roundtrip describe" lists what can be set on each stack and service. Several values are levels,
measured beside each other: --set grpc-js.maxConcurrentStreams=2,100.
Of several settings all combinations are measured, 8 of a stack at most. Stacks are compared at
their defaults, or where the same is set on both.`,
  stacks: () => `
A stack is a server and a client of one style. --stack takes names of:
  rest            a style: its default stack
  fastify         a server, with its style's default client
  axios           a client, with its style's default server
  fastify+axios   a server and a client
  rest-express    a stack; or all
Without it: ${defaultStackNames().join(", ")}.
check judges a stack's style; "code" is generated code of callers.

Styles with their servers (and clients), defaults first:
${stylesText()}`,
  studies: () => `
${studiesText()}

libraries takes every server with its style's default client, and every client with its default
server; with --stack all, every server with every client.`,
  targets: () => `
A --target runs already: only clients start anew each round, and its CPU time is not known. What
writes is left out unless --disposable. Beside targets, only stacks that --stack names are served.
The floor, a TCP echo, is the lower bound: "roundtrip serve floor" beside your servers is a target.
With --serve, a command starts your server in each round: it listens on {port} or prints its
address. Its CPU time is known. --serve fake measures the contract's fake instead.
Callers may need a certificate authority, and a bearer token from the environment:
  --target rest=https://host,ca=ca.pem,token-env=TOKEN
  --serve "bin/server {port}" --serve token-env=TOKEN`,
  versions: () => `
BASE and HEAD are both of one kind:
  main, HEAD^1        git revisions, built and measured in folders of their own
  dir=../main         folders, which are copied
  "cmd=bin/server"    programs, started without a shell
  rest=http://host    servers that run already: only latency is judged
  runs/monday         run directories: compared, not judged, as they are from different jobs
Both are measured in the same rounds: fresh processes, random order, the same load and client. A
program listens on {port} (PORT has it too), or prints its address; {stack} is the stack's name.

A contract inside the repository is read in each version. Answers must be equal before anything is
timed. Without a command that serves, or with --serve fake, fakes of both contracts are compared.

FAIL: slower by more than --tolerate, also when measured again, which may take up to twice the
budget more. PASS: not slower by --detect. Otherwise INCONCLUSIVE. Judged are median latency and
server CPU.`,
} satisfies Readonly<Record<string, () => string>>;

export type TopicName = keyof typeof texts;

export const topicNames = Object.keys(texts) as readonly TopicName[];

export function topicText(name: TopicName): string {
  return `${texts[name]().slice(1)}\n`;
}

export function topicList(): string {
  const lines = [topicNames.slice(0, 7), topicNames.slice(7)].map((names) => `  ${names.join(", ")}`);
  return `\nTopics of roundtrip help:\n${lines.join(",\n")}`;
}
