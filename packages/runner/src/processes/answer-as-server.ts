// What a server process does when asked: one stack, one service. Where their modules come from is for its program to say.
import { serveDefaults, type RunningServer, type Serve } from "@roundtrip/stacks";
import { ProcessWatch } from "../evidence/process-watch.ts";
import { answerQuestions } from "./answer-questions.ts";
import { keepCompiledModules } from "./code-cache.ts";
import { loadContract, serviceFrom, type ServiceModule } from "./load-source.ts";
import type { CpuAnswer, ServerQuestion, ServerStart, ServerStarted } from "./messages.ts";

/** Where a server process has its modules from. */
export interface ServerModules {
  readonly loadServe: (stack: string) => Promise<Serve>;
  readonly loadService: (module: string) => Promise<ServiceModule>;
}

function cpu(): CpuAnswer {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000 };
}

/** Answers the runner as the server process of a pair, until the runner is gone. */
export function answerAsServer({ loadServe, loadService }: ServerModules): void {
  let server: RunningServer | undefined;
  let watch: ProcessWatch | undefined;

  async function start(how: ServerStart): Promise<ServerStarted> {
    const { stack, host, settings, contract, service, services, tls } = how;
    const serve = await loadServe(stack);
    const loaded = loadContract(contract);
    const served = serviceFrom(await loadService(service.module), service, loaded, services);
    server = await serve(served, { ...serveDefaults, host, settings, tls });
    keepCompiledModules();
    return { url: server.url };
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
}
