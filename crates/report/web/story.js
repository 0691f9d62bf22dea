// The texts of a game, as elements of a page.

import { colourOf } from "#report/colours";
import { dot, element } from "#report/dom";

const MOST_TEXTS = 400;

/**
 * Returns the story so far, the texts of the last step in bold letters. A text leads to its step.
 * @param {import("#report/timeline").Timeline} timeline
 * @param {number} at the step
 * @returns {Element[]}
 */
export function storyParts({ story, head }, at) {
  let last = story.findIndex(({ frame }) => frame > at);
  if (last < 0) last = story.length;
  const first = Math.max(0, last - MOST_TEXTS);
  return story.slice(first, last).map(({ frame, seat, text, kind }, index) => {
    const made = kind === "round" ? element("a", text, { href: `#s=${frame}` })
      : element(frame === at ? "b" : "span", text);
    made.className = kind;
    made.dataset.frame = String(frame);
    const before = index ? story[first + index - 1] : undefined;
    if (seat >= 0 && (before?.seat !== seat || before.kind !== "text")) {
      made.prepend(dot(colourOf(seat)), element("strong", `${head.players[seat].name}: `));
    }
    return made;
  });
}

/**
 * Returns the texts of a step, each player's after its name.
 * @param {import("#report/types").Head} head
 * @param {{ seat: number, text: string }[]} groups
 * @returns {(Element | string)[]}
 */
export const captionParts = (head, groups) => groups.flatMap(({ seat, text }, index) => {
  const name = head.players[seat]?.name;
  return [index ? " " : "", ...(name ? [dot(colourOf(seat)), element("b", `${name}: `)] : []), text];
});
