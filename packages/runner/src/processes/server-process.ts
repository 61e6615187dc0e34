// A server process as its sources are: one stack, one service, nothing else loaded.
import { loadServe } from "@roundtrip/stacks";
import { answerAsServer } from "./answer-as-server.ts";
import type { ServiceModule } from "./load-source.ts";

answerAsServer({ loadServe, loadService: async (module) => (await import(module)) as ServiceModule });
