// A client process as its sources are: one stack's client and nothing else loaded.
import { loadConnect } from "@roundtrip/stacks";
import { answerAsClient } from "./answer-as-client.ts";

answerAsClient({ loadConnect });
