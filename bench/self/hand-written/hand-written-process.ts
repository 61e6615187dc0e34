// A server process like that of the runner, with a hand-written server.
import { serveDefaults, type RunningServer } from "@roundtrip/stacks";
import {
  answerQuestions,
  type ServerQuestion,
  type ServerStart,
  type ServerStarted,
} from "@roundtrip/runner/measured-process";
import { loadHandWritten } from "./hand-written.ts";

let server: RunningServer | undefined;

async function start({ stack }: ServerStart): Promise<ServerStarted> {
  const serve = await loadHandWritten(stack);
  server = await serve(serveDefaults);
  return { url: server.url };
}

answerQuestions((question: ServerQuestion) => {
  switch (question.ask) {
    case "start":
      return start(question);
    case "cpu":
      return { cpuMs: (process.cpuUsage().user + process.cpuUsage().system) / 1000 };
    case "watch":
    case "watched":
      return undefined;
    case "stop":
      return server?.close();
  }
});
