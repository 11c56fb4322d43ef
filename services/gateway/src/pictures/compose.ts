import { barsOf, PICTURES, type Ground } from '@najwa/proto/http/client';
import { Canvas, fit, type Area, type Heading, type PictureLanguage, type PlateLook } from './canvas.js';
import { codeSvg, drawCode } from './code.js';
import { carpet } from './carpet.js';
import {
  bowlWithFace,
  bubble,
  carpetGround,
  COLOURS,
  messageOrnament,
  PALETTES,
  photo,
  scoop,
  waveform,
  type Box,
  type Palette,
} from './shapes.js';
import type { Paragraph, TextDirection, Typesetter } from './text.js';

export type PictureSubject = {
  language: PictureLanguage;
  username: string;
  name: string;
  address: string;
  /** Data URL. */
  picture?: string | undefined;
} & (
  | {
      id: 'getProfilePicture';
      ground: Ground;
      userId: number;
      /** Ornaments of the published messages, first to last. */
      knots: readonly string[];
    }
  | {
      id: 'getMessagePicture' | 'getMessageStory' | 'getPromptStory';
      ground: Ground;
      ornament: string;
      knots: readonly string[];
      asked: string | undefined;
      question: string;
      answer: string | undefined;
      sound?: { seconds: number; peaks: readonly number[] | null } | undefined;
    }
  | { id: 'getArabicCard' | 'getEnglishCard' }
  | { id: 'getQrCodeAsPng'; size: number }
);

export type Templates = Record<'card' | 'story', Record<PictureLanguage, string>> & { plain: string };

type Of<Id extends PictureSubject['id']> = Extract<PictureSubject, { id: Id }>;
type Message = Of<'getMessagePicture' | 'getMessageStory' | 'getPromptStory'>;

const TEXTS = {
  ar: {
    invitation: 'اكتب لي بلا اسم',
    answer: 'أجبني بلا اسم',
    replied: (name: string) => `ردّ ${name}`,
    sound: 'وصلني صوت بلا اسم',
    picture: 'وصلتني صورة بلا اسم',
    caption: 'رسالة صوتية',
    card: {
      invitation: 'اكتب لي بصراحة،',
      promise: 'ولن أعرف من أنت.',
      camera: 'وجّه كاميرا هاتفك إلى الرمز',
      sizes: [96, 64, 38],
    },
  },
  en: {
    invitation: 'Write to me, no name needed',
    answer: 'Answer me, no name needed',
    replied: (name: string) => `${name} replied`,
    sound: 'A voice without a name',
    picture: 'A picture without a name',
    caption: 'Voice message',
    card: {
      invitation: 'Write to me honestly.',
      promise: 'I won’t know it was you.',
      camera: 'Point your phone’s camera at the code',
      sizes: [84, 56, 34],
    },
  },
} as const;

const fromStart = (direction: TextDirection, whole: number, inset: number, width: number): Area => ({
  x: direction === 'rtl' ? whole - inset - width : inset,
  width,
});

const firstLetter = (name: string): string => {
  for (const { segment } of new Intl.Segmenter('und').segment(name.trim())) return segment;
  return '';
};

const MAX_NAME = 30;

function shortName(name: string): string {
  const letters = Array.from(new Intl.Segmenter('und').segment(name.trim()), ({ segment }) => segment);
  return letters.length > MAX_NAME ? `${letters.slice(0, MAX_NAME).join('').trimEnd()}…` : name;
}

function layCarpet(
  canvas: Canvas,
  { knots }: { knots: readonly string[] },
  { ratio, ...place }: { ratio: number; x: number; y: number; width: number },
  colours: Pick<Palette, 'ornament' | 'ornamentDot'> = canvas.palette,
): void {
  if (knots.length > 0) canvas.addBehind(carpetGround(place, carpet(knots, ratio, canvas.direction), colours));
}

const CARD_INSET = 68;
const SCOOP_INSET = 74;

function messageCard(canvas: Canvas, box: Box): void {
  const { direction, palette } = canvas;
  canvas.add(bubble(box, direction, { radius: 56, tail: 16, at: 'bottom', fill: COLOURS.surface }));
  canvas.add(scoop(box, direction, SCOOP_INSET, palette));
}

const WIDE = { x: 72, width: 1056 };
const WIDE_PICTURE = { x: 0, width: 1200, height: 630 };
const WIDE_PLATE = { size: 46, padding: 32, radius: 28, tail: 8 };

const PAGE = {
  ar: {
    name: { weight: 900, tracking: 0 },
    nameY: [252, 176],
    invitation: { y: 342, size: 60, weight: 700, tracking: 0 },
  },
  en: {
    name: { weight: 800, tracking: -0.022 },
    nameY: [246, 168],
    invitation: { y: 332, size: 46, weight: 600, tracking: -0.0174 },
  },
} as const;
const PAGE_NAME = { width: 560, fits: [...[116, 108, 100, 92, 84].map((size) => fit(size, 86, 1)), fit(72, 86, 2)] };
const PAGE_TEXT = 620;
const PAGE_CARPET = { y: 40, width: PAGE_TEXT, ratio: 6 };
const PAGE_PLATE: PlateLook = { ...WIDE_PLATE, height: 96, smallest: 46, keeps: 'top' };
const PAGE_BOWL = { ar: { x: 84, y: 164, scale: 6.5 }, en: { x: 700, y: 164, scale: 6.5 } };

function composePage(canvas: Canvas, subject: Of<'getProfilePicture'>): void {
  const { language, direction, palette } = canvas;
  const { name: nameStyle, nameY, invitation } = PAGE[language];
  const letter = (middle: number, y: number, size: number, fill: string): string => {
    const line = canvas.line(firstLetter(subject.name).toLocaleUpperCase(language), 800);
    return line.draw(middle - (line.width * size) / 2, y, size, fill);
  };
  canvas.add(bowlWithFace(PAGE_BOWL[language], subject.userId, subject.picture ?? letter, palette));
  const area = fromStart(direction, WIDE_PICTURE.width, WIDE.x, PAGE_TEXT);
  layCarpet(canvas, subject, { ...PAGE_CARPET, x: area.x }, { ornament: palette.mark, ornamentDot: palette.dot });
  const name = canvas.wrap(subject.name, nameStyle, PAGE_NAME.width, PAGE_NAME.fits);
  const [oneLineY, twoLinesY] = nameY;
  // At the start of the line, whichever direction the name has.
  canvas.lines({ ...name, direction }, area, name.lines.length === 1 ? oneLineY : twoLinesY, palette.ink);
  canvas.words(TEXTS[language].invitation, area, invitation.y, { ...invitation, fill: palette.soft });
  canvas.plate(area, 408, 'start', subject, PAGE_PLATE);
}

const MESSAGE = {
  ar: {
    weight: 800,
    questionAt: 1,
    cardInvitation: { y: 540, size: 52, weight: 800, tracking: 0 },
    storyInvitation: { y: 450, size: 96, weight: 900, tracking: 0 },
  },
  en: {
    weight: 700,
    questionAt: 0.95,
    cardInvitation: { y: 536, size: 36, weight: 700, tracking: 0 },
    storyInvitation: { y: 446, size: 64, weight: 800, tracking: -0.025 },
  },
} as const satisfies Record<PictureLanguage, object>;

const QUESTION_BOX = { ...WIDE, y: 64, height: 366 };
const QUESTION_WIDTH = 800;
const QUESTION_FITS = [fit(64, 92, 2), fit(54, 78, 3), fit(44, 64, 4)];
const ANSWERING_FITS = [fit(54, 78, 2), fit(44, 64, 3)];
const QUESTION_PLATE: PlateLook = { ...WIDE_PLATE, height: 92, smallest: 36, keeps: 'middle' };
const QUESTION_ORNAMENT = { inset: 60, y: 312, size: 64 * 1.4 };
const QUESTION_GAP = 60;

function composeQuestion(canvas: Canvas, subject: Message): void {
  const { language, direction, palette } = canvas;
  const { ornament, asked } = subject;
  const question = subject.question || TEXTS[language].caption;
  const { weight, questionAt, cardInvitation } = MESSAGE[language];
  messageCard(canvas, QUESTION_BOX);
  const { inset, y, size } = QUESTION_ORNAMENT;
  const inner = { x: WIDE.x + inset, width: WIDE.width - 2 * inset };
  const place = { x: canvas.leftOf(inner, size, 'end'), y, size };
  canvas.add(messageOrnament(place, ornament, COLOURS.violet, COLOURS.rose));
  const area = fromStart(direction, WIDE_PICTURE.width, 148, QUESTION_WIDTH);
  const prompt = canvas.asked(asked, QUESTION_WIDTH, [fit(30, 42, 1)]);
  const text = canvas.wrap(question, { weight }, QUESTION_WIDTH, asked === undefined ? QUESTION_FITS : ANSWERING_FITS);
  const height = prompt.height + text.lines.length * text.lineHeight;
  const top = QUESTION_BOX.y + (QUESTION_BOX.height - height) / 2;
  prompt.draw(area, top);
  canvas.lines(text, area, top + prompt.height + text.size * questionAt, COLOURS.ink);
  const heading: Heading = { ...cardInvitation, fill: palette.ink };
  const used = canvas.words(TEXTS[language].invitation, WIDE, cardInvitation.y, heading) + QUESTION_GAP;
  const remaining = { x: direction === 'rtl' ? WIDE.x : WIDE.x + used, width: WIDE.width - used };
  canvas.plate(remaining, 476, 'end', subject, QUESTION_PLATE);
}

const TALL = { x: 80, width: 920 };
const TALL_CARPET = { x: 90, y: 60, width: 900, ratio: 0.5 };
const STORY_PLATE: PlateLook = { size: 54, padding: 44, height: 108, radius: 32, tail: 9, smallest: 0, keeps: 'top' };
const STORY_ORNAMENT = { y: 60, size: 96 };
const STORY_QUESTION_FITS = [fit(84, 120, 2), fit(72, 104, 3), fit(60, 88, 5), fit(50, 76, 7)];
const STORY_ANSWER_FITS = [fit(50, 80, 3), fit(42, 68, 6)];
const STORY_QUESTION_PADDING = 236;
const STORY_ANSWER_PADDING = 132;
const STORY_GAP = 28;
const STORY_ROOM = { y: 500, height: 800, more: 30 };
const OPTICAL_MIDDLE = 0.42;

interface Written {
  question: Paragraph;
  answer: Paragraph | undefined;
}

function clock(seconds: number, language: PictureLanguage): string {
  const part = (value: number, minimumIntegerDigits: number): string =>
    value.toLocaleString(language === 'ar' ? 'ar-u-nu-arab' : 'en', { minimumIntegerDigits });
  return `${part(Math.floor(seconds / 60), 1)}:${part(seconds % 60, 2)}`;
}

const baselineOf = ({ size, lineHeight }: Paragraph): number => (lineHeight + size * 0.7) / 2;
const heightOf = ({ lines, lineHeight }: Paragraph): number => lines.length * lineHeight;

/** The largest sizes at which both fit, else the longer one is truncated first. */
function fitStory(canvas: Canvas, { question, answer }: Message, room: number): Written {
  const { weight } = MESSAGE[canvas.language];
  const width = TALL.width - 2 * CARD_INSET;
  const wrapQuestion = (fits: typeof STORY_QUESTION_FITS) => canvas.wrapEach(question, { weight }, width, fits);
  const wrapAnswer = (fits: typeof STORY_ANSWER_FITS): (Paragraph | undefined)[] =>
    answer === undefined ? [undefined] : [...canvas.wrapEach(answer, { weight: 500 }, width, fits)];
  const answers = wrapAnswer(STORY_ANSWER_FITS);
  let smallest: Paragraph | undefined;
  for (smallest of wrapQuestion(STORY_QUESTION_FITS))
    for (const candidate of answers) {
      const isWhole = !smallest.isCut && candidate?.isCut !== true;
      if (isWhole && heightOf(smallest) + (candidate === undefined ? 0 : heightOf(candidate)) <= room)
        return { question: smallest, answer: candidate };
    }
  const last = answers.at(-1);
  if (smallest === undefined) throw new Error('There is no size to try.');
  const [questionLine, answerLine] = [smallest.lineHeight, last?.lineHeight ?? 0];
  let [questionLines, answerLines] = [smallest.lines.length, last?.lines.length ?? 0];
  while (questionLines * questionLine + answerLines * answerLine > room + STORY_ROOM.more)
    if (questionLines >= answerLines) questionLines -= 1;
    else answerLines -= 1;
  const [shortQuestion] = wrapQuestion([fit(smallest.size, questionLine, questionLines)]);
  const [shortAnswer] = last === undefined ? [] : wrapAnswer([fit(last.size, answerLine, answerLines)]);
  return { question: shortQuestion ?? smallest, answer: shortAnswer };
}

function composeStory(canvas: Canvas, subject: Message): void {
  const { language, direction, palette } = canvas;
  const { name, ornament, asked } = subject;
  const { storyInvitation } = MESSAGE[language];
  layCarpet(canvas, subject, TALL_CARPET);
  const invitation = TEXTS[language][subject.id === 'getPromptStory' ? 'answer' : 'invitation'];
  canvas.words(invitation, TALL, storyInvitation.y, { ...storyInvitation, fill: palette.ink });

  const area = { x: TALL.x + CARD_INSET, width: TALL.width - 2 * CARD_INSET };
  const prompt = canvas.asked(asked, area.width, [fit(40, 60, 1), fit(34, 50, 2)]);
  const paddings = STORY_QUESTION_PADDING + (subject.answer === undefined ? 0 : STORY_GAP + STORY_ANSWER_PADDING);
  const { question, answer } = fitStory(canvas, subject, STORY_ROOM.height - paddings - prompt.height);
  const questionHeight = STORY_QUESTION_PADDING + prompt.height + heightOf(question);
  const answerHeight = answer === undefined ? 0 : STORY_ANSWER_PADDING + heightOf(answer);
  const block = questionHeight + (answer === undefined ? 0 : STORY_GAP + answerHeight);
  const top = Math.round(STORY_ROOM.y + (STORY_ROOM.height - block) * OPTICAL_MIDDLE);
  messageCard(canvas, { ...TALL, y: top, height: questionHeight });
  const { y: ornamentAt, size } = STORY_ORNAMENT;
  const place = { x: canvas.leftOf(area, size, 'start'), y: top + ornamentAt, size };
  canvas.add(messageOrnament(place, ornament, COLOURS.violet, COLOURS.rose));
  prompt.draw(area, top + 172);
  canvas.lines(question, area, top + 172 + prompt.height + question.size * 0.92, COLOURS.ink);
  if (answer !== undefined) {
    const y = top + questionHeight + STORY_GAP;
    const shape = { radius: 52, tail: 14, at: 'top', fill: palette.answer } as const;
    canvas.add(bubble({ ...TALL, y, height: answerHeight }, direction, shape));
    const label = canvas.wrap(TEXTS[language].replied(shortName(name)), { weight: 700 }, area.width, [fit(34, 46, 1)]);
    canvas.lines({ ...label, direction }, area, y + 80, palette.onAnswer);
    canvas.lines(answer, area, y + 84 + answer.size * 1.1, palette.onAnswer);
  }
  // Leaves room for a link sticker.
  canvas.plate(TALL, 1_468, 'start', subject, STORY_PLATE);
}

const MEDIA = {
  ar: { top: { size: 52, weight: 900 }, caption: 44, words: fit(54, 88, 2), reply: fit(42, 68, 2) },
  en: { top: { size: 46, weight: 800, tracking: -0.022 }, caption: 40, words: fit(48, 68, 2), reply: fit(38, 56, 2) },
} as const;
const MEDIA_BOX = { x: 81, y: 386, width: 918, gap: 32, foot: 46, headingY: 325, plate: 44, ornamentGap: 20 };
const PHOTO = { padding: 40, height: 559, maxLines: 2 };
const SOUND = { padding: 56, height: 246, maxLines: 7, wave: 150, bars: 40, captionY: 230 };
const REPLY = { padding: 40, labelY: 66, textY: 80, height: 114 };
const GROUND_ORNAMENT = { x: 240, y: 1_250, size: 600 };

function composeMedia(canvas: Canvas, { name, ornament, asked, question, answer, ...subject }: Message): void {
  const { language, direction, palette } = canvas;
  const { picture, sound } = subject;
  const { top, caption, words, reply } = MEDIA[language];
  const { gap, foot, headingY, plate, ...box } = MEDIA_BOX;
  const { padding, height, maxLines } = sound ? SOUND : PHOTO;
  const texts = TEXTS[language];
  const area = { x: box.x + padding, width: box.width - 2 * padding };
  const inner = { x: area.x + REPLY.padding, width: area.width - 2 * REPLY.padding };
  const prompt = canvas.asked(asked, area.width, [fit(34, 50, 1)]);
  const fits = [words, fit(40, 60, answer === undefined ? 7 : 3)];
  const text = question && canvas.wrap(question, { weight: 500 }, area.width, fits);
  const replyFits = [{ ...reply, maxLines }, fit(34, 50, Math.floor(maxLines * 1.5))];
  const replied = answer && canvas.wrap(answer, { weight: 500 }, inner.width, replyFits);

  const mediaY = box.y + padding;
  const promptY = mediaY + height + gap;
  const textY = promptY + prompt.height;
  const replyY = textY + (text ? heightOf(text) + gap : 0);
  const end = foot + (replied ? replyY + REPLY.height + heightOf(replied) : replyY - gap);
  canvas.words(sound ? texts.sound : texts.picture, box, headingY, { ...top, fill: palette.ink });
  const corners = { radius: 64, tail: 16, at: 'bottom', fill: COLOURS.surface } as const;
  canvas.add(bubble({ ...box, height: end - box.y }, direction, corners));
  if (picture !== undefined) canvas.add(photo({ ...area, y: mediaY, height }, direction, picture));
  if (sound) {
    canvas.add(waveform({ ...area, y: mediaY, height: SOUND.wave }, barsOf(sound.peaks, SOUND.bars)));
    const line = mediaY + SOUND.captionY;
    canvas.words(texts.caption, area, line, { size: caption, weight: 700, fill: COLOURS.ink });
    const length = canvas.line(clock(sound.seconds, language), 700, 0.05);
    canvas.add(length.draw(canvas.leftOf(area, length.width * caption, 'end'), line, caption, COLOURS.ink));
  }
  prompt.draw(area, promptY);
  if (text) canvas.lines(text, area, textY + baselineOf(text), COLOURS.ink);
  if (replied) {
    const shape = { radius: 44, tail: 12, at: 'top', fill: COLOURS.tint } as const;
    canvas.add(bubble({ ...area, y: replyY, height: REPLY.height + heightOf(replied) }, direction, shape));
    const label = canvas.wrap(texts.replied(shortName(name)), { weight: 700 }, inner.width, [fit(34, 52, 1)]);
    canvas.lines({ ...label, direction }, inner, replyY + REPLY.labelY, COLOURS.onTint);
    canvas.lines(replied, inner, replyY + REPLY.textY + baselineOf(replied), COLOURS.ink);
  }
  // Whole or none.
  if (canvas.plate(box, end + plate, 'start', subject, PAGE_PLATE) + box.ornamentGap <= GROUND_ORNAMENT.y)
    canvas.add(messageOrnament(GROUND_ORNAMENT, ornament, palette.mark, palette.dot));
}

const PAPER = { x: 100, width: 850 };
const CODE = { x: 215, y: 565, side: 620 };

function composeCard(
  canvas: Canvas,
  typesetter: Typesetter,
  { address }: Of<'getArabicCard' | 'getEnglishCard'>,
): void {
  const { language } = canvas;
  const { card } = TEXTS[language];
  const [large, medium, small] = card.sizes;
  canvas.words(card.invitation, PAPER, 290, { size: large, weight: 900, fill: COLOURS.ink });
  canvas.words(card.promise, PAPER, 400, { size: medium, weight: 500, fill: COLOURS.ink2 });
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

/** All text becomes paths: nothing that people wrote remains text. */
export function compose(subject: PictureSubject, typesetter: Typesetter, templates: Templates): string {
  if (subject.id === 'getQrCodeAsPng') return codeSvg(subject.address, subject.size);
  const { language } = subject;
  const canvas = new Canvas(typesetter, language, PALETTES['ground' in subject ? subject.ground : 'cream']);
  let template = templates.plain;
  if (subject.id === 'getProfilePicture') composePage(canvas, subject);
  else if (!('question' in subject)) {
    template = templates.card[language];
    composeCard(canvas, typesetter, subject);
  } else if (subject.id === 'getMessagePicture') composeQuestion(canvas, subject);
  else if (subject.picture !== undefined || subject.sound) composeMedia(canvas, subject);
  else {
    template = templates.story[language];
    composeStory(canvas, subject);
  }
  return canvas.svg(template, PICTURES[subject.id]);
}

export const widthOf = (subject: PictureSubject): number =>
  subject.id === 'getQrCodeAsPng' ? subject.size : PICTURES[subject.id].width;
