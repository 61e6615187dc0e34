// What a program must not leave behind (folders, other processes), undone when it exits. When it is killed the guard does that.

const undo = new Set<() => void>();

process.on("exit", () => {
  // What came last goes first: who writes into a directory before the directory.
  for (const one of [...undo].toReversed()) one();
});

/** Does `clean` when disposed of, or else when the program ends. It is done once, and has no time to wait for anything. */
export function atExit(clean: () => void): Disposable {
  const once = (): void => {
    if (undo.delete(once)) clean();
  };
  undo.add(once);
  return { [Symbol.dispose]: once };
}
