// SOAP by plain `fetch`: sends the commands of the service page. A program in Python reads answers by zeep, and validates them against the WSDL.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import type { Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "../../packages/contract/src/index.ts";
import { readEnvelope } from "../../packages/styles/src/soap/envelope.ts";
import { errorOf } from "../../packages/styles/src/soap/errors.ts";
import { messageFrame } from "../../packages/styles/src/soap/values/message-reader.ts";
import { pythonWith } from "../outside/python-environment.ts";
import { longestCallMs, normal, refused, sessionHeader, type CallExample } from "./called.ts";
import { commandsOn } from "./page-commands.ts";

interface Judge extends Disposable {
  /** What is wrong with the envelopes of a call. Rejects if the program has ended. */
  faultsIn(call: readonly [service: string, operation: string, request: string, answer: string]): Promise<string[]>;
}

const here = (name: string): string => join(import.meta.dirname, name);

function judgeBy(wsdlPath: string): Judge {
  const python = pythonWith(here("../outside/zeep/requirements.txt"));
  const child = spawn(python, [here("read_soap.py"), wsdlPath], { stdio: ["pipe", "pipe", "inherit"] });
  // A program that has ended answers nothing, which is reported.
  child.stdin.on("error", () => undefined);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async faultsIn(call) {
      child.stdin.write(`${JSON.stringify(call)}\n`);
      const { done, value } = await lines.next();
      if (done === true) throw new Error("zeep cannot load the WSDL");
      return JSON.parse(value) as string[];
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

/** The message in an answer. Throws an error for anything else. */
function messageIn(body: Uint8Array, { output }: Operation): Message {
  return readEnvelope(body, {
    openBody: () => messageFrame(output, "refused"),
    checkVersion: () => undefined,
  }) as Message;
}

export interface SoapServer {
  readonly url: string;
  /** The path of the WSDL, as `describe` writes it. */
  readonly wsdlPath: string;
}

export interface SoapCaller extends Disposable {
  readonly call: CallExample;
}

/** Rejects if the page cannot be read. */
export async function soapCaller(contract: Contract, { url, wsdlPath }: SoapServer): Promise<SoapCaller> {
  const commands = commandsOn(await (await fetch(url)).text());
  const judge = judgeBy(wsdlPath);
  return {
    async call(operation, session) {
      const { kind, id, method } = operation;
      if (kind !== "unary") return undefined;
      const { headers, body = "", url: endpoint = url } = commands.get(id) ?? {};
      if (body === "") return refused("the service page has no example");
      const response = await fetch(endpoint, {
        method: "POST",
        headers: { ...headers, [sessionHeader]: session },
        body,
        signal: AbortSignal.timeout(longestCallMs),
      });
      const answer = new Uint8Array(await response.arrayBuffer());
      if (!response.ok) {
        const { code, message } = errorOf({ status: response.status, body: Buffer.from(answer) });
        return refused(`${code}: ${message}`);
      }
      const faults = await judge.faultsIn([method.parent.typeName, method.name, body, Buffer.from(answer).toString()]);
      return { refusal: undefined, answers: [normal(contract, operation, messageIn(answer, operation))], faults };
    },
    [Symbol.dispose]: () => judge[Symbol.dispose](),
  };
}
