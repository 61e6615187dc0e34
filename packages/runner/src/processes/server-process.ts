// A server process: one stack, one service, nothing else loaded.
import { loadServe, serveDefaults, type RunningServer } from "@roundtrip/stacks";
import { liveHeapBytes } from "../evidence/process-memory.ts";
import { ProcessWatch } from "../evidence/process-watch.ts";
import { answerRequests, keepLoadedModules } from "./answer-requests.ts";
import { loadContract, loadService } from "./load-source.ts";
import { usedMs } from "../evidence/process-cpu.ts";
import type { CpuAnswer, ServerRequest, ServerStart, ServerStarted } from "./messages.ts";

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

answerRequests((request: ServerRequest) => {
  switch (request.ask) {
    case "start":
      return start(request);
    case "cpu":
      return { cpuMs: usedMs(process.cpuUsage()) } satisfies CpuAnswer;
    case "watch":
      watch ??= new ProcessWatch();
      return watch.begin();
    case "watched":
      return watch?.end();
    case "heap":
      return liveHeapBytes();
    case "stop":
      return server?.close();
  }
});
