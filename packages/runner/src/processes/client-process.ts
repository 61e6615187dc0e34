// A client process: one stack's client and nothing else. What it does when asked is done by the room that belongs to a server.
import type { Contract } from "@roundtrip/contract";
import { connectDefaults, loadConnect, type Connect } from "@roundtrip/stacks";
import { bearerClient } from "../measure/bearer-client.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { answerQuestions } from "./answer-questions.ts";
import { ClientRoom, type Open } from "./client-room.ts";
import { keepLoadedModules } from "./code-cache.ts";
import { loadContract } from "./load-source.ts";
import { makeWarmUpPasses } from "../measure/warm-up-passes.ts";
import type { AskLoad, AskWarmUp, ClientQuestion, ClientStart, InRoom, WarmUpAnswer } from "./messages.ts";

interface Loaded {
  readonly contract: Contract;
  readonly connect: Connect;
}

let loaded: Promise<Loaded> | undefined;
const rooms = new Map<string, ClientRoom>();

async function loadedFrom({ stack, contract }: AskLoad): Promise<Loaded> {
  return { contract: loadContract(contract), connect: await loadConnect(stack) };
}

async function load(question: AskLoad): Promise<null> {
  loaded ??= loadedFrom(question);
  await loaded;
  return null;
}

async function start(question: ClientStart & InRoom): Promise<null> {
  if (loaded === undefined) throw new RunnerError("bad-plan", "the client has loaded nothing");
  const { contract, connect } = await loaded;
  const { url, ca, settings, tokenVariable } = question;
  const open: Open = async (connections) =>
    bearerClient(await connect(contract, { ...connectDefaults, url, ca, settings, connections }), tokenVariable);
  rooms.set(question.room, new ClientRoom(contract, open, question));
  keepLoadedModules();
  return null;
}

function opened({ room: name }: InRoom): ClientRoom {
  const room = rooms.get(name);
  if (room === undefined) throw new RunnerError("bad-plan", "the client was not started");
  return room;
}

async function warmUp({ rule, room, inTurnWith = [] }: AskWarmUp & InRoom): Promise<WarmUpAnswer> {
  const inTurn = await Promise.all([room, ...inTurnWith].map((name) => opened({ room: name }).warmUpPass(rule)));
  return makeWarmUpPasses(inTurn, rule);
}

answerQuestions((question: ClientQuestion) => {
  switch (question.ask) {
    case "load":
      return load(question);
    case "start":
      return start(question);
    case "firstCall":
      return opened(question).firstCall(question);
    case "setup":
      return opened(question).setup(question);
    case "answers":
      return opened(question).answers(question);
    case "use":
      return opened(question).use(question);
    case "warmUp":
      return warmUp(question);
    case "block":
      return opened(question).block(question);
    case "stop":
      return Promise.all([...rooms.values()].map((room) => room.close()));
  }
});
