import '../test/setup.js';
import { expect, jest, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { OptionalView } from '../ui/index.js';
import { renderElement } from '../test/render.js';
import { lazyPart } from './on-demand.js';

test('a dialog that could not be loaded says so, and opens at a later click', async () => {
  // React logs the failure of a part.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  let loads = 0;
  const Late = lazyPart(() => {
    loads += 1;
    return loads === 1
      ? Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
      : Promise.resolve(() => <div role="dialog">here</div>);
  });
  function Opener() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button
          onClick={() => {
            setOpen(true);
          }}
        >
          open
        </button>
        {isOpen && (
          <OptionalView
            onClose={() => {
              setOpen(false);
            }}
          >
            <Late />
          </OptionalView>
        )}
      </>
    );
  }
  const { user } = renderElement(<Opener />, { apiRoot: '', language: 'en' });
  await user.click(screen.getByRole('button', { name: 'open' }));
  expect(await screen.findByTestId('toast')).toBeVisible();
  expect(loads).toBe(1);
  await waitFor(async () => {
    await user.click(screen.getByRole('button', { name: 'open' }));
    expect(screen.getByRole('dialog')).toBeVisible();
  });
  expect(loads).toBe(2);
});
