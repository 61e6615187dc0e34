// `pnpm clients`: generates, compiles and calls clients of other projects, against a fake of booking and from documents of public contracts.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { exitStatus, jsonOption, namesArgument, printJson, programNamed, run } from "../../bench/program.ts";
import { atExit, temporaryFolder } from "../../packages/runner/src/lifetime/ends-with-us.ts";
import { contractFlags, locateContract } from "../contracts/locate-contract.ts";
import { type PublicContract, publicContracts } from "../contracts/public-contracts.ts";
import { type Cell, cells, type Client, clients, type Kit, kits } from "./clients.ts";

const root = join(import.meta.dirname, "../..");
const roundtrip = join(root, "packages/cli/bin/roundtrip.js");
const booking = ["--contract", `${root}/.ci/contracts/booking,${root}/.ci/contracts`];
const stacks = ["grpc-js", "rest-express", "graphql-apollo", "connect-node", "soap-node-http"];
/** Those whose documents clients are made of, too: of two vendors, a gateway, and one with resources that have edges. */
const others = ["secretmanager", "pubsub", "grpc-gateway", "freight", "authzed"];

type Environment = Readonly<Record<string, string>>;
interface Ended {
  readonly status: number;
  readonly text: string;
}

function bash(script: string, cwd: string, env: Environment): Promise<Ended> {
  return new Promise((resolve) => {
    const options = {
      cwd,
      env: { ...process.env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "auto", ...env },
      timeout: 600_000,
      maxBuffer: 2 ** 26,
    };
    execFile("bash", ["-euo", "pipefail", "-c", script], options, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : 1, text: stdout + stderr });
    });
  });
}

/** What a maker of code complains of, shortened; undefined if nothing. Python and Java print what is good in the same words. */
function complaint({ status, text }: Ended, says = /^$/): string | undefined {
  const lines = text
    .split("\n")
    .filter((line) => /\b(?:warn(?:ing)?|error)\b/i.test(line) && !/^\s*(?:go: |npm )/.test(line) && !says.test(line));
  if (status === 0 && lines.length === 0) return undefined;
  return (lines.length > 0 ? lines.slice(0, 3).join(" ") : text.slice(-300)).replaceAll(/\s+/g, " ").slice(0, 400);
}

/** What is read of answers. */
interface Answered {
  readonly name: string;
  readonly displayName?: string;
  readonly data?: { readonly hotel: { readonly displayName?: string } | null };
}

async function request(url: string, body?: object): Promise<Answered> {
  const sent = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(url, sent);
  return (await answer.json()) as Answered;
}

interface Fake {
  readonly env: Environment;
  readonly close: () => Promise<void>;
}

/** A fake of booking, with a reservation to watch. */
async function startFake(): Promise<Fake> {
  const child = spawn(process.execPath, [roundtrip, "fake", ...stacks, ...booking, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const running = atExit(() => child.kill("SIGTERM"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const url = JSON.parse(line) as Readonly<Record<string, string>>;
  const rest = url["rest-express"] ?? "";
  const { name: guest } = await request(`${rest}/v1/guests`, { displayName: "Ada", email: "ada@booking.example" });
  const stay = { checkInTime: "2030-01-01T12:00:00Z", checkOutTime: "2030-01-03T12:00:00Z" };
  const { name } = await request(`${rest}/v1/${guest}/reservations`, { room: "hotels/hotel-1/rooms/room-1", ...stay });
  const names = {
    GRPC: "grpc-js",
    REST: "rest-express",
    GRAPHQL: "graphql-apollo",
    CONNECT: "connect-node",
    SOAP: "soap-node-http",
  };
  const env = Object.fromEntries(Object.entries(names).map(([variable, stack]) => [variable, url[stack] ?? ""]));
  return {
    env: { ...env, RESERVATION: name },
    close: async () => {
      running[Symbol.dispose]();
      await once(child, "exit");
    },
  };
}

async function documentsOf(flags: readonly string[], folder: string): Promise<Environment> {
  const args = [roundtrip, "describe", ...flags, "--stack", "rest-express,graphql-apollo", "--out", folder];
  const { status, text } = await bash([process.execPath, ...args].map((each) => `'${each}'`).join(" "), root, {});
  if (status !== 0) throw new Error(text);
  return { OPENAPI: join(folder, "openapi.yaml"), SCHEMA: join(folder, "schema.graphql") };
}

/** All sources, with what they import, in one folder. */
function protoTree(folder: string): string {
  for (const part of ["well-known", "common-imports", "complete-rules"])
    cpSync(join(root, "packages/contract", part), folder, { recursive: true });
  cpSync(join(root, ".ci/contracts/booking"), join(folder, "booking"), { recursive: true });
  return folder;
}

/** The kits that this machine can have, each with why not. */
async function installed(wanted: ReadonlySet<Kit>, home: string): Promise<ReadonlyMap<Kit, string | undefined>> {
  const missing = new Map<Kit, string | undefined>();
  for (const kit of wanted) {
    const { needs, install } = kits[kit];
    const folder = join(home, kit);
    const isNew = !existsSync(join(folder, "installed"));
    mkdirSync(folder, { recursive: true });
    cpSync(join(import.meta.dirname, "programs"), join(folder, "programs"), { recursive: true });
    // oxlint-disable-next-line no-await-in-loop -- one heavy program at a time
    const { status, text } = isNew
      ? await bash(`${needs} && ${install} && touch installed`, folder, {})
      : { status: 0, text: "" };
    missing.set(kit, status === 0 ? undefined : text.trim().slice(-300) || `it needs \`${needs}\``);
  }
  return missing;
}

type Outcome = Record<Cell, string>;

/** The lines that a program printed: a verdict for each cell, and what it created. */
async function called(client: Client, folder: string, env: Environment): Promise<Partial<Outcome>> {
  const { text } = await bash(client.call, folder, env);
  const lines = new Map(
    text.split("\n").map((line) => [line.split(" ", 1)[0] ?? "", line.slice(line.indexOf(" ") + 1)]),
  );
  const outcome: Partial<Outcome> = {};
  for (const cell of cells.slice(1))
    outcome[cell] = lines.get(cell) ?? `not reached: ${text.slice(-200).replaceAll(/\s+/g, " ")}`;
  // What one style has created, another one reads.
  const name = lines.get("created") ?? "";
  const query = `query($name: String!) { hotel(name: $name) { displayName } }`;
  const read = client.isRest
    ? (await request(env["GRAPHQL"] ?? "", { query, variables: { name } })).data?.hotel
    : await request(`${env["REST"]}/v1/${name}`);
  if (outcome.connects === "ok" && read?.displayName !== `Client ${client.name}`)
    outcome.connects = `another style reads ${JSON.stringify(read)} at ${name}`;
  return outcome;
}

async function outcomeOf(
  client: Client,
  home: string,
  env: Environment,
  documents: readonly Environment[],
): Promise<Outcome> {
  const folder = join(home, client.kit);
  const own = { ...env, CLIENT: client.name };
  const made = await bash(`${client.generate || ":"}\n${client.compile || ":"}`, folder, own);
  const outcome = {
    generates: complaint(made, client.says) ?? "ok",
    ...(await called(client, folder, own)),
  } as Outcome;
  if (!client.fromDocument) return outcome;
  for (const document of documents) {
    const script = client.generate;
    const { CONTRACT: contract = "" } = document;
    // oxlint-disable-next-line no-await-in-loop -- one heavy program at a time
    const why = complaint(await bash(script, folder, { ...own, DOCUMENTS: "", ...document }), client.says);
    const limit = client.cannot?.[contract];
    if (limit !== undefined && why === undefined) outcome.generates = `${contract}: no longer a limit`;
    if (limit === undefined && why !== undefined) outcome.generates = `${contract}: ${why}`;
  }
  return outcome;
}

interface Options {
  readonly json?: true;
  readonly keep?: string;
  readonly only?: true;
}

async function runAll(given: readonly string[], { json, keep, only }: Options): Promise<void> {
  const say = (line: string): void => void (json === true ? process.stderr : process.stdout).write(`${line}\n`);
  const chosen = clients.filter(({ name }) => given.length === 0 || given.includes(name));
  using folder = temporaryFolder("clients");
  const home = keep ?? folder.path;
  const missing = await installed(new Set(chosen.flatMap(({ kit, also = kit }) => [also, kit])), home);
  const documents: Environment[] = [];
  for (const name of only === true ? [] : others) {
    // oxlint-disable-next-line no-await-in-loop -- one heavy program at a time
    const contract = publicContracts.find((each) => each.name === name) as PublicContract;
    const flags = contractFlags(locateContract(contract, join(folder.path, name)));
    documents.push({ ...(await documentsOf(flags, join(folder.path, `${name}-documents`))), CONTRACT: name });
  }
  const env = {
    ROOT: root,
    PROGRAMS: join(import.meta.dirname, "programs"),
    KITS: home,
    PROTO: protoTree(join(folder.path, "proto")),
  };
  const described = await documentsOf(booking, join(folder.path, "documents"));
  const fake = await startFake();
  const outcomes: Record<string, Outcome> = {};
  let isAllFine = true;
  for (const client of chosen) {
    const lacks = missing.get(client.kit) ?? missing.get(client.also ?? client.kit);
    if (lacks !== undefined) {
      say(`note: ${client.name} is left out: ${lacks.replaceAll(/\s+/g, " ")}`);
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- one heavy program at a time
    const outcome = await outcomeOf(client, home, { ...env, ...described, ...fake.env }, documents);
    outcomes[client.name] = outcome;
    const marks = cells.map((cell) =>
      outcome[cell] === "ok" ? "ok" : client.limits[cell] === undefined ? "WRONG" : "limit",
    );
    say(`${client.name.padEnd(36)}${marks.map((mark) => mark.padEnd(10)).join("")}`);
    for (const cell of cells) {
      const limit = client.limits[cell];
      if (outcome[cell] !== "ok" && limit === undefined) {
        isAllFine = false;
        say(`  ${cell}: ${outcome[cell]}`);
      } else if (limit !== undefined) {
        if (outcome[cell] === "ok") isAllFine = false;
        say(`  ${cell}: ${outcome[cell] === "ok" ? "no longer a limit, take it off the list" : limit}`);
      }
    }
  }
  await fake.close();
  if (json === true) printJson({ cells, outcomes });
  if (!isAllFine) process.exitCode = exitStatus.found;
}

await run(
  programNamed("clients", "Generates, compiles and calls clients of other projects.")
    .addArgument(
      namesArgument(
        "[name...]",
        "which clients; all unless named",
        clients.map(({ name }) => name),
      ),
    )
    .addOption(jsonOption())
    .option("--keep <folder>", "install there, or use what is installed there")
    .option("--only", "without documents of public contracts")
    .action(runAll),
);
