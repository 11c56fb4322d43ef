import { afterEach, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { renderElement } from '../test/render.js';
import { Dialog } from './Dialog.js';

const watchers: EventTarget[] = [];

class CloseWatcher extends EventTarget {
  constructor() {
    super();
    watchers.push(this);
  }
  destroy() {
    watchers.splice(watchers.indexOf(this), 1);
  }
}

afterEach(() => {
  Reflect.deleteProperty(window, 'CloseWatcher');
});

function Page() {
  const [depth, setDepth] = useState(2);
  const closeTo = (next: number) => () => {
    setDepth(next);
  };
  return (
    <Dialog open={depth > 0} onClose={closeTo(0)} title="Lower">
      <Dialog open={depth > 1} onClose={closeTo(1)} title="Upper">
        Text
      </Dialog>
    </Dialog>
  );
}

/** The browser notifies the newest watcher. */
const pressBack = () => {
  act(() => {
    watchers.at(-1)?.dispatchEvent(new Event('close'));
  });
};

test('the Back button of a phone closes the dialog on top, one after the other', async () => {
  Object.assign(window, { CloseWatcher });
  renderElement(<Page />);
  await screen.findByRole('dialog', { name: 'Upper' });
  pressBack();
  await waitFor(() => {
    expect(screen.queryByText('Upper')).toBeNull();
  });
  expect(screen.getByRole('dialog', { name: 'Lower' })).toBeVisible();
  pressBack();
  await waitFor(() => {
    expect(screen.queryByText('Lower')).toBeNull();
  });
  expect(watchers).toEqual([]);
});
