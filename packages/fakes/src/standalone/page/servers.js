// Where the fake is served: pages open with a click, addresses are copied, and what has no page says how tools look at it.
import { element } from "./element.js";
import { say } from "./say.js";

function copyButton(text, label) {
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    say("Copied.");
  };
  return element("button", { type: "button", class: "copy", "aria-label": label, title: "Copy", onclick: copy });
}

function addressOf({ url, page, hint }, index) {
  if (page !== undefined) {
    const open = { href: page.url, target: "_blank", rel: "noreferrer", title: `Open: ${page.title}` };
    return [element("a", { class: "address", ...open }, url)];
  }
  if (hint === undefined) return [element("code", { class: "address" }, url)];
  const id = `hint-${index}`;
  return [
    element("button", { type: "button", class: "address", popovertarget: id, title: "How tools look at it" }, url),
    element(
      "div",
      { id, popover: "auto", class: "hint" },
      element("p", {}, hint.text),
      element("pre", { tabindex: "0", "aria-label": "Command" }, hint.command),
      copyButton(hint.command, "Copy the command"),
    ),
  ];
}

export function serverItem(server, index) {
  return element(
    "li",
    {},
    element("span", {}, server.title),
    ...addressOf(server, index),
    copyButton(server.url, `Copy the address of ${server.title}`),
  );
}
