// What a server shows people beside its API. Loaded when somebody asks for it: nothing of it costs a server that is only called.
import type { Contract } from "@roundtrip/contract";
import type { Response } from "express";
import { createHash } from "node:crypto";
import { openApi, openApiDocument } from "../openapi/openapi.ts";
import { apiPage } from "./api-page.ts";
import { style } from "./style.ts";

const styleHash = createHash("sha256").update(style).digest("base64");

const headers = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
} as const;

/** Answers with the page at one of the page's paths. @param origin where the API is served */
export function sendPage(contract: Contract, path: string, origin: string, response: Response): void {
  const isPage = path === "/docs";
  const text = isPage ? apiPage(openApiDocument(contract), origin) : openApi(contract);
  const type = isPage ? "text/html; charset=utf-8" : "application/yaml; charset=utf-8";
  response.writeHead(200, { ...headers, "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}
