import { type Box, bubble, COLOURS, type Palette } from './shapes.js';
import type { Fit, Line, Paragraph, TextDirection, TextStyle, Typesetter, WrapStyle } from './text.js';

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
export class Canvas {
  readonly language;
  readonly palette;
  readonly direction: TextDirection;
  readonly #typesetter;
  readonly #parts: string[] = [];
  #behind = '';

  constructor(typesetter: Typesetter, language: PictureLanguage, palette: Palette) {
    this.language = language;
    this.palette = palette;
    this.direction = language === 'ar' ? 'rtl' : 'ltr';
    this.#typesetter = typesetter;
  }

  leftOf(area: Area, width: number, side: 'start' | 'end', of = this.direction): number {
    return (side === 'start') === (of === 'ltr') ? area.x : area.x + area.width - width;
  }
  add(part: string): void {
    this.#parts.push(part);
  }
  addBehind(part: string): void {
    this.#behind += part;
  }
  svg(template: string, { width, height }: Pick<Box, 'width' | 'height'>): string {
    const content = this.#parts.join('\n');
    const places = new Map(Object.entries({ ...this.palette, behind: this.#behind, content, width, height }));
    return template.replace(/\{\{(\w+)\}\}/g, (_, place: string) => String(places.get(place) ?? ''));
  }
  line(text: string, weight: TextStyle['weight'], tracking = 0): Line {
    return this.#typesetter.line(text, { weight, language: this.language, tracking });
  }
  wrap(text: string, style: WrapStyle, width: number, fits: readonly Fit[]): Paragraph {
    return this.#typesetter.wrap(text, { ...style, language: this.language }, width, fits);
  }
  wrapEach(text: string, style: WrapStyle, width: number, fits: readonly Fit[]): Generator<Paragraph> {
    return this.#typesetter.wrapEach(text, { ...style, language: this.language }, width, fits);
  }
  lines({ lines, size, lineHeight, direction }: Paragraph, area: Area, y: number, fill: string): void {
    for (const [index, line] of lines.entries()) {
      const x = this.leftOf(area, line.width * size, 'start', direction);
      this.add(line.draw(x, y + index * lineHeight, size, fill));
    }
  }
  words(text: string, area: Area, y: number, { size, weight, fill, tracking = 0 }: Heading): number {
    const { language, direction } = this;
    const line = this.#typesetter.line(text, { weight, language, direction, tracking });
    this.add(line.draw(this.leftOf(area, line.width * size, 'start'), y, size, fill));
    return line.width * size;
  }
  /**
   * The owner's question, with a bar at its start.
   * @returns height with gap, 0 without a question, and a function that draws it
   */
  asked(text: string | undefined, width: number, fits: readonly Fit[]) {
    if (text === undefined) return { height: 0, draw: () => undefined };
    const bar = 6;
    const inset = bar + 24;
    const paragraph = this.wrap(text, { weight: 500 }, width - inset, fits);
    const { lines, size, lineHeight, direction: own } = paragraph;
    const height = lines.length * lineHeight;
    return {
      height: height + 16,
      draw: (area: Area, top: number): void => {
        const x = this.leftOf(area, bar, 'start', own);
        this.add(`<rect x="${x}" y="${top}" width="${bar}" height="${height}" fill="${COLOURS.violet}"/>`);
        const inner = { x: own === 'rtl' ? area.x : area.x + inset, width: area.width - inset };
        this.lines(paragraph, inner, top + (lineHeight + size * 0.7) / 2, COLOURS.ink2);
      },
    };
  }
  plate(
    area: Area,
    y: number,
    side: 'start' | 'end',
    { address, username }: { address: string; username: string },
    look: PlateLook,
  ): number {
    const { plate, onPlate } = this.palette;
    const style = { language: 'en', direction: 'ltr' } as const;
    const shown = address.replace(/^https?:\/\//, '');
    const site = this.#typesetter.line(shown.slice(0, -username.length), { ...style, weight: 500 });
    const name = this.#typesetter.line(username, { ...style, weight: 800 });
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
    const x = this.leftOf(area, box.width, side);
    const { radius, tail } = look;
    this.add(bubble({ ...box, x }, this.direction, { radius, tail, at: 'bottom', fill: plate }));
    const left = x + look.padding;
    if (isOneLine) {
      const baseline = y + height / 2 + oneLine * 0.35;
      this.add(site.draw(left, baseline, siteSize, onPlate));
      this.add(name.draw(left + siteWidth, baseline, nameSize, onPlate));
    } else {
      const { siteAt, nameAt } = TWO_LINES;
      this.add(site.draw(left + (inner - siteWidth) / 2, box.y + height * siteAt, siteSize, onPlate));
      this.add(name.draw(left + (inner - nameWidth) / 2, box.y + height * nameAt, nameSize, onPlate));
    }
    return box.y + height;
  }
}
