// Methods that a path of the interface does not have are answered as those of every document.
import { otherMethodAnswer } from "@roundtrip/styles/http/server";
import type { RequestHandler } from "express";

/** The end of a route, for methods without a handler. HEAD has that of GET. */
export const otherMethods: RequestHandler = ({ method, path, route }, response) => {
  const { methods } = route as { readonly methods: Readonly<Record<string, boolean>> };
  const names = Object.keys({ ...methods, ...(methods["get"] && { head: true }) }).filter((name) => name !== "_all");
  const { status, headers } = otherMethodAnswer(
    path,
    method,
    names.map((name) => name.toUpperCase()),
  );
  response.status(status).set(headers).end();
};
