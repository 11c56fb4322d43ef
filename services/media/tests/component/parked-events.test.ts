// Long run: clocks of days.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { namesFor, ParkedEvents } from '@najwa/common/amqp';
import {
  dataUrl,
  readSample,
  requiredVariable,
  startTestBed,
  type BedAccount,
  type SentMessage,
  type TestBed,
} from '@najwa/testing';
import { connect, type ChannelModel } from 'amqplib';
import { createContext, type MediaContext } from '../../src/context.js';
import { sweep } from '../../src/files/sweep.js';
import { loadConfig } from '../../src/index.js';

const HOUR_MS = 60 * 60 * 1000;

let bed: TestBed;
let prefix: string;
let broker: ChannelModel;
let replica: MediaContext;
let owner: BedAccount;

beforeAll(async () => {
  bed = await startTestBed({ services: ['auth', 'media', 'messages'], env: { RATE_LIMIT_SCALE: '0' } });
  prefix = String(bed.environment['AMQP_PREFIX']);
  broker = await connect(requiredVariable('AMQP_URL'));
  replica = await createContext(loadConfig(bed.environmentOf('media')));
  await replica.database.connect();
  await replica.bus.start();
  await bed.eventually(() => expect(replica.bus.isConnected()).toBe(true));
  owner = await bed.newAccount();
});

afterAll(async () => {
  await replica.bus.stop();
  replica.blobs.close();
  await replica.database.close();
  await broker.close();
  await bed.stop();
});

/** As a replica does that looks for files that nothing has claimed, and has been connected for as long as that takes. */
const sweepAt = (time: number): Promise<void> =>
  sweep(
    { ...replica, bus: { isConnected: () => true, publish: (events) => replica.bus.publish(events) } },
    new Date(time),
  );

const recordOf = async (name: string) =>
  (await replica.database.connection.collection('pictures').findOne({ name })) ?? {};

/** Sends a message whose event goes to media's parked queue, as one does that media could not handle. */
async function sendParked(imageUrl: string): Promise<SentMessage> {
  const [names, key] = [namesFor(prefix), 'message.created.file'];
  const channel = await broker.createChannel();
  await channel.unbindQueue(names.queue('media'), names.exchange, key);
  await channel.bindQueue(names.parkedQueue('media'), names.exchange, key);
  const sent = await bed.sendMessage(owner.id, { imageUrl });
  await bed.eventually(async () =>
    expect(await channel.checkQueue(names.parkedQueue('media'))).toMatchObject({ messageCount: 1 }),
  );
  await channel.bindQueue(names.queue('media'), names.exchange, key);
  await channel.unbindQueue(names.parkedQueue('media'), names.exchange, key);
  await channel.close();
  return sent;
}

test('a picture whose event is parked for two days stays available until the event arrives', async () => {
  const sent = await sendParked(dataUrl(await readSample('photo.png'), 'image/png'));
  const name = sent.imageUrl?.split('/').at(-1) ?? '';
  const statusFor = async (account: BedAccount) =>
    (await bed.call('media', 'GET', `/api/image/${name}`, { identity: account.identity })).status;
  expect(await recordOf(name)).toMatchObject({ unclaimedSince: expect.any(Date) });

  const now = Date.now();
  for (let hour = 0; hour <= 48; hour += 1) await sweepAt(now + hour * HOUR_MS);
  // The answer of messages claims it.
  await bed.eventually(async () => expect(await recordOf(name)).toMatchObject({ unclaimedSince: null }));
  await sweepAt(now + 49 * HOUR_MS);
  expect(await recordOf(name)).toMatchObject({ status: 'stored' });
  expect([await statusFor(owner), await statusFor(await bed.newAccount())]).toEqual([200, 404]);

  const parked = await ParkedEvents.open({ url: requiredVariable('AMQP_URL'), prefix, subscribers: ['media'] });
  expect(await parked.requeue()).toMatchObject([{ name: 'messageCreated' }]);
  await parked.close();
  const body = { isPublic: true };
  await bed.call('messages', 'PATCH', `/api/messages/${sent.id}`, { identity: owner.identity, body });
  await bed.eventually(async () => expect(await statusFor(await bed.newAccount())).toBe(200));
});
