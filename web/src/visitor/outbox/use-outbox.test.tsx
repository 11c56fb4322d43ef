import '../../test/setup.js';
import { expect, test } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createStore } from '../../api/store.js';
import { buildUser } from '../../test/factories.js';
import { startApi } from '../../test/server.js';
import { useOutbox } from './use-outbox.js';

test('a waiting message is for its account, or for any if it has none', async () => {
  const api = await startApi({ 'GET /user': { body: buildUser({ id: 7 }) } });
  const store = createStore({ apiRoot: api.apiRoot });
  const { result } = renderHook(() => useOutbox(), {
    wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
  });
  const own = () => [7, null, 8].filter((account) => result.current.isOwn({ account }));
  await waitFor(() => {
    expect(own()).toEqual([7, null]);
  });
});
