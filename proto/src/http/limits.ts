const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Limits of client input. The product's "MB" are mebibytes. */
export const LIMITS = {
  /** In characters (grapheme clusters), see `countCharacters`. */
  text: {
    name: { min: 1, max: 60 },
    bio: { min: 0, max: 300 },
    message: { min: 1, max: 700 },
    reply: { min: 1, max: 1000 },
    question: { min: 0, max: 2000 },
    search: { min: 0, max: 100 },
  },
  username: { min: 3, max: 30 },
  /** `min` counts characters (grapheme clusters), `max` counts UTF-16 code units. */
  password: { min: 8, max: 128 },
  adminPassword: { min: 6, max: 128 },
  adminSecret: { min: 1, max: 1024 },
  email: { min: 1, max: 254 },
  /** Entries on one page of a list. */
  page: { default: 10, max: 100 },
  messageImageBytes: 5 * MEGABYTE,
  chatImageBytes: 5 * MEGABYTE,
  avatarBytes: 2 * MEGABYTE,
  recordingBytes: 10 * MEGABYTE,
  /** A recording must be shorter than this. */
  recordingSeconds: 180,
  /** Maximum size of a JSON body without its picture, and of all form fields. */
  jsonBytes: 64 * KILOBYTE,
} as const;
