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
    notice: { min: 0, max: 140 },
    prompt: { min: 1, max: 100 },
    filterWord: { min: 2, max: 50 },
    /** A comment of a reporter. */
    comment: { min: 0, max: 300 },
    /** Why a moderator does something. */
    reason: { min: 3, max: 300 },
  },
  username: { min: 3, max: 30 },
  /** `min` counts characters (grapheme clusters), `max` counts UTF-16 code units. */
  password: { min: 8, max: 128 },
  adminPassword: { min: 6, max: 128 },
  adminSecret: { min: 1, max: 1024 },
  email: { min: 1, max: 254 },
  /** Days in which an account that is about to be deleted can be kept. */
  deletionDays: 7,
  /** Entries on one page of a list. */
  page: { default: 10, max: 100 },
  /** Messages that one call may change. */
  bulk: 100,
  /** Time to take a change of messages back, from its answer. */
  undoSeconds: 10,
  /** Unread notifications that are counted. The number of more costs more than anybody needs to know. */
  unread: 100,
  /** Devices that an account may be told on. Of more, the one that was longest away is forgotten. */
  pushDevices: 10,
  /** Passkeys of an account. */
  passkeys: 20,
  /** Messages at the top of a public page. */
  pinned: 3,
  /** Prompts of an account. */
  prompts: 10,
  /** Words of one search: each is a look through the messages. */
  searchWords: 8,
  /** Words that an account may filter. */
  filterWords: 100,
  /** Age in days that an account may ask of those who write to it. */
  minimumDays: { min: 1, max: 365 },
  /** Days of a suspension, or of a block everywhere. */
  sanctionDays: { min: 1, max: 365 },
  messageImageBytes: 5 * MEGABYTE,
  chatImageBytes: 5 * MEGABYTE,
  avatarBytes: 2 * MEGABYTE,
  /** Frames of an animation. */
  imageFrames: 500,
  recordingBytes: 10 * MEGABYTE,
  /** A recording must be shorter than this. */
  recordingSeconds: 180,
  /** Maximum size of a JSON body without its picture, and of all form fields. */
  jsonBytes: 64 * KILOBYTE,
} as const;

/** Settings of an account that never chose: everyone may write, and presence shows roughly. */
export const RECEIVING_DEFAULTS = {
  from: 'everyone',
  minimumDays: 7,
  notice: '',
  presence: 'coarse',
  readReceipts: true,
} as const;

/** Values of an account that never set a profile field: of the fields that anyone sees, and of those that only it sees. */
export const PROFILE_DEFAULTS = {
  public: { bio: '' },
  own: { gender: 'male' },
} as const;
