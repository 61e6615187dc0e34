// Pictures of runs with several libraries of a style: rows below a heading for each style.
import { expect, it } from "vitest";
import { armFor } from "../../analysis/test/synthetic-run.ts";
import { styleRows } from "../src/marks/rows.ts";

function rowOf(style: string, libraries: string, stackTitle: string, after = ""): Parameters<typeof styleRows>[0][0] {
  const [server = "", client = ""] = libraries.split(", ");
  const id = `${stackTitle}${after}`;
  const role = style === "floor" ? "floor" : "style";
  const stack = { style, server, client, stack: stackTitle, role, title: id, stackTitle } as const;
  return { id, label: id, arm: armFor({ id, ...stack, variant: "single" }) };
}

const rest = rowOf("rest", "express, undici", "REST");

it("rows of a picture have a heading for each style, and name server and client, where a style has several libraries", () => {
  const { rows, headings } = styleRows([
    rowOf("graphql", "mercurius, undici", "GraphQL (mercurius)", " (keepAlive=false)†"),
    rest,
    rowOf("rest", "express, fetch", "REST (express, fetch)"),
    rowOf("rest", "target, undici", "REST (my-server)"),
    rowOf("floor", "floor, floor", "TCP echo"),
  ]);
  expect(rows.map(({ label }) => label)).toEqual([
    "",
    "mercurius, undici (keepAlive=false)†",
    "",
    "express, undici",
    "express, fetch",
    "my-server",
    "TCP echo",
  ]);
  expect(headings).toHaveLength(1);
});
