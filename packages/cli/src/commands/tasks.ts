// `roundtrip tasks`: makes tasks and arrivals for `bench` from the log of a server.
import { Argument, type Command } from "commander";
import { newCommand } from "../options/help.ts";
import { keyValues } from "../options/key-values.ts";
import { contractOptions, durationOption, jsonOption, numberOption, valueOption } from "../options/options.ts";
import type { tasks } from "../actions/tasks.ts";
import type { FieldMap } from "../tasks/log-formats.ts";

const fieldNames = [
  "time",
  "method",
  "target",
  "status",
  "grpc-status",
  "media-type",
  "body",
] as const satisfies readonly (keyof FieldMap)[];

const logHelp = `
Logs:
  Recognised by their content; .gz is unpacked.
    access logs       Common and Combined Log Format (Apache, nginx, Traefik), Envoy's default
    JSON lines        with time, method, path (or url, uri), status, grpc_status, content_type and
                      request_body; --fields names other members. Also as one list
    HAR file          as browsers and proxies export it, with bodies
    a fake's own      its calls (GET /calls), and its recordings (fake --record)
  A request becomes a call by the contract's HTTP rules, by the path of gRPC and Connect, or by its
  body (GraphQL, JSON-RPC, SOAP). Requests with HTTP status 0 or from 400 are left out, and those
  with an error in grpc_status; other errors do not show in an access log. Fields that look like
  secrets or have debug_redact, page tokens and headers are never written.
  Values of --fields:
    Caddy    time=ts,method=request.method,target=request.uri
    nginx    time=time_iso8601,method=request_method,target=request_uri
    Envoy    time=start_time,status=response_code
    Traefik  time=StartUTC,method=RequestMethod,target=RequestPath,status=DownstreamStatus`;

export function makeCommand(): Command {
  return newCommand("tasks", {
    description: "make tasks and arrivals for bench from the log of a server",
    arguments: [new Argument("<logs...>", "access logs, HAR files, or the calls or a recording of a fake")],
    options: [
      ...contractOptions(),
      valueOption(
        "subject",
        "--base-path <path>",
        "what comes before the contract's paths in the log (default: nothing)",
      ),
      valueOption(
        "subject",
        "--fields <field=member>",
        "members of JSON lines, with dots: time=ts,method=request.method",
      ).argParser(keyValues(fieldNames)),
      durationOption("--window <duration>", "length of the busiest stretch, whose arrivals are written (default: 3s)"),
      numberOption(
        "effort",
        "--speed <number>",
        "replay the arrivals this many times as fast (default: 1)",
        [1, 100_000],
      ),
      valueOption("output", "--out <file>", "the tasks; the arrivals go beside them").default("day.yaml"),
      jsonOption(),
    ],
    examples: [
      "roundtrip tasks access.log --contract ./proto --out day.yaml",
      "roundtrip tasks access.log.1.gz access.log --contract ./proto --window 10s",
    ],
    sections: [logHelp],
    run: async (...args: Parameters<typeof tasks>) => (await import("../actions/tasks.ts")).tasks(...args),
  });
}
