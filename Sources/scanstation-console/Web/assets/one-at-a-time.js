// Questions whose answers must not overtake each other.

/**
 * Work with one run under way at a time. A caller that asks during a run gets the next one: the answer to come may have been made before what the caller knows of happened.
 * All callers that ask during a run share the next.
 * @param {() => Promise<any>} work
 * @returns {() => Promise<any>} asks for a run that begins after the call
 */
export function oneAtATime(work) {
  let current = null;
  let next = null;
  return function ask() {
    if (current) return (next ??= current.then(() => {}, () => {}).then(() => (next = null, ask())));
    return (current = work().finally(() => (current = null)));
  };
}
