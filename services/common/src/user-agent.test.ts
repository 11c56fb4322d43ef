import { expect, test } from '@jest/globals';
import { describeDevice } from './user-agent.js';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    { browser: 'Chrome', operatingSystem: 'Windows', kind: 'desktop' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    { browser: 'Safari', operatingSystem: 'iOS', kind: 'mobile' },
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
    { browser: 'Firefox', operatingSystem: 'Linux', kind: 'desktop' },
  ],
  ['mobile', { browser: '', operatingSystem: '', kind: 'mobile' }],
  ['', { browser: '', operatingSystem: '', kind: '' }],
  [undefined, { browser: '', operatingSystem: '', kind: '' }],
])('describes %p', (userAgent, device) => {
  expect(describeDevice(userAgent)).toEqual(device);
});
