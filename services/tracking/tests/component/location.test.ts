import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { geoDatabase } from './geo-database.js';
import { startTrackingBed, type TrackingBed } from './tracking-bed.js';

let directory: string;
let tracking: TrackingBed;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'najwa-geo-'));
  const database = join(directory, 'city.mmdb');
  await writeFile(
    database,
    geoDatabase('203.0.113.7', { city: { names: { en: 'Aswan' } }, country: { names: { en: 'Egypt' } } }),
  );
  tracking = await startTrackingBed({ GEOIP_DATABASE: database });
});

afterAll(async () => {
  await tracking.stop();
  await rm(directory, { recursive: true });
});

test.each([
  ['203.0.113.7', 'Aswan, Egypt'],
  ['203.0.113.8', ''],
  ['not an address', ''],
])('%s is in "%s"', async (ipAddress, location) => {
  const message = tracking.newMessage();
  await tracking.track([message], { ipAddress });
  expect(await tracking.recordOf(message)).toMatchObject([{ location }]);
});
