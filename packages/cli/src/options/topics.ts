// The topics of `roundtrip help`: what several flags have in common.
import { studyGroups, studyNames } from "@roundtrip/bench";
import { allStacks, defaultStackNames } from "@roundtrip/stacks/names";

/** The topics, with what each is about. */
export const topics = {
  arrivals: "an open load: tasks that begin on a schedule",
  config: "flags in the environment and in roundtrip.config.ts",
  contract: "your own contract and tasks",
  engines: "who makes the calls: this program, or k6",
  load: "your tasks at rates and with several callers",
  logs: "which logs tasks can be made from",
  models: "what predict computes, and from what",
  network: "distance, bandwidth and loss between client and server",
  settings: "options of stacks and services",
  stacks: "names of styles, servers and clients",
  studies: "what bench can measure",
  targets: "servers that run elsewhere, or that a command starts",
  versions: "what compare compares, and its verdict",
} as const;

export type TopicName = keyof typeof topics;

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
  const groups = [...studyGroups().keys()];
  const alone = studyNames().filter((name) => !groups.some((group) => name.startsWith(`${group}-`)));
  const grouped = groups.map((group) => {
    const members = studyNames().filter((name) => name.startsWith(`${group}-`));
    return `  ${group.padEnd(11)}${members.map((name) => name.slice(group.length + 1)).join(", ")}`;
  });
  return `  ${alone.join(", ")}\n\nGroups; load is all of its studies, load-rates one:\n${grouped.join("\n")}`;
}

const texts: Readonly<Record<TopicName, () => string>> = {
  arrivals: () => `
Tasks begin on a schedule, the same for every stack, and latency counts from the planned moment.
Not for studies with a load of their own.
  --arrivals poisson:200        200 a second, at random
  --arrivals constant:200       200 a second, evenly
  --arrivals ramp:50..400/10s   at random, from 50 to 400 a second within 10 s
  --arrivals FILE               a moment in ms on each line, ascending; # begins a comment
A round replays a whole ramp or recording, unless --calls says fewer.`,
  config: () => `
A typed flag wins over the environment, and that over roundtrip.config.ts in the working directory:
  --rounds 10        ROUNDTRIP_ROUNDS=10        export default { rounds: 10 };
Through pnpm, -s leaves only what the program prints: pnpm -s bench --json.`,
  contract: () => `
--contract is a folder of .proto files, one of them, or a descriptor set; then, with commas, folders
where imports are found, and service configs (google.api.Service) with HTTP rules that lie neither
in the .proto files nor beside them: --contract proto,third-party,rules.yaml.

bench without a study, compare and export then take your operations: each unary one as it is, with
a request that was found to be answered, and with a read mask also field by field. The fake answers,
unless --target or --serve names your servers. --tasks FILE (YAML or JSON) has what you do with
them: steps, loops over answers, sets of calls at once. What may write is called on your servers if
--operations or --tasks names it, on targets only with --disposable.`,
  engines: () => `
  node   this program's own clients, one process for each stack
  k6     k6 1.x or 2.x: the same requests and arrivals, after the usual start and warm-up; what it
         cannot do is left out, with a note
"roundtrip export k6" writes what k6 runs elsewhere, with --kubernetes manifests too; its README.md
says how. bench --engine k6 --import brings the results home. More: docs/k6.md.`,
  load: () => `
Three studies take your tasks (--contract, --tasks or --operations) instead of their own:
  load-calls    the rate that each style carries with p99 within --p99
  load-rates    response times at --rate-hz arrivals a second, beside queueing models
  concurrency   --callers who pause for --think-ms between answers, beside a model
Without --operations, the first 3 that can be measured. "load" is load-calls, and load-rates with
--rate-hz. "roundtrip predict --from RUN" predicts other loads from such a run.`,
  logs: () => `
Logs are recognised by their content; .gz is unpacked.
  access logs       Common and Combined Log Format (Apache, nginx, Traefik), Envoy's default
  JSON lines        time, method, path (url, uri), status, grpc_status, content_type, request_body
  HAR file          from browsers and proxies, with bodies
  a fake's own      its calls (GET /calls), and its recordings
Requests with a status from 400, with 0, or with an error in grpc_status are left out. Secrets,
debug_redact fields, page tokens and headers are never written.
Other names in JSON lines, for --fields:
  Caddy     time=ts,method=request.method,target=request.uri
  nginx     time=time_iso8601,method=request_method,target=request_uri
  Envoy     time=start_time,status=response_code
  Traefik   time=StartUTC,method=RequestMethod,target=RequestPath,status=DownstreamStatus`,
  models: () => `
  mm1   random (Poisson) arrivals at one server, exponential service times
  mmc   the same, with several servers and one queue
  mva   callers who wait and think, in a network of stations, from a file:
          { "classes":  [{ "name": "callers", "population": 6, "thinkMs": 9 }],
            "stations": [{ "name": "server CPU", "demandMs": 3.6, "service": "constant" },
                         { "name": "network", "kind": "delay", "demandMs": 1.5 }] }
        service is exponential unless constant; demandMs may be one for each class by name;
        phaseTwoMs is the part of it after the answer.
--from RUN takes the demands of each task from one caller of a run of bench, and predicts by mva
what more callers would see, and with --server-speed or --farther-ms after a change. With it go
--only, --stack, --server-ms and --shared-client, too. Assumptions: docs/models.md.`,
  network: () => `
--link takes a kind and keys, with commas; every combination of values is one network:
--link kernel,rtt=1,50,window=64k,1m makes four.
  rtt                     round-trip time in ms
  bandwidth               Mbit/s in each direction
  loss                    percent of packets lost in each direction
  congestion              the kernel's congestion control: cubic, reno, bbr
  window                  largest TCP receive window in bytes: 64k, 1m
  window-scaling          on or off: TCP windows above 64 KB
  slow-start-after-idle   on or off: a pause takes TCP back to a small window
Kinds, all on this machine; auto takes the first that can:
  loopback   the machine's own network
  kernel     two network namespaces (Linux; netem, or rattan: cargo install rattan --locked)
  relay      delays what crosses it, on any machine, for small calls`,
  settings: () => `
"roundtrip describe" lists what can be set on each stack and service. Several values are levels,
measured beside each other: --set grpc-js.maxConcurrentStreams=2,100.
Of several settings all combinations are measured, 8 of a stack at most. Stacks are compared at
their defaults, or where the same is set on both; levels of one stack with each other.`,
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
A target runs already: only clients start anew each round, and its CPU time is not known. What
writes is left out unless --disposable. Beside targets, only stacks that --stack names are served.
The floor, a TCP echo, is the lower bound: "roundtrip serve floor" beside your servers is a target.
With --serve, a command starts your server in each round: it listens on {port} or prints its
address. Its CPU time is known. --target and --fakes win over a serve in roundtrip.config.ts.`,
  versions: () => `
BASE and HEAD are git revisions or run directories. Revisions are checked out, built and measured
in folders of their own; your work tree is not touched. Instead of them:
  --base-dir, --head-dir         folders, which are copied
  --base-cmd, --head-cmd         programs, started without a shell
  --base-target, --head-target   servers that run already: only latency is judged
Both are measured in the same rounds: fresh processes, random order, the same load and client. A
program listens on {port} (PORT has it too), or prints its address; several run at once. {stack}
is the stack's name.

A contract inside the repository is read in each version. Answers must be equal before anything is
timed. Without a command that serves, or with --fakes, fakes of both contracts are compared.

FAIL: slower by more than --tolerate, also when measured again, which may take up to twice the
budget more. PASS: not slower by --detect. Otherwise INCONCLUSIVE. Judged are median latency and
server CPU. Exit status: 0 pass or inconclusive, 1 fail, 2 inconclusive with --strict, 3 different
answers. Run directories are from different jobs: compared, not judged.`,
};

export function topicText(name: TopicName): string {
  return `${texts[name]().slice(1)}\n`;
}

/** For the help of the program. */
export function topicList(): string {
  const lines = Object.entries(topics).map(([name, about]) => `  ${name.padEnd(28)}  ${about}`);
  return `\nTopics of roundtrip help:\n${lines.join("\n")}`;
}
