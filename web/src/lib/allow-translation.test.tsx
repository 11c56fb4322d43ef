import '../test/setup.js';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { allowTranslation } from './allow-translation.js';

/** As Chrome's translation does. */
function translate(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode() !== null) found.push(texts.currentNode as Text);
  for (const text of found) {
    const replacement = document.createElement('font');
    replacement.textContent = `${text.data} in French`;
    text.replaceWith(replacement);
  }
}

const Line = ({ isSent }: { isSent: boolean }) => (
  <p>
    {isSent && <b>Sent.</b>}
    {isSent ? null : 'Send'}
    <i>now</i>
  </p>
);

test('a page translated by the browser keeps working', () => {
  allowTranslation();
  const { rerender } = render(<Line isSent={false} />);
  translate();
  expect(screen.getByText('Send in French')).toBeVisible();
  rerender(<Line isSent />);
  expect(screen.getByText('Sent.')).toBeVisible();
  rerender(<Line isSent={false} />);
  expect(screen.queryByText('Sent.')).toBeNull();
});
