import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectStores, loadConfig, runKeepLess, type Stores } from '@najwa/backup';
import { startTestBed, uniqueAddress, type BedAccount, type TestBed } from '@najwa/testing';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1';
const ADDRESS = '2001:db8:77:1::5';

let bed: TestBed;
let account: BedAccount;
let stores: Stores;
let output: string[];

const environment = () => ({ ...bed.environment, MONGO_PREFIX: bed.environment['AMQP_PREFIX'] });

const keepLess = async (...args: string[]): Promise<number> => {
  output = [];
  return runKeepLess({
    environment: environment(),
    args,
    writeLine: (line) => void output.push(line),
    writeError: (line) => void output.push(line),
  });
};

const stored = (service: string, collection: string) => stores.databaseOf(service).collection(collection);

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth', 'messages', 'tracking'] });
  const caller = { identity: { ip: ADDRESS, visitorId: 'A'.repeat(22) }, headers: { 'user-agent': IPHONE } };
  account = await bed.newAccount({}, caller);
  await bed.sendMessage(account.id, {}, caller);
  await bed.eventually(async () => expect(await bed.listTracking()).toHaveLength(1));
  stores = await connectStores(loadConfig(environment()));
  await stored('admin', 'audit_log').insertOne({ id: 1, ipAddress: uniqueAddress() });
  await stored('chatbot', 'chat_bot_messages').insertOne({ id: 1, ipAddress: ADDRESS, userAgent: IPHONE });
  await stored('messages', 'push_subscriptions').insertOne({
    id: 'one',
    device: { browser: 'Safari', operatingSystem: 'iOS', kind: 'mobile' },
  });
});

afterAll(async () => {
  for (const service of ['admin', 'chatbot']) await stores.databaseOf(service).dropDatabase();
  await stores.close();
  await bed.stop();
});

const sessions = async (): Promise<unknown> =>
  (await bed.call('auth', 'GET', '/api/sessions', { identity: account.identity })).body;

test('says how it is used, and changes nothing then', async () => {
  expect(await keepLess('full')).toBe(2);
  expect(output).toEqual(['Usage: npm run keep-less -- coarse|off']);
  expect(await bed.listTracking()).toMatchObject([{ ipAddress: ADDRESS, browser: 'Safari' }]);
});

test('makes what is stored coarse, and then empties it', async () => {
  expect(await keepLess('coarse')).toBe(0);
  expect(output).toContain('tracking  sender_tracking_info  1 documents changed');
  expect(await bed.listTracking()).toMatchObject([
    { ipAddress: '2001:db8:77::/48', userAgent: '', browser: '', operatingSystem: '', device: 'mobile' },
  ]);
  const kind = { browser: '', operatingSystem: '', kind: 'mobile' };
  expect(await sessions()).toMatchObject([{ device: kind }]);
  expect(await stored('messages', 'push_subscriptions').findOne({ id: 'one' })).toMatchObject({ device: kind });
  expect(await stored('chatbot', 'chat_bot_messages').findOne()).toMatchObject({
    ipAddress: '2001:db8:77::/48',
    userAgent: 'mobile',
  });
  expect(await stored('admin', 'audit_log').findOne()).toMatchObject({ ipAddress: expect.stringMatching(/\.0\/24$/) });

  expect(await keepLess('off')).toBe(0);
  expect(await bed.listTracking()).toMatchObject([{ ipAddress: '', device: '', message: { content: 'رسالة' } }]);
  expect(await sessions()).toMatchObject([{ device: { browser: '', operatingSystem: '', kind: '' } }]);
  expect(await stored('chatbot', 'chat_bot_messages').findOne()).toMatchObject({ ipAddress: '', userAgent: '' });
  expect(await stored('admin', 'audit_log').findOne()).toMatchObject({ ipAddress: '' });
});
