import { afterEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { renderElement } from '../test/render.js';
import { IconButton, Tooltip, TooltipProvider } from './index.js';

afterEach(() => {
  jest.useRealTimers();
});

test('right after one tooltip, the next shows at once', async () => {
  renderElement(
    <TooltipProvider>
      {['One', 'Two'].map((label) => (
        <Tooltip key={label} text={label}>
          <IconButton label={label}>{label}</IconButton>
        </Tooltip>
      ))}
    </TooltipProvider>,
  );
  const [one, two] = await Promise.all(['One', 'Two'].map((name) => screen.findByRole('button', { name })));
  // Time stands still, on a slow machine too.
  jest.useFakeTimers();
  fireEvent.pointerMove(one!);
  expect(screen.queryByRole('tooltip')).toBeNull();
  act(() => jest.runAllTimers());
  expect(screen.getByRole('tooltip')).toHaveTextContent('One');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByRole('tooltip')).toBeNull();
  fireEvent.pointerMove(two!);
  expect(screen.getByRole('tooltip')).toHaveTextContent('Two');
});
