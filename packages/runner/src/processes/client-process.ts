// A client process: one stack's client and nothing else. What it does when asked is its room's.
import type { Contract } from "@roundtrip/contract";
import { connectDefaults, loadConnect, type Connect } from "@roundtrip/stacks";
import { bearerClient } from "../target/bearer-client.ts";
import { RunnerError } from "../runner-error.ts";
import { answerQuestions } from "./answer-questions.ts";
import { ClientRoom, type Open } from "./client-room.ts";
import { keepLoadedModules } from "./code-cache.ts";
import { loadContract } from "./load-source.ts";
import type { AskLoad, ClientQuestion, ClientStart } from "./messages.ts";

interface Loaded {
  readonly contract: Contract;
  readonly connect: Connect;
}

let loaded: Loaded | undefined;
let room: ClientRoom | undefined;

async function load({ stack, contract }: AskLoad): Promise<null> {
  loaded = { contract: loadContract(contract), connect: await loadConnect(stack) };
  return null;
}

function start(question: ClientStart): null {
  if (loaded === undefined) throw new RunnerError("bad-plan", "the client has loaded nothing");
  const { contract, connect } = loaded;
  const { url, ca, settings, tokenVariable } = question;
  const open: Open = async (connections) =>
    bearerClient(await connect(contract, { ...connectDefaults, url, ca, settings, connections }), tokenVariable);
  room = new ClientRoom(contract, open, question);
  keepLoadedModules();
  return null;
}

function opened(): ClientRoom {
  if (room === undefined) throw new RunnerError("bad-plan", "the client was not started");
  return room;
}

answerQuestions((question: ClientQuestion) => {
  switch (question.ask) {
    case "load":
      return load(question);
    case "start":
      return start(question);
    case "firstCall":
      return opened().firstCall(question);
    case "setup":
      return opened().setup(question);
    case "answers":
      return opened().answers(question);
    case "use":
      return opened().use(question);
    case "warmUp":
      return opened().warmUp(question);
    case "block":
      return opened().block(question);
    case "stop":
      return room?.close();
  }
});
