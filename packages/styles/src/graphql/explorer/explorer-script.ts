// The browser script of the explorer page: sends documents, shows answers, and inserts examples. It is text; this process does not run it.

export const explorerScript = `"use strict";
const at = (id) => document.getElementById(id);
const show = (text) => { at("answer").textContent = text; };
let running;

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

async function stream(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "", shown = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (waiting + value).split("\\n\\n");
    waiting = events.pop();
    for (const event of events) {
      const data = /^event: next\\ndata: (.*)$/s.exec(event);
      if (data !== null) show(shown += pretty(data[1]) + "\\n");
    }
    at("status").textContent = "receiving";
  }
}

async function run() {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const started = performance.now();
  at("status").textContent = "waiting";
  show("");
  try {
    const variables = JSON.parse(at("variables").value.trim() || "{}");
    const response = await fetch(location.pathname, {
      method: "POST",
      signal,
      headers: {
        "content-type": "application/json",
        accept: /^\\s*subscription\\b/m.test(at("document").value) ? "text/event-stream" : "application/graphql-response+json",
      },
      body: JSON.stringify({ query: at("document").value, variables }),
    });
    if (response.headers.get("content-type").startsWith("text/event-stream")) await stream(response);
    else show(pretty(await response.text()));
    at("status").textContent = response.status + " in " + (performance.now() - started).toFixed(1) + " ms";
  } catch (thrown) {
    if (signal.aborted) return;
    at("status").textContent = "failed";
    show(String(thrown));
  }
}

for (const example of document.querySelectorAll("button[data-document]")) {
  example.addEventListener("click", () => {
    at("document").value = example.dataset.document;
    at("variables").value = example.dataset.variables;
    for (const other of document.querySelectorAll("button[aria-current]")) other.removeAttribute("aria-current");
    example.setAttribute("aria-current", "true");
  });
}
at("run").addEventListener("click", run);
at("stop").addEventListener("click", () => {
  running?.abort();
  at("status").textContent = "stopped";
});
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
});
document.querySelector("button[data-document]")?.click();
`;
