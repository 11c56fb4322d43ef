import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderElement } from '../../test/render.js';
import { startApi } from '../../test/server.js';
import { ReportDialog } from './index.js';

const message = { id: 5, content: 'a message', imageUrl: null, audioUrl: null };

test.each([
  ['Self-harm', 'self_harm', /^Keep the message, and talk to someone you trust now\. If anyone is in danger/],
  ['Blackmail', 'blackmail', /^Keep the message, and send neither money nor pictures\. Talk to someone you trust/],
  ['A threat', 'threat', /^If someone is in danger now/],
])('%s is reported, with what to do now', async (label, reason, calm) => {
  const api = await startApi({
    'GET /user': { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } },
    'POST /reports': { status: 201, body: { id: 1, status: 'open' } },
  });
  const { user } = renderElement(<ReportDialog message={message} onClose={() => undefined} />, {
    apiRoot: api.apiRoot,
  });
  await user.click(await screen.findByRole('radio', { name: label }));
  expect(screen.getByRole('alert')).toHaveTextContent(calm);
  await user.click(screen.getByRole('button', { name: 'Send report' }));
  expect(await screen.findByText('Report received')).toBeVisible();
  expect(api.callsTo('POST /reports')[0]?.body).toMatchObject({ messageId: 5, reason });
});
