import { ORNAMENT_BOX } from '@najwa/proto/ornament';

const EASE = 'cubic-bezier(.2,.7,.2,1)';
const FOLD_MS = 240;

const move = (part: Element, frames: PropertyIndexedKeyframes, delay: number, duration: number, easing = EASE) =>
  part.animate(frames, { delay, duration, easing, fill: 'both' });

const middleOf = (part: Element) => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
};

/** All that stands after a part of the page. */
function* followers(part: Element): Generator<Element> {
  for (let at: Element | null = part; at !== null && at !== document.body; at = at.parentElement)
    for (let next = at.nextElementSibling; next !== null; next = next.nextElementSibling) yield next;
}

/** Each piece of the ornament by itself, so that all are drawn at once. */
function toPieces(whole: SVGPathElement): Element {
  const pieces = document.createElementNS(whole.namespaceURI, 'g');
  for (const d of whole.getAttribute('d')?.match(/M[^M]+/g) ?? []) {
    const piece = whole.cloneNode() as Element;
    piece.setAttribute('d', d);
    piece.setAttribute('pathLength', '100');
    pieces.append(piece);
  }
  return pieces;
}

/**
 * The moment after Send: the written sheet folds into the card that replaces it, its dot falls into the ornament, and the
 * ornament is drawn. Layout changes once and transforms do the rest, so nothing shifts.
 * @returns plays it. Call this while the form stands, and that once the card does
 */
export function beginFold(): (card: HTMLElement) => void {
  const sheet = document.getElementById('message-form')?.closest('section');
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  // jsdom has no animations.
  if (sheet == null || isStill || !('animate' in sheet)) return () => undefined;
  const height = sheet.offsetHeight;
  // React takes the recorder's buttons out of it.
  const footer = sheet.querySelector('form > footer')?.cloneNode(true) ?? '';
  const places = [...followers(sheet.parentElement ?? sheet)].map(
    (part) => [part, part.getBoundingClientRect().top] as const,
  );

  return (card) => {
    const strip = card.nextElementSibling as HTMLElement;
    const dot = card.querySelector('[data-part="dot"]');
    const [whole, own] = card.querySelectorAll<SVGPathElement>('[data-part="ornament"] > path');
    if (dot === null || whole === undefined || own === undefined) return;
    const moved = places.map(([part, top]) => [part, top - part.getBoundingClientRect().top] as const);
    const [from, to] = [middleOf(dot), middleOf(own)];
    const pixelsPerUnit = (own.ownerSVGElement?.clientWidth ?? ORNAMENT_BOX) / ORNAMENT_BOX;
    const fall = `translate(${String((from.x - to.x) / pixelsPerUnit)}px, ${String((from.y - to.y) / pixelsPerUnit)}px)`;
    const ground = sheet.cloneNode() as HTMLElement;
    const { offsetHeight } = card;
    const pieces = toPieces(whole);
    for (const layer of [ground, sheet]) {
      layer.toggleAttribute('inert', true);
      Object.assign(layer.style, { position: 'absolute', inset: '-1px', zIndex: '-1', transformOrigin: 'top' });
      card.append(layer);
    }
    Object.assign(sheet.style, { background: 'none', borderColor: 'transparent', boxShadow: 'none' });
    sheet.querySelector('[data-part="dot"]')?.remove();
    sheet.querySelector('form > footer')?.replaceWith(footer);
    // Until the end, a late second press must not meet what came under the finger.
    for (const part of [card, strip]) part.style.pointerEvents = 'none';
    whole.style.visibility = 'hidden';
    whole.before(pieces);

    for (const [part, by] of moved) if (by !== 0) move(part, { translate: [`0 ${String(by)}px`, '0 0'] }, 0, FOLD_MS);
    move(ground, { scale: [`1 ${String(height / offsetHeight)}`, '1 1'] }, 0, FOLD_MS);
    move(sheet, { opacity: [1, 0] }, 0, FOLD_MS);
    move(sheet, { clipPath: [`inset(0 0 ${String(offsetHeight - height)}px)`, 'inset(0)'] }, 0, FOLD_MS);
    move(own, { transform: [fall, 'none'] }, 0, 300, 'cubic-bezier(.5,0,.9,.4)');
    // The gap is wider than a piece: a dash of no length would be a dot.
    move(pieces, { strokeDasharray: ['100 102', '100 102'], strokeDashoffset: [101, 0] }, 290, 260);
    for (const part of [strip, ...card.querySelectorAll('[data-part] + div, :scope > :nth-child(n + 3):not([inert])')])
      move(part, { opacity: [0, 1] }, 400, 180);
    move(dot, { opacity: [0, 1] }, 550, 120).onfinish = () => {
      for (const part of [ground, sheet, pieces]) part.remove();
      for (const part of [card, strip]) part.style.pointerEvents = '';
      whole.style.visibility = '';
    };
  };
}
