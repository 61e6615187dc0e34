// Says something in passing, to eyes and to screen readers.

export function say(text) {
  document.getElementById("status").textContent = text;
}
