// Long run: two whole systems.
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkoutRoot } from '@najwa/dev/bootstrap/environment';
import { REPORT_REASONS } from '@najwa/proto/http/client';
import { startTestSystem, type TestSystem } from '@najwa/testing';

interface Report {
  reasons: string[];
  status: string;
}

let empty: TestSystem;
let used: TestSystem;

beforeAll(async () => {
  empty = await startTestSystem();
  used = await startTestSystem();
});
afterAll(() => Promise.all([empty.stop(), used.stop()]));

const demo = ({ url, adminSecret }: TestSystem, ...args: string[]): Promise<{ status: number; output: string }> =>
  new Promise((resolve) => {
    const options = { cwd: checkoutRoot, env: { ...process.env, ADMIN_SECRET: adminSecret } };
    const command = ['deploy/demo/demo.js', '--address', url, ...args];
    const child = execFile('node', command, options, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    );
  });

async function signIn(system: TestSystem, output: string, username: string): Promise<{ cookie: string }> {
  const password = new RegExp(`${username} +password (\\S+)`).exec(output)?.[1];
  const { status, headers } = await system.request('POST', '/api/login', { body: { username, password } });
  expect(status).toBe(200);
  return {
    cookie: headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  };
}

async function listOf<Entry>(system: TestSystem, path: string, person?: { cookie: string }): Promise<Entry[]> {
  const { status, body } = await system.request('GET', path, person);
  expect([path, status]).toEqual([path, 200]);
  return body as Entry[];
}

test('fills an empty site once, and takes it away', async () => {
  const first = await demo(empty);
  expect(first).toMatchObject({ status: 0, output: expect.stringContaining('40 messages') });
  const { output } = await demo(empty);
  const counts = [];
  for (const username of ['layla', 'yusuf', 'emma']) {
    const owner = await signIn(empty, output, username);
    const inbox = await listOf<{ audioUrl: string | null; imageUrl: string | null }>(
      empty,
      '/api/messages?limit=100',
      owner,
    );
    counts.push(inbox.length);
    expect(inbox.some(({ audioUrl }) => audioUrl !== null)).toBe(true);
    expect(inbox.some(({ imageUrl }) => imageUrl !== null)).toBe(true);
  }
  // A moderator removed one of each of the last two.
  expect(counts).toEqual([17, 10, 11]);

  const moderator = await signIn(empty, output, 'huda');
  const reports = await listOf<Report>(empty, '/api/admin/reports?limit=100', moderator);
  expect(reports.flatMap((report) => report.reasons).sort()).toEqual([...REPORT_REASONS].sort());
  expect(reports.filter(({ status }) => status === 'open')).toHaveLength(REPORT_REASONS.length - 2);
  const administrator = await signIn(empty, output, 'yusuf');
  expect(await listOf(empty, '/api/admin/chat-bot/messages', administrator)).toHaveLength(6);

  // Another one, so that the demo's may go.
  const own = await empty.newStaff('administrator');
  expect(await demo(empty, '--remove')).toMatchObject({ status: 0 });
  for (const username of ['layla', 'yusuf', 'emma', 'huda'])
    expect((await empty.request('GET', `/api/users/${username}`)).status).toBe(404);
  expect(await listOf(empty, '/api/admin/chat-bot/messages', own)).toEqual([]);
  expect(await listOf(empty, '/api/admin/reports?status=open', own)).toEqual([]);
});

test('refuses a site with accounts, and leaves nothing there', async () => {
  await used.newAccount();
  expect(await demo(used)).toEqual({ status: 1, output: expect.stringContaining('for an empty site') });
  expect((await used.request('GET', '/api/users/layla')).status).toBe(404);
});
