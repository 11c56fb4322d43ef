import { bubble, COLOURS } from './shapes.js';
import type { Fit, Paragraph, TextDirection, Typesetter } from './text.js';

export type PictureLanguage = 'ar' | 'en';

export const fit = (size: number, lineHeight: number, maxLines: number): Fit => ({ size, lineHeight, maxLines });

/** Draws text and shapes in the direction of one language, into a template with the place `{{content}}`. */
export function createCanvas(typesetter: Typesetter, language: PictureLanguage) {
  const direction: TextDirection = language === 'ar' ? 'rtl' : 'ltr';
  const parts: string[] = [];

  /** The left edge of something at the start or the end of an area. */
  const leftOf = (area: { x: number; width: number }, width: number, side: 'start' | 'end', of = direction): number =>
    (side === 'start') === (of === 'ltr') ? area.x : area.x + area.width - width;

  /** Draws lines from the side at which their language begins. @param y of the first baseline */
  const drawLines = (
    { lines, size, lineHeight, direction: own }: Paragraph,
    area: { x: number; width: number },
    y: number,
    fill: string,
  ): void => {
    for (const [index, line] of lines.entries())
      parts.push(line.draw(leftOf(area, line.width * size, 'start', own), y + index * lineHeight, size, fill));
  };

  return {
    language,
    direction,
    leftOf,
    add: (part: string): void => void parts.push(part),
    svg: (template: string): string => template.replace('{{content}}', () => parts.join('\n')),
    wrap: (text: string, weight: 500 | 700 | 800, width: number, fits: readonly Fit[]): Paragraph =>
      typesetter.wrap(text, { weight, language }, width, fits),
    lines: drawLines,
    /** Draws our own words in one line. */
    words(
      text: string,
      area: { x: number; width: number },
      y: number,
      size: number,
      weight: 500 | 700 | 800 | 900,
      fill: string,
    ) {
      const line = typesetter.line(text, { weight, language, direction });
      parts.push(line.draw(leftOf(area, line.width * size, 'start'), y, size, fill));
    },
    /**
     * A question of the page's owner, with a bar at the side where its own language begins.
     * @returns its height with the gap below it, which is 0 without a question, and a function that draws it
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
        draw: (area: { x: number; width: number }, top: number): void => {
          const x = leftOf(area, bar, 'start', own);
          parts.push(`<rect x="${x}" y="${top}" width="${bar}" height="${height}" fill="${COLOURS.violet}"/>`);
          const beside = { x: own === 'rtl' ? area.x : area.x + inset, width: area.width - inset };
          drawLines(paragraph, beside, top + (lineHeight + size * 0.7) / 2, COLOURS.ink2);
        },
      };
    },
    /** The address of the page in a dark bubble. @returns its width */
    chip(
      area: { x: number; width: number },
      y: number,
      side: 'start' | 'end',
      username: string,
      scale: number,
    ): number {
      const style = { language: 'en', direction: 'ltr' } as const;
      const path = typesetter.line('/m/', { ...style, weight: 400 });
      const name = typesetter.line(username, { ...style, weight: 700 });
      const padding = 38 * scale;
      const size = Math.min(36 * scale, (area.width - 2 * padding) / (path.width + name.width));
      const [pathWidth, nameWidth] = [path.width * size, name.width * size];
      const [width, height] = [pathWidth + nameWidth + 2 * padding, 84 * scale];
      const x = leftOf(area, width, side);
      const shape = { radius: 26 * scale, tail: 8 * scale, at: 'bottom', fill: COLOURS.ink } as const;
      parts.push(bubble({ x, y, width, height }, direction, shape));
      const baseline = y + height / 2 + size * 0.36;
      parts.push(path.draw(x + padding, baseline, size, COLOURS.onNight2));
      parts.push(name.draw(x + padding + pathWidth, baseline, size, COLOURS.onNight));
      return width;
    },
  };
}

export type Canvas = ReturnType<typeof createCanvas>;
