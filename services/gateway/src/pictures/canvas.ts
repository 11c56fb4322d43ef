import { type Box, bubble, COLOURS, type Palette } from './shapes.js';
import type { Fit, Paragraph, TextDirection, TextStyle, Typesetter, WrapStyle } from './text.js';

export type PictureLanguage = 'ar' | 'en';

export interface Area {
  x: number;
  width: number;
}

export interface Heading {
  size: number;
  weight: 500 | 600 | 700 | 800 | 900;
  fill: string;
  tracking?: number;
}

export interface PlateLook {
  size: number;
  padding: number;
  height: number;
  radius: number;
  tail: number;
  /** Below it, the site moves above the username. */
  smallest: number;
  keeps: 'top' | 'middle';
}

export const fit = (size: number, lineHeight: number, maxLines: number): Fit => ({ size, lineHeight, maxLines });

const TWO_LINES = { more: 28, nameSize: 46, siteSize: 32, siteAt: 0.41, nameAt: 0.79 };

/** Fills a template with `{{content}}`, `{{behind}}` and colours. */
export function createCanvas(typesetter: Typesetter, language: PictureLanguage, palette: Palette) {
  const direction: TextDirection = language === 'ar' ? 'rtl' : 'ltr';
  const parts: string[] = [];
  let behind = '';

  const leftOf = (area: Area, width: number, side: 'start' | 'end', of = direction): number =>
    (side === 'start') === (of === 'ltr') ? area.x : area.x + area.width - width;

  const drawLines = (
    { lines, size, lineHeight, direction: own }: Paragraph,
    area: Area,
    y: number,
    fill: string,
  ): void => {
    for (const [index, line] of lines.entries())
      parts.push(line.draw(leftOf(area, line.width * size, 'start', own), y + index * lineHeight, size, fill));
  };

  return {
    language,
    direction,
    palette,
    leftOf,
    add: (part: string): void => void parts.push(part),
    addBehind: (part: string): void => void (behind += part),
    svg(template: string, { width, height }: Pick<Box, 'width' | 'height'>): string {
      const places = new Map(Object.entries({ ...palette, behind, content: parts.join('\n'), width, height }));
      return template.replace(/\{\{(\w+)\}\}/g, (_, place: string) => String(places.get(place) ?? ''));
    },
    line: (text: string, weight: TextStyle['weight'], tracking = 0) =>
      typesetter.line(text, { weight, language, tracking }),
    wrap: (text: string, style: WrapStyle, width: number, fits: readonly Fit[]): Paragraph =>
      typesetter.wrap(text, { ...style, language }, width, fits),
    wrapEach: (text: string, style: WrapStyle, width: number, fits: readonly Fit[]) =>
      typesetter.wrapEach(text, { ...style, language }, width, fits),
    lines: drawLines,
    words(text: string, area: Area, y: number, { size, weight, fill, tracking = 0 }: Heading): number {
      const line = typesetter.line(text, { weight, language, direction, tracking });
      parts.push(line.draw(leftOf(area, line.width * size, 'start'), y, size, fill));
      return line.width * size;
    },
    /**
     * The owner's question, with a bar at its start.
     * @returns height with gap, 0 without a question, and a function that draws it
     */
    asked(text: string | undefined, width: number, fits: readonly Fit[]) {
      if (text === undefined) return { height: 0, draw: () => undefined };
      const bar = 6;
      const inset = bar + 24;
      const paragraph = typesetter.wrap(text, { weight: 500, language }, width - inset, fits);
      const { lines, size, lineHeight, direction: own } = paragraph;
      const height = lines.length * lineHeight;
      return {
        height: height + 16,
        draw: (area: Area, top: number): void => {
          const x = leftOf(area, bar, 'start', own);
          parts.push(`<rect x="${x}" y="${top}" width="${bar}" height="${height}" fill="${COLOURS.violet}"/>`);
          const inner = { x: own === 'rtl' ? area.x : area.x + inset, width: area.width - inset };
          drawLines(paragraph, inner, top + (lineHeight + size * 0.7) / 2, COLOURS.ink2);
        },
      };
    },
    plate(
      area: Area,
      y: number,
      side: 'start' | 'end',
      { address, username }: { address: string; username: string },
      look: PlateLook,
    ): number {
      const style = { language: 'en', direction: 'ltr' } as const;
      const shown = address.replace(/^https?:\/\//, '');
      const site = typesetter.line(shown.slice(0, -username.length), { ...style, weight: 500 });
      const name = typesetter.line(username, { ...style, weight: 800 });
      const room = area.width - 2 * look.padding;
      const oneLine = Math.min(look.size, room / (site.width + name.width));
      const isOneLine = oneLine >= look.smallest;
      const siteSize = isOneLine ? oneLine : Math.min(TWO_LINES.siteSize, room / site.width);
      const nameSize = isOneLine ? oneLine : Math.min(TWO_LINES.nameSize, room / name.width);
      const [siteWidth, nameWidth] = [site.width * siteSize, name.width * nameSize];
      const inner = isOneLine ? siteWidth + nameWidth : Math.max(siteWidth, nameWidth);
      const height = look.height + (isOneLine ? 0 : TWO_LINES.more);
      const box = {
        y: look.keeps === 'top' ? y : y - (height - look.height) / 2,
        width: inner + 2 * look.padding,
        height,
      };
      const x = leftOf(area, box.width, side);
      const { radius, tail } = look;
      parts.push(bubble({ ...box, x }, direction, { radius, tail, at: 'bottom', fill: palette.plate }));
      const left = x + look.padding;
      if (isOneLine) {
        const baseline = y + height / 2 + oneLine * 0.35;
        parts.push(site.draw(left, baseline, siteSize, palette.onPlate));
        parts.push(name.draw(left + siteWidth, baseline, nameSize, palette.onPlate));
        return box.y + height;
      }
      const { siteAt, nameAt } = TWO_LINES;
      parts.push(site.draw(left + (inner - siteWidth) / 2, box.y + height * siteAt, siteSize, palette.onPlate));
      parts.push(name.draw(left + (inner - nameWidth) / 2, box.y + height * nameAt, nameSize, palette.onPlate));
      return box.y + height;
    },
  };
}

export type Canvas = ReturnType<typeof createCanvas>;
