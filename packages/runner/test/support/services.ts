// Services that misbehave, loaded by server processes of their own, and versions of a server that are programs.
import { type Contract, type Service } from "@roundtrip/contract";
import type { ServerCommand, Version } from "../../src/index.ts";
import { serviceOf } from "@roundtrip/contract/service";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import {
  DownloadResponseSchema,
  UploadResponseSchema,
  type UploadRequest,
} from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { create, type Message } from "@bufbuild/protobuf";
import { subscribe } from "node:diagnostics_channel";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const sayHello = "roundtrip.v1.HelloService.SayHello";

function answering(contract: Contract, answer: () => string): Service {
  return serviceOf(contract, new Map([[sayHello, () => create(SayHelloResponseSchema, { message: answer() })]]));
}

/** Answers differently in every process. */
export function moodyService(contract: Contract): Service {
  return answering(contract, () => `I am process ${process.pid}`);
}

/** The file that a mortal server dies of once it is there. @param runner the process that started the server. */
export function fatalFile(runner: number): string {
  return join(tmpdir(), `roundtrip-fatal-${runner}`);
}

/** Calls that a mortal server answers before it dies. */
export const lastCalls = 4;

/**
 * After the process that started it has said so, answers some calls and is killed by the next, as by the kernel when memory is gone. It dies alone:
 * no other server does of the same file.
 */
export function mortalService(contract: Contract): Service {
  const fatal = fatalFile(process.ppid);
  let left: number | undefined;
  return answering(contract, () => {
    if (existsSync(fatal)) {
      rmSync(fatal);
      left = lastCalls;
    }
    if (left === 0) process.kill(process.pid, "SIGKILL");
    if (left !== undefined) left -= 1;
    return "Hello!";
  });
}

/** How long a halting server has a process stopped: longer than a busy machine keeps a few calls from a core. */
export const stillMs = 2_500;

/** After the file of {@link fatalFile} is there, stops the process that it names in the middle of a call, and has it go on a while later. */
export function haltingService(contract: Contract): Service {
  const fatal = fatalFile(process.ppid);
  return answering(contract, () => {
    if (existsSync(fatal)) {
      const pid = Number(readFileSync(fatal, "utf8"));
      rmSync(fatal);
      spawn("sh", ["-c", `sleep ${stillMs / 1_000}; kill -CONT ${pid}`], { stdio: "ignore" });
      process.kill(pid, "SIGSTOP");
    }
    return "Hello!";
  });
}

/** Dies of its first call. */
export function stillbornService(contract: Contract): Service {
  return answering(contract, () => process.exit(7));
}

/** How often a cutting server cuts a transfer once its file is there. */
export const cuts = 3;
const chunkBytes = 65_536;

/**
 * Sends 3.9 MB, and takes as much. Once the file of {@link fatalFile} is there, the connections of some transfers are reset in the middle, one after the
 * other; the server stays.
 */
export function cuttingService(contract: Contract): Service {
  const fatal = fatalFile(process.ppid);
  const sockets = new Set<Socket>();
  subscribe("net.server.socket", (message) => {
    const { socket } = message as { readonly socket: Socket };
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  let left = 0;
  const cutsNow = (): boolean => {
    if (existsSync(fatal)) {
      rmSync(fatal);
      left = cuts;
    }
    left -= 1;
    return left >= 0;
  };
  const cut = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  const methods = {
    async *Download() {
      const isCut = cutsNow();
      for (let sent = 0; sent < 60; sent += 1) {
        if (isCut && sent === 30) cut();
        yield create(DownloadResponseSchema, { data: new Uint8Array(chunkBytes) });
        await setTimeout(1);
      }
    },
    async *Upload(requests: AsyncIterable<Message>) {
      const isCut = cutsNow();
      let taken = 0;
      for await (const chunk of requests) {
        taken += (chunk as UploadRequest).data.length;
        if (isCut && taken > 30 * chunkBytes) cut();
      }
      yield create(UploadResponseSchema, { sizeBytes: taken });
    },
  };
  const handlers = Object.entries(methods).map(
    ([name, method]) => [`roundtrip.v1.PayloadService.${name}`, method] as const,
  );
  return serviceOf(contract, new Map(handlers));
}

const greeter = join(import.meta.dirname, "greeter-process.mjs");

export function greeterCommand(...words: readonly string[]): ServerCommand {
  return { kind: "command", argv: [process.execPath, greeter, ...words], cwd: import.meta.dirname, env: {} };
}

/** Base greets as it should; head too, unless words say otherwise. */
export function versions(head: readonly string[] = [], base: readonly string[] = []): readonly Version[] {
  return [
    { name: "base", server: () => greeterCommand(...base) },
    { name: "head", server: () => greeterCommand(...head) },
  ];
}
