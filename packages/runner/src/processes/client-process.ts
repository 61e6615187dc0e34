// A client process: the client of one stack and nothing else. It has a session for each server that it calls.
import type { Contract } from "@roundtrip/contract";
import { connectDefaults, loadConnect, type Connect } from "@roundtrip/stacks";
import { bearerClient } from "../measure/ready-call.ts";
import { liveHeapBytes } from "../evidence/process-memory.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { answerRequests, keepLoadedModules } from "./answer-requests.ts";
import { ClientSession, type OpenClient } from "./client-session.ts";
import { loadContract, loadService } from "./load-source.ts";
import { makeWarmUpPasses } from "../measure/warm-up-passes.ts";
import type { AskLoad, AskWarmUp, ClientRequest, ClientStart, OfSession, WarmUpAnswer } from "./messages.ts";

interface Loaded {
  readonly contract: Contract;
  readonly connect: Connect;
}

let loaded: Promise<Loaded> | undefined;
const sessions = new Map<string, ClientSession>();

async function loadedFrom({ stack, contract: source, inProcess }: AskLoad): Promise<Loaded> {
  const contract = loadContract(source);
  if (inProcess === undefined) return { contract, connect: await loadConnect(stack) };
  const service = await loadService(inProcess.source, contract, inProcess.settings);
  const { memoryClient } = await import("@roundtrip/stacks/memory");
  return { contract, connect: () => Promise.resolve(memoryClient(() => service)) };
}

async function load(request: AskLoad): Promise<null> {
  loaded ??= loadedFrom(request);
  await loaded;
  return null;
}

async function start(request: ClientStart & OfSession): Promise<null> {
  if (loaded === undefined) throw new RunnerError("bad-plan", "the client has loaded nothing");
  const { contract, connect } = await loaded;
  const { url, ca, settings, tokenVariable } = request;
  const open: OpenClient = async (connections) =>
    bearerClient(await connect(contract, { ...connectDefaults, url, ca, settings, connections }), tokenVariable);
  sessions.set(request.session, new ClientSession(contract, open, request));
  keepLoadedModules();
  return null;
}

function opened({ session: name }: OfSession): ClientSession {
  const session = sessions.get(name);
  if (session === undefined) throw new RunnerError("bad-plan", "the client was not started");
  return session;
}

async function warmUp({ rule, session, inTurnWith = [] }: AskWarmUp & OfSession): Promise<WarmUpAnswer> {
  const inTurn = await Promise.all([session, ...inTurnWith].map((name) => opened({ session: name }).warmUpPass(rule)));
  const warmedUp = await makeWarmUpPasses(inTurn, rule);
  return { ...warmedUp, taskMs: inTurn[0]?.times.estimates ?? {} };
}

answerRequests((request: ClientRequest) => {
  switch (request.ask) {
    case "load":
      return load(request);
    case "start":
      return start(request);
    case "firstCall":
      return opened(request).firstCall(request);
    case "setup":
      return opened(request).setup(request);
    case "answers":
      return opened(request).answers(request);
    case "use":
      return opened(request).use(request);
    case "warmUp":
      return warmUp(request);
    case "block":
      return opened(request).block(request);
    case "heap":
      return liveHeapBytes();
    case "stop":
      return Promise.all([...sessions.values()].map((session) => session.close()));
  }
});
