// The image is built where there is a container runtime; here its recipe is held against what it has to agree with.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { manifestsOf, only, sample } from "./sample.ts";

interface DeploymentUser {
  readonly spec: {
    readonly template: { readonly spec: { readonly securityContext: { runAsUser: number; runAsGroup: number } } };
  };
}

const rootText = (name: string): string => readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8");

const recipe = rootText("Containerfile");

/** The words after an instruction, each time that it is given. */
const instructions = (name: string): readonly string[] =>
  [...recipe.matchAll(new RegExp(`^${name} (.*)$`, "gm"))].map(([, words = ""]) => words);

test("the image has the Node.js that everything else here runs on", () => {
  const { devDependencies } = JSON.parse(rootText("package.json")) as { devDependencies: Record<string, string> };
  expect(instructions("ARG")).toEqual([`NODE_IMAGE=docker.io/library/node:${devDependencies["node"]}-bookworm-slim`]);
  expect(instructions("FROM")).toEqual(["${NODE_IMAGE} AS install", "${NODE_IMAGE}"]);
});

test("servers run as a user with a number that is not root's, the one that the manifests name", () => {
  const { spec } = only<DeploymentUser>(manifestsOf(sample), "Deployment", "load-grpc-js");
  const { runAsUser, runAsGroup } = spec.template.spec.securityContext;
  expect(runAsUser).toBeGreaterThan(0);
  expect(instructions("USER")).toEqual([`${runAsUser}:${runAsGroup}`]);
});

test("the image starts roundtrip, and nothing of it belongs to the user who runs it", () => {
  expect(instructions("ENTRYPOINT")).toEqual(['["node", "/roundtrip/packages/cli/bin/roundtrip.js"]']);
  expect(instructions("COPY")).toEqual([". .", "--from=install /roundtrip /roundtrip"]);
  expect(recipe.indexOf("\nUSER ")).toBeGreaterThan(recipe.lastIndexOf("\nCOPY "));
});

test("what is installed is what the lockfile says, without what only development needs", () => {
  expect(instructions("RUN")).toEqual([
    'npx --yes pnpm@10 install --prod --frozen-lockfile --filter "@roundtrip/cli..."',
  ]);
});

test("of the checkout only sources go in, by a list of what may, so that no file of a developer's does by chance", () => {
  const lines = rootText(".dockerignore").split("\n");
  const rules = lines.filter((line) => line !== "" && !line.startsWith("#"));
  expect(rules[0]).toBe("*");
  const taken = rules.filter((rule) => rule.startsWith("!")).map((rule) => rule.slice(1));
  expect(taken.join(" ")).toBe("package.json pnpm-lock.yaml pnpm-workspace.yaml LICENSE proto schema packages bench");
  expect(rules).toContain("**/node_modules");
});
