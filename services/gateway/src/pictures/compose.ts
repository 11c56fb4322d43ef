import { PICTURES, type PictureId } from '@najwa/proto/http/client';
import { createCanvas, fit, type Canvas, type PictureLanguage } from './canvas.js';
import { codeSvg, drawCode } from './code.js';
import { avatarShape, bubble, COLOURS, messageOrnament, scoop, type Box } from './shapes.js';
import type { Typesetter } from './text.js';

/** Content of a picture. */
export type PictureSubject = { language: PictureLanguage; username: string; name: string } & (
  | {
      id: 'getProfilePicture';
      userId: number;
      /** A data URL. Without it the avatar is the first letter of the name. */
      avatar: string | undefined;
    }
  | {
      id: 'getMessagePicture' | 'getMessageStory';
      /** Of the message. Undefined from a service that names none yet. */
      ornament: string | undefined;
      /** The owner's question that the message answers. */
      asked: string | undefined;
      question: string;
      answer: string | undefined;
    }
  /** `address` is that of the page, with the host. */
  | { id: 'getArabicCard' | 'getEnglishCard'; address: string }
  | { id: 'getQrCodeAsPng'; address: string; size: number }
);

/** SVG files with the ground of each picture, and the place `{{content}}`. */
export type Templates = Record<PictureId, Record<PictureLanguage, string>>;

type Of<Id extends PictureSubject['id']> = Extract<PictureSubject, { id: Id }>;
type Message = Of<'getMessagePicture' | 'getMessageStory'>;

const TEXTS = {
  ar: {
    invitation: 'اكتب لي بصراحة،',
    promise: ['ولن أعرف', 'من أنت.'],
    anonymous: 'شخص مجهول',
    replied: (name: string) => `ردّ ${name}`,
    more: 'والجواب في الصفحة',
    card: { promise: 'ولن أعرف من أنت.', camera: 'وجّه كاميرا هاتفك إلى الرمز', sizes: [96, 64, 38] },
  },
  en: {
    invitation: 'Write to me honestly.',
    promise: ['I won’t know', 'it was you.'],
    anonymous: 'Anonymous person',
    replied: (name: string) => `${name} replied`,
    more: 'The answer is on the page',
    card: { promise: 'I won’t know it was you.', camera: 'Point your phone’s camera at the code', sizes: [84, 56, 34] },
  },
} as const;

const AVATAR = 116;

const firstLetter = (name: string): string => {
  for (const { segment } of new Intl.Segmenter('und').segment(name.trim())) return segment;
  return '';
};

/** Longer names would leave no room for the words after them. */
const MAX_NAME = 30;

function shortName(name: string): string {
  const letters = Array.from(new Intl.Segmenter('und').segment(name.trim()), ({ segment }) => segment);
  return letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME).join('').trimEnd()}…` : name;
}

/** The page of an account: who it is, what the page is for, and its address. */
function composePage(canvas: Canvas, typesetter: Typesetter, subject: Of<'getProfilePicture'>): void {
  const { language, direction, leftOf } = canvas;
  const area = { x: direction === 'rtl' ? 540 : 84, width: 576 };
  const y = 70;
  const x = leftOf(area, AVATAR, 'start');
  const { path, fill, letter } = avatarShape(x, y, AVATAR, subject.userId, direction);
  if (subject.avatar === undefined) {
    canvas.add(`<path fill="${fill}" d="${path}"/>`);
    const line = typesetter.line(firstLetter(subject.name).toLocaleUpperCase(language), { weight: 800, language });
    const size = AVATAR * 0.42;
    canvas.add(line.draw(x + (AVATAR - line.width * size) / 2, y + AVATAR / 2 + size * 0.34, size, letter));
  } else {
    canvas.add(`<clipPath id="avatar"><path d="${path}"/></clipPath>`);
    canvas.add(
      `<image clip-path="url(#avatar)" x="${x}" y="${y}" width="${AVATAR}" height="${AVATAR}" preserveAspectRatio="xMidYMid slice" href="${subject.avatar}"/>`,
    );
  }
  const gap = 26;
  const beside = { x: direction === 'rtl' ? area.x : area.x + AVATAR + gap, width: area.width - AVATAR - gap };
  const name = canvas.wrap(subject.name, 800, beside.width, [fit(56, 66, 1), fit(44, 54, 1), fit(36, 48, 2)]);
  const middle = y + AVATAR / 2 + name.size * 0.3 - ((name.lines.length - 1) * name.lineHeight) / 2;
  // Beside the avatar, whatever its own direction.
  canvas.lines({ ...name, direction }, beside, middle, COLOURS.ink);

  const { invitation, promise } = TEXTS[language];
  canvas.words(invitation, area, 264, 44, 500, COLOURS.ink2);
  const [size, lineHeight] = language === 'ar' ? [92, 106] : [80, 92];
  for (const [index, line] of promise.entries())
    canvas.words(line, area, 362 + index * lineHeight, size, 900, COLOURS.ink);
  canvas.chip(area, 518, 'start', subject.username, 0.86);
}

interface CardMetrics {
  box: Box;
  avatar: number;
  /** From the upper edge. */
  avatarTop: number;
  scoopInset: number;
  nameSize: number;
}

const CARD_INSET = 68;

/** The card of a question, with the head that is the same for every sender. @returns the area for its text */
function questionCard(
  canvas: Canvas,
  bits: string | undefined,
  { box, avatar, avatarTop, scoopInset, nameSize }: CardMetrics,
) {
  const { direction, language, leftOf } = canvas;
  canvas.add(bubble(box, direction, { radius: 56, tail: 16, at: 'bottom', fill: COLOURS.surface }));
  canvas.add(scoop(box, direction, scoopInset));
  const area = { x: box.x + CARD_INSET, width: box.width - 2 * CARD_INSET };
  if (bits !== undefined) canvas.add(messageOrnament(leftOf(area, avatar, 'start'), box.y + avatarTop, avatar, bits));
  const besides = avatar + 24;
  const beside = { x: direction === 'rtl' ? area.x : area.x + besides, width: area.width - besides };
  const y = box.y + avatarTop + avatar / 2 + nameSize * 0.33;
  canvas.words(TEXTS[language].anonymous, beside, y, nameSize, 700, COLOURS.ink2);
  return area;
}

const WIDE = { x: 80, width: 1040 };

/** A question for previews. With an answer, both are short; without one, the question has the picture to itself. */
function composeQuestion(canvas: Canvas, { username, name, ornament, asked, question, answer }: Message): void {
  const { language, direction } = canvas;
  if (answer === undefined) {
    const box = { ...WIDE, y: 64, height: 398 };
    const area = questionCard(canvas, ornament, { box, avatar: 64, avatarTop: 48, scoopInset: 70, nameSize: 32 });
    const prompt = canvas.asked(asked, area.width, [fit(34, 48, 1)]);
    prompt.draw(area, 194);
    const fits = asked === undefined ? [fit(54, 78, 3), fit(42, 66, 4)] : [fit(54, 78, 2), fit(42, 60, 3)];
    const text = canvas.wrap(question, 800, area.width, fits);
    canvas.lines(text, area, 194 + prompt.height + text.size, COLOURS.ink);
    canvas.chip(WIDE, 500, 'start', username, 1);
    return;
  }
  const textWidth = WIDE.width - 2 * CARD_INSET;
  const text = canvas.wrap(question, 800, textWidth, [fit(44, 62, 1), fit(38, 54, 2)]);
  const prompt = canvas.asked(asked, textWidth, [fit(28, 38, 1)]);
  const box = { ...WIDE, y: 36, height: 122 + prompt.height + text.lines.length * text.lineHeight };
  const area = questionCard(canvas, ornament, { box, avatar: 56, avatarTop: 36, scoopInset: 70, nameSize: 28 });
  prompt.draw(area, box.y + 108);
  canvas.lines(text, area, box.y + 36 + 56 + prompt.height + text.lineHeight * 0.92, COLOURS.ink);

  const above = text.lines.length + (asked === undefined ? 0 : 1);
  const reply = canvas.wrap(answer, 500, textWidth, [fit(38, 54, 1), fit(34, 50, 4 - above)]);
  const replyBox = { ...WIDE, y: box.y + box.height + 18, height: 102 + reply.lines.length * reply.lineHeight };
  canvas.add(bubble(replyBox, direction, { radius: 52, tail: 14, at: 'top', fill: COLOURS.violet }));
  const label = canvas.wrap(TEXTS[language].replied(shortName(name)), 700, textWidth, [fit(28, 40, 1)]);
  canvas.lines({ ...label, direction }, area, replyBox.y + 52, COLOURS.onViolet);
  canvas.lines(reply, area, replyBox.y + 52 + reply.lineHeight, COLOURS.onViolet);

  const chipWidth = canvas.chip(WIDE, 528, 'start', username, 0.8);
  if (!text.isCut && !reply.isCut) return;
  const besides = chipWidth + 26;
  const beside = { x: direction === 'rtl' ? WIDE.x : WIDE.x + besides, width: WIDE.width - besides };
  canvas.words(TEXTS[language].more, beside, 572, 30, 500, COLOURS.ink2);
}

const TALL = { x: 80, width: 920 };
/** At the start of the first line, with the space beside it. */
const LOGO_WIDTH = 320;
/** Buttons of story viewers lie below. */
const STORY_END = 1580;

function composeStory(canvas: Canvas, { username, name, ornament, asked, question, answer }: Message): void {
  const { language, direction } = canvas;
  const besideLogo = { x: direction === 'rtl' ? TALL.x : TALL.x + LOGO_WIDTH, width: TALL.width - LOGO_WIDTH };
  canvas.chip(besideLogo, 264, 'end', username, 1);
  const textWidth = TALL.width - 2 * CARD_INSET;
  const prompt = canvas.asked(asked, textWidth, [fit(40, 60, 2)]);
  const fits = asked === undefined ? [fit(60, 92, 5), fit(46, 72, 7)] : [fit(60, 92, 4), fit(46, 72, 5)];
  const text = canvas.wrap(question, 800, textWidth, fits);
  const box = { ...TALL, y: 412, height: 232 + prompt.height + text.lines.length * text.lineHeight };
  const area = questionCard(canvas, ornament, { box, avatar: 72, avatarTop: 64, scoopInset: 74, nameSize: 36 });
  prompt.draw(area, 576);
  canvas.lines(text, area, 628 + prompt.height, COLOURS.ink);
  if (answer === undefined) return;
  const y = box.y + box.height + 32;
  const linesOf = (lineHeight: number): number => Math.floor((STORY_END - y - 148) / lineHeight);
  const reply = canvas.wrap(answer, 500, textWidth, [
    fit(50, 80, Math.min(6, linesOf(80))),
    fit(40, 64, Math.min(8, linesOf(64))),
  ]);
  const replyBox = { ...TALL, y, height: 148 + reply.lines.length * reply.lineHeight };
  canvas.add(bubble(replyBox, direction, { radius: 52, tail: 14, at: 'top', fill: COLOURS.violet }));
  const label = canvas.wrap(TEXTS[language].replied(shortName(name)), 700, textWidth, [fit(34, 46, 1)]);
  canvas.lines({ ...label, direction }, area, y + 78, COLOURS.onViolet);
  canvas.lines(reply, area, y + 152, COLOURS.onViolet);
}

const PAPER = { x: 100, width: 850 };
const CODE = { x: 215, y: 565, side: 620 };

/** A card to print: the words of the page, its code and its address. */
function composeCard(
  canvas: Canvas,
  typesetter: Typesetter,
  { address }: Of<'getArabicCard' | 'getEnglishCard'>,
): void {
  const { language } = canvas;
  const { invitation, card } = TEXTS[language];
  const [large, medium, small] = card.sizes;
  canvas.words(invitation, PAPER, 290, large, 900, COLOURS.ink);
  canvas.words(card.promise, PAPER, 400, medium, 500, COLOURS.ink2);
  const code = drawCode(address);
  canvas.add(
    `<g transform="translate(${CODE.x} ${CODE.y}) scale(${CODE.side / code.side})" shape-rendering="crispEdges">${code.content}</g>`,
  );
  const centred = (text: string, weight: 400 | 500, largest: number, y: number, ofLanguage: PictureLanguage): void => {
    const line = typesetter.line(text, {
      weight,
      language: ofLanguage,
      direction: ofLanguage === 'ar' ? 'rtl' : 'ltr',
    });
    const size = Math.min(largest, PAPER.width / line.width);
    canvas.add(line.draw(PAPER.x + (PAPER.width - line.width * size) / 2, y, size, COLOURS.ink2));
  };
  centred(address.replace(/^https?:\/\//, ''), 500, 46, 1350, 'en');
  centred(card.camera, 500, small, 1412, language);
}

/** The whole picture as SVG. All text becomes paths, so nothing that people wrote is in it as text. */
export function compose(subject: PictureSubject, typesetter: Typesetter, templates: Templates): string {
  if (subject.id === 'getQrCodeAsPng') return codeSvg(subject.address, subject.size);
  const canvas = createCanvas(typesetter, subject.language);
  switch (subject.id) {
    case 'getArabicCard':
    case 'getEnglishCard':
      composeCard(canvas, typesetter, subject);
      break;
    case 'getProfilePicture':
      composePage(canvas, typesetter, subject);
      break;
    case 'getMessagePicture':
      composeQuestion(canvas, subject);
      break;
    case 'getMessageStory':
      composeStory(canvas, subject);
  }
  return canvas.svg(templates[subject.id][subject.language]);
}

/** In pixels. */
export const widthOf = (subject: PictureSubject): number =>
  subject.id === 'getQrCodeAsPng' ? subject.size : PICTURES[subject.id].width;
