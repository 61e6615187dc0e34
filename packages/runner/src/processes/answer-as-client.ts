// What a client process does when asked: one stack's client, and what it is asked for is its room's. Where its modules come from is for its
// program to say.
import type { Contract } from "@roundtrip/contract";
import type { Connect } from "@roundtrip/stacks";
import { RunnerError } from "../runner-error.ts";
import { answerQuestions } from "./answer-questions.ts";
import { ClientRoom } from "./client-room.ts";
import { keepCompiledModules } from "./code-cache.ts";
import { loadContract } from "./load-source.ts";
import type { AskLoad, ClientQuestion, ClientStart } from "./messages.ts";

interface Loaded {
  readonly contract: Contract;
  readonly connect: Connect;
}

/** Where a client process has its modules from. */
export interface ClientModules {
  readonly loadConnect: (stack: string) => Promise<Connect>;
}

/** Answers the runner as the client process of a pair, until the runner is gone. */
export function answerAsClient({ loadConnect }: ClientModules): void {
  let loaded: Loaded | undefined;
  let room: ClientRoom | undefined;

  async function load({ stack, contract }: AskLoad): Promise<null> {
    loaded = { contract: loadContract(contract), connect: await loadConnect(stack) };
    return null;
  }

  function start(question: ClientStart): null {
    if (loaded === undefined) throw new RunnerError("bad-plan", "the client has loaded nothing");
    room = new ClientRoom(loaded.contract, loaded.connect, question);
    keepCompiledModules();
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
}
