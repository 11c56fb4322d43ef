import { expect, test } from '@jest/globals';
import { DEFAULTS, STORED_FIELDS, type UserDocument, type UserRecord } from './user-store.js';
import { exportView, ownView, publicView, serviceView, staffView } from './views.js';

/** Readers who see a change of a stored field. */
const VIEWS = {
  own: (user: UserRecord) => [ownView(user), exportView(user)],
  public: publicView,
  staff: staffView,
  services: serviceView,
};
type Audience = keyof typeof VIEWS;
const AUDIENCES = Object.keys(VIEWS) as Audience[];

interface Row {
  audiences: readonly Audience[];
  /** Another value than that of `ACCOUNT`. */
  other: unknown;
}

const ON_THE_WEB = ['own', 'public', 'staff'] as const;
const AT = new Date('2020-01-02T03:04:05.000Z');
const LATER = new Date('2020-02-03T04:05:06.000Z');

const ACCOUNT = {
  ...DEFAULTS,
  id: 1,
  username: 'noura',
  name: 'Noura',
  passwordHash: 'hash',
  createdAt: AT,
  submission: { key: 'key', content: 'hash' },
} satisfies UserRecord;

const FIELDS: Record<Exclude<keyof UserDocument, 'deletedAt'>, Row> = {
  id: { audiences: AUDIENCES, other: 7 },
  username: { audiences: AUDIENCES, other: 'sara' },
  usernameSkeleton: { audiences: [], other: 'sara' },
  name: { audiences: AUDIENCES, other: 'Sara' },
  bio: { audiences: ON_THE_WEB, other: 'hello' },
  gender: { audiences: ['own'], other: 'female' },
  passwordHash: { audiences: [], other: 'other' },
  passwordChangedAt: { audiences: [], other: LATER },
  keptSessionId: { audiences: [], other: 'session' },
  hasInvalidSessions: { audiences: [], other: true },
  email: { audiences: ['own'], other: 'noura@example.com' },
  avatarName: { audiences: AUDIENCES, other: 'a.webp' },
  lastOnline: { audiences: ON_THE_WEB, other: LATER },
  shownOnline: { audiences: ['public', 'staff'], other: LATER },
  visitorCount: { audiences: ON_THE_WEB, other: 3 },
  announcedVisits: { audiences: [], other: 100 },
  createdAt: { audiences: ['own', 'services'], other: LATER },
  isAdmin: { audiences: AUDIENCES, other: true },
  isModerator: { audiences: ['own', 'services'], other: true },
  isVerified: { audiences: AUDIENCES, other: true },
  submission: { audiences: [], other: { key: 'other', content: 'other' } },
  knownDevices: { audiences: [], other: ['device'] },
  recovery: { audiences: [], other: { key: 'sealed', hashes: ['hash'] } },
  totp: { audiences: [], other: { secret: 'sealed', lastStep: 1, since: LATER } },
  pendingTotp: { audiences: [], other: 'sealed' },
  receiving: { audiences: AUDIENCES, other: { ...DEFAULTS.receiving, from: 'nobody' } },
  prompts: { audiences: AUDIENCES, other: [{ id: 3, content: 'why?', createdAt: LATER }] },
  deletesAt: { audiences: ['own'], other: LATER },
  erasure: { audiences: [], other: { announcedAt: LATER, waiting: ['media'], avatarName: null } },
  outbox: { audiences: [], other: [{ id: 'event', at: LATER, body: '{}' }] },
};

const viewsOf = (user: UserRecord) =>
  Object.fromEntries(AUDIENCES.map((audience) => [audience, JSON.stringify(VIEWS[audience](user))]));

test('each stored field of an account is shown to its declared audiences only', () => {
  const before = viewsOf(ACCOUNT);
  const seen = Object.entries(FIELDS).map(([field, { other }]) => {
    const after = viewsOf({ ...ACCOUNT, [field]: other });
    return [field, AUDIENCES.filter((audience) => after[audience] !== before[audience])];
  });
  expect(Object.fromEntries(seen)).toEqual(
    Object.fromEntries(Object.entries(FIELDS).map(([field, { audiences }]) => [field, audiences])),
  );
});

// The settings of `receiving`, each by itself.
test.each([
  ['minimumDays', 30, AUDIENCES],
  ['notice', 'hello', ON_THE_WEB],
  ['presence', 'hidden', ['public', 'staff']],
  ['readReceipts', false, ['own', 'services']],
  ['conversations', false, ['own', 'services']],
])('the setting %s is shown to its declared audiences only', (setting, value, audiences) => {
  const user: UserRecord = { ...ACCOUNT, lastOnline: AT };
  const [before, after] = [user, { ...user, receiving: { ...user.receiving, [setting]: value } }].map(viewsOf);
  expect(AUDIENCES.filter((audience) => after?.[audience] !== before?.[audience])).toEqual(audiences);
});

test('every stored field of an account declares its audiences', () => {
  expect(STORED_FIELDS.filter((field) => field !== '_id').sort()).toEqual(Object.keys(FIELDS).sort());
});
