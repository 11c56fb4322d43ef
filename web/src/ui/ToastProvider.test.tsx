import { describe, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { renderElement } from '../test/render.js';
import { startApi } from '../test/server.js';
import { useToast } from './toast-context.js';

function Buttons() {
  const toast = useToast();
  return (
    <>
      <button
        type="button"
        onClick={() => {
          toast({ variant: 'success', title: 'first', text: 'with words' });
        }}
      >
        one
      </button>
      <button
        type="button"
        onClick={() => {
          toast({ variant: 'destructive', title: 'second' });
        }}
      >
        two
      </button>
      <button
        type="button"
        onClick={() => {
          toast({ variant: 'missing', title: 'No line' });
        }}
      >
        three
      </button>
    </>
  );
}

describe('toasts', () => {
  test.each([
    ['offers a reload where a newer build took the place of this one', 404, 'Najwa was updatedReload'],
    ['tells of the line where this build is still there', 200, 'No line'],
  ])('of a missing part: %s', async (_title, status, text) => {
    const { apiRoot, callsTo } = await startApi({ 'HEAD /main.js': { status } });
    const main = Object.assign(document.createElement('script'), { type: 'module', src: `${apiRoot}/main.js` });
    document.head.append(main);
    const { user } = renderElement(<Buttons />);
    await user.click(screen.getByRole('button', { name: 'three' }));
    await waitFor(() => {
      expect(callsTo('HEAD /main.js')).toHaveLength(1);
    });
    expect(await screen.findByText(text.replace(/Reload$/, ''))).toBeVisible();
    expect(screen.getByTestId('toast')).toHaveTextContent(text);
    main.remove();
  });

  test('only the newest toast shows', async () => {
    const { user } = renderElement(<Buttons />);
    await user.click(screen.getByRole('button', { name: 'one' }));
    expect(await screen.findByTestId('toast')).toHaveTextContent('firstwith words');
    await user.click(screen.getByRole('button', { name: 'two' }));
    expect(screen.getAllByTestId('toast')).toHaveLength(1);
    expect(await screen.findByTestId('toast')).toHaveTextContent('second');
    expect(await screen.findByTestId('toast')).toHaveAttribute('data-variant', 'destructive');
  });

  test('a closed toast disappears', async () => {
    const { user } = renderElement(<Buttons />);
    await user.click(screen.getByRole('button', { name: 'one' }));
    await user.click(await screen.findByRole('button', { name: 'Close' }));
    await waitFor(() => {
      expect(screen.queryByTestId('toast')).toBeNull();
    });
  });

  test('F8 moves the focus to the toasts', async () => {
    const { user } = renderElement(<Buttons />);
    await user.click(screen.getByRole('button', { name: 'one' }));
    await screen.findByTestId('toast');
    await user.keyboard('[F8]');
    expect(screen.getByRole('region', { name: 'Pop-up notifications (F8)' })).toContainElement(
      document.activeElement as HTMLElement,
    );
  });
});
