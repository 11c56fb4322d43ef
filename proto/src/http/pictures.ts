/** Backgrounds of all but cards and the carpet, `own` is lavender. The first is the default. */
export const GROUNDS = ['cream', 'night', 'violet', 'rose', 'mint', 'own'] as const;
export type Ground = (typeof GROUNDS)[number];

export const GROUND_COLOURS: Readonly<Record<Ground, { ground: string; soft: string }>> = {
  cream: { ground: '#FBE3BB', soft: '#4B4763' },
  night: { ground: '#16132A', soft: '#BCB6D3' },
  violet: { ground: '#6C47FF', soft: '#FFFFFF' },
  rose: { ground: '#FFD0DD', soft: '#4B4763' },
  mint: { ground: '#BFE8D5', soft: '#4B4763' },
  own: { ground: '#ECE7FF', soft: '#4B4763' },
};

/** Drawn by the gateway for chat apps and sharing: PNG, but for the carpet. */
export const PICTURES = {
  getProfilePicture: {
    path: '/og/{username}.png',
    width: 1200,
    height: 630,
    summary: 'Preview picture of a page: avatar, name and address',
  },
  getMessagePicture: {
    path: '/og/message/{id}.png',
    width: 1200,
    height: 630,
    summary: 'A published message as a card that asks for more, with the address of the page',
  },
  getMessageStory: {
    path: '/story/message/{id}.png',
    width: 1080,
    height: 1920,
    summary: 'A published message with its picture, its sound as a waveform and its reply, as a picture for stories',
  },
  getPromptStory: {
    path: '/story/{username}.png',
    width: 1080,
    height: 1920,
    summary: 'A question of the owner, `?ask=` by its id, as a picture for stories',
  },
  getArabicCard: {
    path: '/card/ar/{username}.png',
    width: 1240,
    height: 1748,
    summary: 'A card with the QR code of a page, in Arabic, to print on A6 at 300 dpi',
  },
  getEnglishCard: {
    path: '/card/en/{username}.png',
    width: 1240,
    height: 1748,
    summary: 'The same in English',
  },
  getCarpet: {
    path: '/carpet/{username}.svg',
    width: 629,
    height: 125,
    summary: 'The ornaments of the published messages of a page, the last 200, as one drawing (SVG)',
  },
} as const;

export type PictureId = keyof typeof PICTURES;

/** Messages in a carpet, so that it has at most 12 kB. */
export const MOST_KNOTS = 200;

/** Without the host. Omits the default ground, so that each picture has one address. */
export function picturePath(
  id: PictureId,
  subject: string | number,
  ground: Ground = GROUNDS[0],
  ask?: number,
): string {
  const query = [...(ask === undefined ? [] : [`ask=${ask}`]), ...(ground === GROUNDS[0] ? [] : [`ground=${ground}`])];
  const path = PICTURES[id].path.replace(/\{\w+\}/, encodeURIComponent(subject));
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** Highest peaks of equal parts, as heights in percent. Even ones without peaks. */
export function barsOf(peaks: readonly number[] | null, count: number): number[] {
  const all = peaks === null || peaks.length === 0 ? [32] : peaks;
  return Array.from({ length: count }, (_, bar) => {
    const start = Math.floor((bar * all.length) / count);
    const end = Math.max(start + 1, Math.floor(((bar + 1) * all.length) / count));
    return Math.min(100, Math.max(12, ...all.slice(start, end)));
  });
}

const ARABIC = /\p{Script=Arabic}/u;

/** The best guess at what readers of the text read. */
export const languageOf = (text: string): 'ar' | 'en' => (/\p{L}/u.test(text) && !ARABIC.test(text) ? 'en' : 'ar');

/** With the address of a page. */
export const QR_CODES = {
  getQrCodeAsSvg: { path: '/api/users/{username}/qr.svg', type: 'image/svg+xml' },
  getQrCodeAsPng: { path: '/api/users/{username}/qr.png', type: 'image/png' },
} as const;

export type QrCodeId = keyof typeof QR_CODES;

/** In pixels. Few, so that few pictures are drawn and cached. */
export const QR_SIZES = [128, 256, 512, 1024, 2048] as const;
export const QR_DEFAULT_SIZE = 512;

/** Without the host. */
export const qrCodePath = (id: QrCodeId, username: string, size: (typeof QR_SIZES)[number] = QR_DEFAULT_SIZE): string =>
  `${QR_CODES[id].path.replace('{username}', encodeURIComponent(username))}?size=${String(size)}`;
