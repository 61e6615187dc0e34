// The audits of the graphql-http package: requirements of the GraphQL over HTTP specification, with one or two requests each.
import { serverAudits } from "graphql-http";
import { createRequire } from "node:module";
import type { Finding, Suite } from "../suite.ts";

const style = "graphql";
const { version } = createRequire(import.meta.url)("graphql-http/package.json") as { readonly version: string };

export const suite: Suite = {
  about: "the GraphQL over HTTP specification, by the audits of its reference implementation",
  styles: [style],
  tools: [],
  allowed: [],
  size: serverAudits({ url: "" }).length,
  async run(environment) {
    const audits = serverAudits({ url: environment.url(style) });
    const findings: Finding[] = [];
    for (const { fn } of audits) {
      const result = await fn();
      if (result.status === "ok") continue;
      const { id, name, reason, response } = result;
      findings.push({ id, text: `${name}: ${reason}, but ${response.status} ${response.headers.get("content-type")}` });
    }
    return {
      program: `graphql-http ${version}`,
      unit: "audits",
      checked: audits.length,
      passed: audits.length - findings.length,
      findings,
    };
  },
};
