// Puts other elements in place without disturbing those that stay: somebody who reads or marks them, or has the focus there, isn't interrupted.

/**
 * As `replaceChildren`, but elements that look the same stay the very ones that they were. Not for those with handlers: they look the same
 * whatever these do.
 * @param {Element} holder
 * @param {Element[]} next
 */
export function settle(holder, next) {
  const old = [...holder.children];
  const kept = next.map((element) => {
    const at = old.findIndex((one) => one.isEqualNode(element));
    return at < 0 ? element : old.splice(at, 1)[0];
  });
  for (const gone of old) gone.remove();
  kept.forEach((element, index) => {
    // One that is at its place isn't moved: moving takes the focus away.
    if (holder.children[index] !== element) holder.insertBefore(element, holder.children[index] ?? null);
  });
}
