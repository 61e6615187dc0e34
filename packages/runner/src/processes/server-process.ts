// A server process: one stack, one service, nothing else loaded.
import { loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { ProcessWatch } from "../evidence/process-watch.ts";
import { answerQuestions, keepLoadedModules } from "./answer-questions.ts";
import { loadContract, loadService } from "./load-source.ts";
import { usedMs } from "../evidence/process-cpu.ts";
import type { CpuAnswer, ServerQuestion, ServerStart, ServerStarted } from "./messages.ts";

let server: RunningServer | undefined;
let watch: ProcessWatch | undefined;

async function start(how: ServerStart): Promise<ServerStarted> {
  const { stack, host, settings, contract, service, services, tls } = how;
  const serve = await loadServe(stack);
  const served = await loadService(service, loadContract(contract), services);
  server = await serve(served, { ...serveDefaults, host, settings, tls });
  keepLoadedModules();
  return { url: server.url };
}

function cpu(): CpuAnswer {
  return { cpuMs: usedMs(process.cpuUsage()) };
}

answerQuestions((question: ServerQuestion) => {
  switch (question.ask) {
    case "start":
      return start(question);
    case "cpu":
      return cpu();
    case "watch":
      watch ??= new ProcessWatch();
      return watch.begin();
    case "watched":
      return watch?.end();
    case "stop":
      return server?.close();
  }
});
