// The page's side of the worker: messages are queued until Python has started, and answered one after the other.

/** Start the worker; `on.ready`, `on.failed(sentence)` and `on.idle` report its state. */
export function startWorker({ script, files, lock }, on) {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(address);
  const answers = new Map();
  let number = 0;
  worker.onmessage = ({ data }) => {
    if (data.ready) on.ready();
    if (data.failed) on.failed(data.failed);
    if (data.number === undefined) return;
    const take = answers.get(data.number);
    answers.delete(data.number);
    take(JSON.parse(data.text), answers.size === 0);
    if (answers.size === 0) on.idle();
  };
  worker.onerror = (event) => on.failed(event.message ?? "the worker cannot be started");
  worker.postMessage({ files, lock });
  return {
    /** Send a message; `take(answer, last)` gets its answer, and whether no other is awaited. */
    ask(message, take) {
      number += 1;
      answers.set(number, take);
      worker.postMessage({ number, text: JSON.stringify(message) });
    },
  };
}
