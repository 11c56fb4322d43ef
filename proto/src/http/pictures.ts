/** Preview pictures, for chat apps and to share. The gateway draws them; they are PNG. */
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
    summary: 'Preview picture of a published message with its reply',
  },
  getMessageStory: {
    path: '/story/message/{id}.png',
    width: 1080,
    height: 1920,
    summary: 'A published message with its reply as a picture for stories',
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
} as const;

export type PictureId = keyof typeof PICTURES;

/** The address of a picture, without the host. */
export const picturePath = (id: PictureId, subject: string | number): string =>
  PICTURES[id].path.replace(/\{\w+\}/, encodeURIComponent(subject));

/** QR codes with the address of a page. */
export const QR_CODES = {
  getQrCodeAsSvg: { path: '/api/users/{username}/qr.svg', type: 'image/svg+xml' },
  getQrCodeAsPng: { path: '/api/users/{username}/qr.png', type: 'image/png' },
} as const;

export type QrCodeId = keyof typeof QR_CODES;

/** Sides in pixels. Few, so that few pictures are drawn and remembered. */
export const QR_SIZES = [128, 256, 512, 1024, 2048] as const;
export const QR_DEFAULT_SIZE = 512;

/** The address of a QR code, without the host. */
export const qrCodePath = (id: QrCodeId, username: string, size: (typeof QR_SIZES)[number] = QR_DEFAULT_SIZE): string =>
  `${QR_CODES[id].path.replace('{username}', encodeURIComponent(username))}?size=${String(size)}`;
