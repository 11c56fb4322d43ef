import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { StatusLetter } from '../../ui/index.js';
import { renderElement } from '../../test/render.js';
import { OwnOrnament } from './OwnOrnament.js';

const [OPEN, FRAMED] = ['ba2945b603ffaf56', 'ba2945b603ffaf58'];

test.each([
  ['ar', OPEN, 'نقش رسالتك: بلا إطار، ٤ أقواس، ونقطتها في أعلى اليسار.'],
  ['ar', FRAMED, 'نقش رسالتك: حوله إطار، بلا أقواس، ونقطتها في الأعلى.'],
  ['en', OPEN, 'The ornament of your message: no frame, 4 bowls, its dot at the top left.'],
  ['en', FRAMED, 'The ornament of your message: a frame around it, 0 bowls, its dot at the top.'],
] as const)('says in words what is drawn (%s, %s)', async (language, bits, words) => {
  renderElement(<OwnOrnament bits={bits} size={64} />, { language });
  expect(await screen.findByRole('img', { name: words })).toBeInTheDocument();
});

test('the status letter has a dot for each step, and only the new one falls', () => {
  const { container } = renderElement(
    <>
      <StatusLetter status="arrived" />
      <StatusLetter status="read" />
      <StatusLetter status="answered" isNew />
    </>,
  );
  const dots = [...container.querySelectorAll('[data-letter]')].map(
    (letter) => letter.querySelectorAll('path').length - 1,
  );
  expect(dots).toEqual([1, 2, 3]);
});
