// Sends a captured request again, as plain bytes. Later answers are compared with the answer to it.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { RunnerError } from "../basics/runner-error.ts";
import type { CapturedRequest } from "./capture-request.ts";

/** The body of the answer. Rejects with a RunnerError `answers-differ` unless the status is 2xx. */
export function sendCaptured(url: string, { method, path, headers, body }: CapturedRequest): Promise<string> {
  const target = new URL(path, url);
  const request = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(
      target,
      // The certificate was made for this run; our own clients have checked it.
      { method, headers: { ...headers, "content-length": body.length }, rejectUnauthorized: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(Buffer.concat(chunks).toString());
          else
            reject(new RunnerError("answers-differ", `the same request sent again was answered with status ${status}`));
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

function leavesOf(value: JsonValue): readonly (string | number | boolean | null)[] {
  if (value === null || typeof value !== "object") return [value];
  return Object.values(value).flatMap((inner) => leavesOf(inner));
}

/** True when every value of an answer stands in a JSON body, wherever the style puts it. */
export function bodyHolds(answer: JsonObject, body: string): boolean {
  const found = new Set(leavesOf(JSON.parse(body) as JsonValue));
  return leavesOf(answer).every((value) => found.has(value));
}
