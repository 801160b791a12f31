// Whatever page is open: a sentence above it while the cluster does not answer.
export const EVERY_MS = 3000;
// Clients ask for half a minute before they give up; a person wants to know earlier.
export const SILENT_MS = 3000;
export const SILENT = "The cluster does not answer; it is still being asked. What is shown may be old.";

// `ask` asks the cluster for a little, `say` shows a sentence, or nothing for "".
export async function look(ask, say, silentMs = SILENT_MS) {
  const slow = setTimeout(() => say(SILENT), silentMs);
  try {
    await ask();
    say("");
  } catch (error) {
    // A refusal is an answer too: the pages themselves say what a user may not see.
    say(error.status && error.status < 500 ? "" : error.message);
  } finally { clearTimeout(slow); }
}

export function watch(ask, say, isHidden) {
  let waits = false;
  return setInterval(async () => {
    if (waits || isHidden()) return;
    waits = true;
    try { await look(ask, say); } finally { waits = false; }
  }, EVERY_MS);
}
