import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderElement } from '../test/render.js';
import { IconButton, TooltipProvider } from './index.js';

test('right after one tooltip, the next shows at once', async () => {
  const { user } = renderElement(
    <TooltipProvider>
      {['One', 'Two'].map((label) => (
        <IconButton key={label} label={label} tip>
          {label}
        </IconButton>
      ))}
    </TooltipProvider>,
  );
  await user.hover(await screen.findByRole('button', { name: 'One' }));
  expect(screen.queryByRole('tooltip')).toBeNull();
  expect(await screen.findByRole('tooltip')).toHaveTextContent('One');
  await user.keyboard('{Escape}');
  await user.hover(screen.getByRole('button', { name: 'Two' }));
  expect(screen.getByRole('tooltip')).toHaveTextContent('Two');
});
