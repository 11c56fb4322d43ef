const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Of client input. A "MB" of the product is a mebibyte. */
export const LIMITS = {
  /** In characters (grapheme clusters), see `countCharacters`. */
  text: {
    name: { min: 1, max: 60 },
    bio: { min: 0, max: 300 },
    message: { min: 1, max: 700 },
    reply: { min: 1, max: 1000 },
    question: { min: 0, max: 2000 },
    search: { min: 0, max: 100 },
    notice: { min: 0, max: 140 },
    prompt: { min: 1, max: 100 },
    filterWord: { min: 2, max: 50 },
    comment: { min: 0, max: 300 },
    /** Of a moderator's action. */
    reason: { min: 3, max: 300 },
  },
  username: { min: 3, max: 30 },
  /** `min` in characters (grapheme clusters), `max` in UTF-16 code units. */
  password: { min: 8, max: 128 },
  adminPassword: { min: 6, max: 128 },
  adminSecret: { min: 1, max: 1024 },
  email: { min: 1, max: 254 },
  /** For which a closed account can be kept. */
  deletionDays: 7,
  page: { default: 10, max: 100 },
  /** Messages per call. */
  bulk: 100,
  /** Read at once. */
  unreadAtOnce: 5_000,
  /** Counts from the answer. */
  undoSeconds: 10,
  /** Unread notifications that are counted; more cost too much. */
  unread: 100,
  /** With push, per account. The least recently used is dropped. */
  pushDevices: 10,
  /** Per account. */
  passkeys: 20,
  /** Messages at the top of a public page. */
  pinned: 3,
  /** Per account. */
  prompts: 10,
  /** Per search: each costs a scan. */
  searchWords: 8,
  /** Per account. */
  filterWords: 100,
  /** Age of accounts that a recipient may require. */
  minimumDays: { min: 1, max: 365 },
  /** Of a suspension, or of a block everywhere. */
  sanctionDays: { min: 1, max: 365 },
  messageImageBytes: 5 * MEGABYTE,
  chatImageBytes: 5 * MEGABYTE,
  avatarBytes: 2 * MEGABYTE,
  /** Of an animation. */
  imageFrames: 500,
  recordingBytes: 10 * MEGABYTE,
  /** Exclusive. */
  recordingSeconds: 180,
  /** Within which a message comes that is to come later. */
  laterHours: 6,
  /** In one answer about a conversation. */
  turns: 50,
  /** A JSON body without its picture, and all form fields. */
  jsonBytes: 64 * KILOBYTE,
} as const;

/** Of an account that never changed them. */
export const RECEIVING_DEFAULTS = {
  from: 'everyone',
  minimumDays: 7,
  notice: '',
  presence: 'coarse',
  readReceipts: true,
  conversations: true,
} as const;

/** Of profile fields that were never set. */
export const PROFILE_DEFAULTS = {
  public: { bio: '' },
  own: { gender: 'male' },
} as const;
