// A client process: one stack's client and nothing else. What it does when asked is its room's.
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { bearerClient } from "../bearer-client.ts";
import { RunnerError } from "../runner-error.ts";
import { answerQuestions } from "./answer-questions.ts";
import { ClientRoom, type Open } from "./client-room.ts";
import { keepCompiledModules } from "./code-cache.ts";
import { loadContract } from "./load-source.ts";
import type { ClientQuestion, ClientStart } from "./messages.ts";

let room: ClientRoom | undefined;

async function start(question: ClientStart): Promise<null> {
  const contract = loadContract(question.contract);
  const connect = await loadConnect(question.stack);
  const { url, ca, settings, tokenVariable } = question;
  const open: Open = async (connections) =>
    bearerClient(await connect(contract, { ...connectDefaults, url, ca, settings, connections }), tokenVariable);
  room = new ClientRoom(contract, open, question);
  keepCompiledModules();
  return null;
}

function opened(): ClientRoom {
  if (room === undefined) throw new RunnerError("bad-plan", "the client was not started");
  return room;
}

answerQuestions((question: ClientQuestion) => {
  switch (question.ask) {
    case "start":
      return start(question);
    case "firstCall":
      return opened().firstCall(question);
    case "setup":
      return opened().setup(question);
    case "answers":
      return opened().answers();
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
